import { describe, expect, test } from 'vitest';
import { decimal } from '../../../../src/model/decimal.ts';
import { OPENED } from '../../../server/kit.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
} from '../../../server/wallet/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const WALLET = '/api/3/wallet';

/** A client of `ann`, who has 10 BTC, 10,000 USDT and 1,000 XRP in her wallet. */
async function open(): Promise<Subscriptions & { readonly branch: WalletHarness }> {
  const branch = await openHarness();
  return { ...(await openSubscriptions(branch.venue, 'ann')), branch };
}

const free = (currency: string, available: string, reserved = '0') => ({
  currency,
  available: d(available),
  reserved: d(reserved),
});

describe('the balances of a wallet', () => {
  test(
    'are listed with what is available and what is reserved',
    { tags: ['client:trading-v3.wallet.get-balances'] },
    async () => {
      const { rest, relay } = await open();
      await rest.withdraw({ currency: 'BTC', amount: '1', address: OUTSIDE, auto_commit: false });
      expect(await rest.getWalletBalances()).toEqual([
        free('BTC', '8.9995', '1.0005'),
        free('USDT', '10000'),
        free('XRP', '1000'),
      ]);
      expect(relay.sent).toEqual([`GET ${WALLET}/balance`]);
    },
  );

  test(
    'are read one by one, where the currency may be left out',
    { tags: ['client:trading-v3.wallet.get-balance'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.getWalletBalance({ currency: 'USDT' })).toEqual(free('USDT', '10000'));
      expect(relay.sent).toEqual([`GET ${WALLET}/balance/USDT`]);
      relay.answer('{"available":"0.123456789012345678901","reserved":0.50}');
      expect(await rest.getWalletBalance({ currency: 'USDT' })).toEqual({
        available: d('0.123456789012345678901'),
        reserved: d('0.5'),
      });
    },
  );
});

describe('money that is moved by the client', () => {
  test(
    'goes from one place to another, and is a bare array of ids',
    { tags: ['client:trading-v3.wallet.post-transfer'] },
    async () => {
      const { rest, relay, branch } = await open();
      const move = {
        currency: 'USDT',
        amount: d('2.50'),
        source: 'wallet',
        destination: 'derivatives',
      } as const;
      const ids = await rest.transfer(move);
      expect(relay.sent).toEqual([`POST ${WALLET}/transfer`, { ...move, amount: '2.5' }]);
      expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(await branch.balance('ann', 'USDT', 'futures')).toBe('2.5 0');
      const [row] = await rest.getTransactions({ tx_ids: ids });
      expect(row).toMatchObject({ subtype: 'WALLET_TO_DERIVATIVES', native: { tx_id: ids[0] } });
      // @ts-expect-error a bank is no place
      const wrong: Parameters<typeof rest.transfer>[0] = { ...move, destination: 'bank' };
      await expect(rest.transfer(wrong)).rejects.toMatchObject({ code: 'request-invalid' });
    },
  );

  /** Prices of BTC: somebody buys at 40,000 and sells at 40,002. */
  const withMarket = async (branch: WalletHarness) => {
    const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
    await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side: 'buy', price: '40000' });
    await branch.ok('demo', 'POST', '/api/3/spot/order', {
      ...order,
      side: 'sell',
      price: '40002',
    });
  };

  test(
    'becomes another currency, in two transactions',
    { tags: ['client:trading-v3.wallet.post-convert'] },
    async () => {
      const { rest, relay, branch } = await open();
      await withMarket(branch);
      const asked = { from_currency: 'BTC', to_currency: 'USDT', amount: '0.5' };
      const { result } = await rest.convert(asked);
      expect(relay.sent).toEqual([`POST ${WALLET}/convert`, asked]);
      expect(result).toHaveLength(2);
      const rows = await rest.getTransactions({ tx_ids: result, sort: 'ASC' });
      expect(rows.map(({ native }) => [native?.tx_id, native?.currency, native?.amount])).toEqual([
        [result[0], 'BTC', d('0.5')],
        [result[1], 'USDT', d('20000.5')],
      ]);
      expect(await branch.balance('ann', 'USDT')).toBe('30000.5 0');
    },
  );

  test(
    'becomes another currency on terms that are listed',
    { tags: ['client:trading-v3.wallet.transfer-convert-config'] },
    async () => {
      const { rest, relay, branch } = await open();
      await withMarket(branch);
      expect(await rest.getConvertConfig()).toEqual({
        pairs: [
          {
            from_currency: 'BTC',
            to_currency: 'USDT',
            min_amount: d('0.00000001'),
            fee_rate: d('0'),
          },
          {
            from_currency: 'USDT',
            to_currency: 'BTC',
            min_amount: d('0.000401'),
            fee_rate: d('0'),
          },
        ],
      });
      expect(relay.sent).toEqual(['GET /api/3/transfer-convert/config']);
    },
  );

  test(
    'reaches another user by email or by name',
    { tags: ['client:trading-v3.wallet.post-internal-withdraw'] },
    async () => {
      const { rest, relay, branch } = await open();
      const gift = { currency: 'BTC', amount: '0.25' };
      const byName = {
        ...gift,
        by: 'username',
        identifier: 'bob',
        public_comment: 'thanks',
      } as const;
      const { result } = await rest.withdrawInternally(byName);
      expect(relay.sent).toEqual([`POST ${WALLET}/internal/withdraw`, byName]);
      expect(await rest.getTransaction({ tx_id: result })).toMatchObject({
        subtype: 'OFFCHAIN',
        native: { amount: d('0.25'), public_comment: 'thanks' },
      });
      const byEmail = { ...gift, by: 'email', identifier: 'bob@example.com' } as const;
      await rest.withdrawInternally(byEmail);
      expect(relay.sent).toEqual([`POST ${WALLET}/internal/withdraw`, byEmail]);
      expect(await branch.balance('bob', 'BTC')).toBe('10.5 0');
    },
  );
});

