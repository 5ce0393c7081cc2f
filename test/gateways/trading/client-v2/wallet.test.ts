import { describe, expect, test } from 'vitest';
import { openHarness, OUTSIDE, type WalletHarness } from '../../../server/wallet/harness.ts';
import { market } from '../../../server/wallet/v2-banking.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const ACCOUNT = '/api/2/account';
const WITHDRAW = `${ACCOUNT}/crypto/withdraw`;

/** A client of `ann`, who has 10 BTC, 10,000 USDT and 1,000 XRP in her account. */
async function open(): Promise<SubscriptionsV2 & { readonly branch: WalletHarness }> {
  const branch = await openHarness();
  return { ...(await openSubscriptionsV2(branch.venue, 'ann')), branch };
}

const balance = (currency: string, available: string, reserved = '0') => ({
  currency,
  available: d(available),
  reserved: d(reserved),
});

const withdrawal = { currency: 'BTC', amount: '1', address: OUTSIDE } as const;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

describe('balances', () => {
  test(
    'of the account are listed',
    { tags: ['client:trading-v2.wallet.get-account-balance'] },
    async () => {
      const { rest, relay } = await open();
      await rest.withdraw({ ...withdrawal, autoCommit: false });
      expect(await rest.getAccountBalances()).toEqual([
        balance('BTC', '8.9995', '1.0005'),
        balance('USDT', '10000'),
        balance('XRP', '1000'),
      ]);
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/balance`]);
    },
  );

  test(
    'of trading are listed apart',
    { tags: ['client:trading-v2.wallet.get-trading-balance'] },
    async () => {
      const { rest, relay } = await open();
      await rest.transfer({ currency: 'USDT', amount: '50.25', type: 'bankToExchange' });
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '100' } as const;
      await rest.createOrder(order);
      expect(await rest.getTradingBalances()).toEqual([
        balance('BTC', '0'),
        balance('USDT', '40.225', '10.025'),
        balance('ETH', '0'),
        balance('XRP', '0'),
        balance('EUR', '0'),
      ]);
      expect(relay.sent).toEqual(['GET /api/2/trading/balance']);
    },
  );
});

describe('addresses', () => {
  test(
    'has a current one for deposits, with a payment id and a public key where there is one',
    { tags: ['client:trading-v2.wallet.get-address', 'client:trading-v2.wallet.address-record'] },
    async () => {
      const { rest, relay } = await open();
      const address = expect.any(String) as string;
      expect(await rest.getAddress({ currency: 'USDT' })).toEqual({ address });
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/crypto/address/USDT`]);
      const paymentId = expect.stringMatching(/^\d+$/) as string;
      expect(await rest.getAddress({ currency: 'XRP' })).toEqual({ address, paymentId });
      relay.answer({ address: 'a', paymentId: null, publicKey: 'the-key' });
      expect(await rest.getAddress({ currency: 'XRP' })).toEqual({
        address: 'a',
        publicKey: 'the-key',
      });
    },
  );

  test('gets a new one', { tags: ['client:trading-v2.wallet.post-address'] }, async () => {
    const { rest, relay } = await open();
    const first = await rest.getAddress({ currency: 'USDT' });
    const second = await rest.createAddress({ currency: 'USDT' });
    expect(relay.sent).toEqual([`POST ${ACCOUNT}/crypto/address/USDT`]);
    expect(second.address).not.toBe(first.address);
    expect(await rest.getAddress({ currency: 'USDT' })).toEqual(second);
  });

  test(
    'has the last ten for deposits',
    { tags: ['client:trading-v2.wallet.get-addresses'] },
    async () => {
      const { rest, relay } = await open();
      const made: unknown[] = [];
      for (let i = 0; i < 12; i += 1) made.unshift(await rest.createAddress({ currency: 'USDT' }));
      expect(await rest.getAddresses({ currency: 'USDT' })).toEqual(made.slice(0, 10));
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/crypto/addresses/USDT`]);
    },
  );

  test(
    'has the last ten that it withdrew to',
    { tags: ['client:trading-v2.wallet.get-used-addresses'] },
    async () => {
      const { rest, relay } = await open();
      const usdt = { currency: 'USDT', amount: '1' };
      for (let i = 0; i < 12; i += 1) await rest.withdraw({ ...usdt, address: `to-${i}` });
      expect(await rest.getUsedAddresses({ currency: 'USDT' })).toEqual(
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => ({ address: `to-${index}` })),
      );
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/crypto/used-addresses/USDT`]);
      relay.answer([{ address: 'to-1', paymentId: 7 }]);
      expect(await rest.getUsedAddresses({ currency: 'USDT' })).toEqual([
        { address: 'to-1', paymentId: '7' },
      ]);
    },
  );

  test(
    'are known to be one’s own',
    { tags: ['client:trading-v2.wallet.get-is-mine'] },
    async () => {
      const { rest, relay } = await open();
      const { address } = await rest.getAddress({ currency: 'BTC' });
      expect(await rest.isMine({ address })).toEqual({ result: true });
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/crypto/is-mine/${address}`]);
      expect(await rest.isMine({ address: 'no/ne of mine' })).toEqual({ result: false });
      expect(relay.sent).toEqual([`GET ${ACCOUNT}/crypto/is-mine/no%2Fne%20of%20mine`]);
    },
  );
});

describe('a withdrawal', () => {
  test(
    'is posted with what was given and no more, and is one id',
    { tags: ['client:trading-v2.wallet.post-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      expect(await rest.withdraw(withdrawal)).toEqual({ id: UUID });
      expect(relay.sent).toEqual([`POST ${WITHDRAW}`, withdrawal]);
      const full = {
        ...withdrawal,
        currency: 'XRP',
        paymentId: '77',
        includeFee: true,
        autoCommit: false,
        publicComment: 'rent',
      };
      const { id } = await rest.withdraw(full);
      expect(relay.sent).toEqual([`POST ${WITHDRAW}`, full]);
      expect(await rest.getTransaction({ id })).toMatchObject({
        id,
        amount: d('0.75'),
        fee: d('0.25'),
        status: 'created',
      });
      expect(await branch.balance('ann', 'XRP')).toBe('999 1');
      const before = relay.received.length;
      const long = rest.withdraw({ ...withdrawal, publicComment: 'x'.repeat(256) });
      await expect(long).rejects.toMatchObject({ code: 'request-invalid', field: 'publicComment' });
      expect(relay.received).toHaveLength(before);
    },
  );

  test(
    'that waits is committed, a second time too',
    { tags: ['client:trading-v2.wallet.put-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      const { id } = await rest.withdraw({ ...withdrawal, autoCommit: false });
      for (let times = 0; times < 2; times += 1) {
        expect(await rest.commitWithdrawal({ id })).toEqual({ result: true });
        expect(relay.sent).toEqual([`PUT ${WITHDRAW}/${id}`]);
        branch.pass(60_000_000);
        expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
      }
    },
  );

  test(
    'that waits is rolled back, a second time too',
    { tags: ['client:trading-v2.wallet.delete-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      const { id } = await rest.withdraw({ ...withdrawal, autoCommit: false });
      for (let times = 0; times < 2; times += 1) {
        expect(await rest.rollBackWithdrawal({ id })).toEqual({ result: true });
        expect(relay.sent).toEqual([`DELETE ${WITHDRAW}/${id}`]);
        expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      }
      relay.answer({ result: false });
      expect(await rest.rollBackWithdrawal({ id })).toEqual({ result: false });
    },
  );

  test(
    'has a fee that can be read beforehand',
    { tags: ['client:trading-v2.wallet.get-estimate-withdraw-levels'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.estimateFee({ currency: 'BTC', amount: d('1.5') })).toEqual({
        fee: d('0.0005'),
      });
      expect(relay.sent).toEqual([
        `GET ${ACCOUNT}/crypto/estimate-withdraw-levels?currency=BTC&amount=1.5`,
      ]);
    },
  );
});

describe('money that moves', () => {
  test(
    'becomes another currency, in two transactions',
    { tags: ['client:trading-v2.wallet.post-transfer-convert'] },
    async () => {
      const { rest, relay, branch } = await open();
      await market(branch);
      const asked = { fromCurrency: 'BTC', toCurrency: 'USDT', amount: '1' };
      const { result } = await rest.convert(asked);
      expect(relay.sent).toEqual([`POST ${ACCOUNT}/crypto/transfer-convert`, asked]);
      expect(result).toEqual([UUID, UUID]);
      const [first = '', second = ''] = result;
      expect(await rest.getTransaction({ id: first })).toMatchObject({ amount: d('1') });
      expect(await rest.getTransaction({ id: second })).toMatchObject({ amount: d('40001') });
    },
  );

  test.each([
    ['bankToExchange', '9995 0', '5 0'],
    ['exchangeToBank', '10000 0', '0 0'],
  ] as const)(
    'goes its way by %s',
    { tags: ['client:trading-v2.wallet.post-transfer'] },
    async (type, wallet, spot) => {
      const { rest, relay, branch } = await open();
      if (type === 'exchangeToBank') {
        await rest.transfer({ currency: 'USDT', amount: '5', type: 'bankToExchange' });
      }
      const asked = { currency: 'USDT', amount: '5', type };
      expect(await rest.transfer(asked)).toEqual({ id: UUID });
      expect(relay.sent).toEqual([`POST ${ACCOUNT}/transfer`, asked]);
      expect(await branch.balance('ann', 'USDT')).toBe(wallet);
      expect(await branch.balance('ann', 'USDT', 'spot')).toBe(spot);
      // @ts-expect-error there is no such way
      const odd = rest.transfer({ ...asked, type: 'bankToMoon' });
      await expect(odd).rejects.toMatchObject({ code: 'request-invalid', field: 'type' });
    },
  );

  test.each([
    ['email', 'bob@example.com'],
    ['username', 'bob'],
  ] as const)(
    'reaches another user by %s',
    { tags: ['client:trading-v2.wallet.post-transfer-internal'] },
    async (by, identifier) => {
      const { rest, relay, branch } = await open();
      const asked = { currency: 'BTC', amount: '2', by, identifier };
      expect(await rest.transferInternally(asked)).toEqual({ result: UUID });
      expect(relay.sent).toEqual([`POST ${ACCOUNT}/transfer/internal`, asked]);
      expect(await branch.balance('bob', 'BTC')).toBe('12 0');
    },
  );
});
