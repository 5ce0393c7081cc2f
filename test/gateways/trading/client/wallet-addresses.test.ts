import { describe, expect, test } from 'vitest';
import { openHarness, OUTSIDE, type WalletHarness } from '../../../server/wallet/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';

const ADDRESS = '/api/3/wallet/crypto/address';

async function open(): Promise<Subscriptions & { readonly branch: WalletHarness }> {
  const branch = await openHarness();
  return { ...(await openSubscriptions(branch.venue, 'ann')), branch };
}

const someAddress = expect.any(String) as string;

describe('deposit addresses', () => {
  test(
    'are an array, by currency and network where they are given',
    { tags: ['client:trading-v3.wallet.get-address'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.getAddresses()).toEqual([]);
      expect(relay.sent).toEqual([`GET ${ADDRESS}`]);
      const tron = await rest.getAddresses({ currency: 'USDT', network_code: 'TRX' });
      expect(tron).toEqual([{ currency: 'USDT', address: someAddress, network_code: 'TRX' }]);
      expect(relay.sent).toEqual([`GET ${ADDRESS}?currency=USDT&network_code=TRX`]);
      expect(await rest.getAddresses({ currency: 'XRP' })).toEqual([
        {
          currency: 'XRP',
          address: someAddress,
          payment_id: expect.stringMatching(/^\d+$/) as string,
          network_code: 'XRP',
        },
      ]);
      const [own] = tron;
      relay.answer([{ ...own, payment_id: null, public_key: 'key-of-it', network_code: null }]);
      expect(await rest.getAddresses({ currency: 'USDT' })).toEqual([
        { currency: 'USDT', address: own?.address, public_key: 'key-of-it' },
      ]);
    },
  );

  test(
    'are created, each an object',
    { tags: ['client:trading-v3.wallet.post-address'] },
    async () => {
      const { rest, relay } = await open();
      const asked = { currency: 'USDT', network_code: 'TRX' };
      const made = await rest.createAddress(asked);
      expect(made).toEqual({ ...asked, address: someAddress });
      expect(relay.sent).toEqual([`POST ${ADDRESS}`, asked]);
      const next = await rest.createAddress({ currency: 'USDT' });
      expect(relay.sent).toEqual([`POST ${ADDRESS}`, { currency: 'USDT' }]);
      expect(next.network_code).toBe('ETH');
      expect(next.address).not.toBe(made.address);
    },
  );

  test(
    'are remembered, the last ten of a currency',
    { tags: ['client:trading-v3.wallet.get-recent-deposit'] },
    async () => {
      const { rest, relay, branch } = await open();
      const made: unknown[] = [];
      for (let i = 0; i < 12; i += 1) {
        made.unshift(await branch.ok('ann', 'POST', ADDRESS, { currency: 'USDT' }));
      }
      expect(await rest.getRecentDepositAddresses({ currency: 'USDT' })).toEqual(made.slice(0, 10));
      expect(relay.sent).toEqual([`GET ${ADDRESS}/recent-deposit?currency=USDT`]);
    },
  );

  test(
    'are known to be their owner’s',
    { tags: ['client:trading-v3.wallet.get-check-mine'] },
    async () => {
      const { rest, relay } = await open();
      const { address } = await rest.createAddress({ currency: 'USDT', network_code: 'TRX' });
      expect(await rest.checkMine({ address })).toEqual({ result: true });
      expect(relay.sent).toEqual([`GET ${ADDRESS}/check-mine?address=${address}`]);
      expect(await rest.checkMine({ address, network_code: 'ETH' })).toEqual({ result: false });
      expect(relay.sent).toEqual([`GET ${ADDRESS}/check-mine?address=${address}&network_code=ETH`]);
    },
  );
});