describe('what waits in a wallet', () => {
  test(
    'amounts are locked until a date, or no longer',
    { tags: ['client:trading-v3.wallet.get-amount-locks'] },
    async () => {
      const { rest, relay, branch } = await open();
      const { trading } = branch.venue;
      const account = branch.account('ann');
      const lock = (currency: string, amount: string) =>
        trading.act(({ wallet }, now) =>
          wallet.lock(
            account,
            {
              currency,
              amount: decimal(amount),
              endsAt: (now + 3_600 * SECOND) as typeof now,
              description: 'why',
            },
            now,
          ),
        );
      const first = lock('BTC', '1');
      branch.pass(SECOND);
      lock('USDT', '5');
      branch.pass(SECOND);
      trading.act(({ wallet }, now) => wallet.unlock(Number(first), 'mistake', now));
      const btc = {
        id: 1,
        currency: 'BTC',
        amount: d('1'),
        date_end: at('2026-01-05T11:00:00Z'),
        description: 'why',
        cancelled: true,
        cancelled_at: at('2026-01-05T10:00:02Z'),
        cancel_description: 'mistake',
        created_at: OPENED,
      };
      const usdt = {
        id: 2,
        currency: 'USDT',
        amount: d('5'),
        date_end: at('2026-01-05T11:00:01Z'),
        description: 'why',
        cancelled: false,
        created_at: OPENED + SECOND,
      };
      expect(await rest.getAmountLocks()).toEqual([usdt, btc]);
      expect(relay.sent).toEqual([`GET ${WALLET}/amount-locks`]);
      const page = { active: false, limit: 10, offset: 0 };
      const bounds = { from: OPENED, till: at('2026-01-05T10:00:00.5Z') };
      expect(await rest.getAmountLocks({ currency: 'BTC', ...page, ...bounds })).toEqual([btc]);
      const [from, till] = ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.5Z'].map(
        encodeURIComponent,
      );
      expect(relay.sent).toEqual([
        `GET ${WALLET}/amount-locks?currency=BTC&active=false&limit=10&offset=0&from=${from}&till=${till}`,
      ]);
    },
  );

  test(
    'airdrops are listed and claimed',
    {
      tags: [
        'client:trading-v3.wallet.get-airdrops',
        'client:trading-v3.wallet.post-airdrop-claim',
      ],
    },
    async () => {
      const { rest, relay, branch } = await open();
      const { trading } = branch.venue;
      const gift = { account: branch.account('ann'), currency: 'XRP', amount: decimal('7') };
      trading.airdrops.offer(gift, trading.now());
      const airdrop = {
        id: 1,
        currency: 'XRP',
        amount: d('7'),
        status: 'available',
        created_at: OPENED,
      };
      expect(await rest.getAirdrops()).toEqual([airdrop]);
      expect(relay.sent).toEqual([`GET ${WALLET}/airdrops`]);
      expect(await rest.claimAirdrop({ id: '1' })).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${WALLET}/airdrops/1/claim`]);
      expect(await rest.getAirdrops()).toEqual([{ ...airdrop, status: 'claimed' }]);
      expect(await rest.claimAirdrop({ id: '1' })).toEqual({ result: false });
    },
  );

  test(
    'keys are listed without their secrets',
    { tags: ['client:trading-v3.wallet.get-user-api-keys'] },
    async () => {
      const { rest, relay } = await open();
      const keys = await rest.getApiKeys();
      expect(relay.sent).toEqual(['GET /api/3/user/api-keys']);
      expect(keys).toEqual([
        {
          key: 'ann',
          name: expect.any(String) as string,
          access: expect.arrayContaining([
            'Place/cancel orders',
            'Withdraw cryptocurrencies',
          ]) as string[],
          created_at: OPENED,
        },
      ]);
    },
  );
});