describe('addresses outside', () => {
  test(
    'are remembered, the last ten of a currency',
    { tags: ['client:trading-v3.wallet.get-recent-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      for (let i = 0; i < 12; i += 1) {
        const asked = { currency: 'USDT', amount: '1', address: `to-${i}` };
        await branch.ok('ann', 'POST', '/api/3/wallet/crypto/withdraw', asked);
      }
      expect(await rest.getRecentWithdrawAddresses({ currency: 'USDT' })).toEqual(
        [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => ({
          currency: 'USDT',
          address: `to-${index}`,
          network_code: 'ETH',
        })),
      );
      expect(relay.sent).toEqual([`GET ${ADDRESS}/recent-withdraw?currency=USDT`]);
    },
  );

  test(
    'are listed where their owner trusts them',
    { tags: ['client:trading-v3.wallet.get-white-list'] },
    async () => {
      const { rest, relay, branch } = await open();
      const trusted = { address: OUTSIDE, currency: 'BTC', name: 'cold', network: 'BTC' };
      branch.venue.trading.exchange.wallet.trust(branch.account('ann'), trusted);
      expect(await rest.getWhiteList()).toEqual([trusted]);
      expect(relay.sent).toEqual([`GET ${ADDRESS}/white-list`]);
    },
  );
});

describe('a withdrawal of the client', () => {
  const WITHDRAW = '/api/3/wallet/crypto/withdraw';
  const ID = /^[0-9a-f-]{36}$/;

  test(
    'is posted with what was given and no more, and is one id',
    { tags: ['client:trading-v3.wallet.post-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      const plain = { currency: 'BTC', amount: '1', address: OUTSIDE };
      expect(await rest.withdraw(plain)).toEqual({ id: expect.stringMatching(ID) as string });
      expect(relay.sent).toEqual([`POST ${WITHDRAW}`, plain]);
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 1.0005');
      const full = {
        currency: 'XRP',
        amount: '10',
        address: OUTSIDE,
        payment_id: '77',
        network_code: 'XRP',
        include_fee: true,
        auto_commit: false,
        use_offchain: 'optionally',
        public_comment: 'x'.repeat(255),
      } as const;
      const { id } = await rest.withdraw(full);
      expect(relay.sent).toEqual([`POST ${WITHDRAW}`, full]);
      expect(await rest.getTransaction({ tx_id: id })).toMatchObject({
        status: 'CREATED',
        native: { payment_id: '77', network_code: 'XRP', public_comment: full.public_comment },
      });
      const before = relay.received.length;
      const long = { ...full, public_comment: 'x'.repeat(256) };
      await expect(rest.withdraw(long)).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'public_comment',
      });
      // @ts-expect-error an amount is no JSON number, which may not be exact
      const inexact: Parameters<typeof rest.withdraw>[0] = { ...plain, amount: 0.1 };
      await expect(rest.withdraw(inexact)).rejects.toMatchObject({ code: 'request-invalid' });
      expect(relay.received).toHaveLength(before);
    },
  );

  test('that waits is committed', { tags: ['client:trading-v3.wallet.put-withdraw'] }, async () => {
    const { rest, relay } = await open();
    const asked = { currency: 'BTC', amount: '1', address: OUTSIDE, auto_commit: false };
    const { id } = await rest.withdraw(asked);
    expect(await rest.commitWithdrawal({ id })).toEqual({ result: true });
    expect(relay.sent).toEqual([`PUT ${WITHDRAW}/${id}`]);
    expect(await rest.getTransaction({ tx_id: id })).toMatchObject({ status: 'PENDING' });
  });

  test(
    'that waits is rolled back',
    { tags: ['client:trading-v3.wallet.delete-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      const asked = { currency: 'BTC', amount: '1', address: OUTSIDE, auto_commit: false };
      const { id } = await rest.withdraw(asked);
      expect(await rest.rollBackWithdrawal({ id })).toEqual({ result: true });
      expect(relay.sent).toEqual([`DELETE ${WITHDRAW}/${id}`]);
      expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      relay.answer({ result: false });
      expect(await rest.rollBackWithdrawal({ id })).toEqual({ result: false });
    },
  );

  test(
    'that would stay inside is known beforehand',
    { tags: ['client:trading-v3.wallet.post-check-offchain'] },
    async () => {
      const { rest, relay, branch } = await open();
      const url = '/api/3/wallet/crypto/check-offchain-available';
      const made = await branch.ok<{ address: string; payment_id: string }>(
        'bob',
        'POST',
        ADDRESS,
        {
          currency: 'XRP',
        },
      );
      const { address, payment_id } = made;
      const asked = { currency: 'XRP', address, payment_id };
      expect(await rest.checkOffchain(asked)).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${url}`, asked]);
      const outside = { currency: 'BTC', address: OUTSIDE };
      expect(await rest.checkOffchain(outside)).toEqual({ result: false });
      expect(relay.sent).toEqual([`POST ${url}`, outside]);
    },
  );
});
