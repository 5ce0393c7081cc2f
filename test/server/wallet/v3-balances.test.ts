import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { openHarness, OUTSIDE, SECOND, type Query, type TransactionRow } from './harness.ts';

const LATER = 2_000_000_000;

describe('the balances of a wallet', () => {
  test(
    'are those that are not zero, with what withdrawals hold',
    { tags: ['server:trading-v3.wallet.get-balances'] },
    async () => {
      const branch = await openHarness();
      await branch.ok('ann', 'POST', '/api/3/wallet/crypto/withdraw', {
        currency: 'BTC',
        amount: '1',
        address: OUTSIDE,
        auto_commit: false,
      });
      expect(await branch.ok('ann', 'GET', '/api/3/wallet/balance')).toEqual([
        { currency: 'BTC', available: '8.9995', reserved: '1.0005' },
        { currency: 'USDT', available: '10000', reserved: '0' },
        { currency: 'XRP', available: '1000', reserved: '0' },
      ]);
    },
  );

  test(
    'can be asked for one by one, an empty one too',
    { tags: ['server:trading-v3.wallet.get-balance'] },
    async () => {
      const branch = await openHarness();
      const of = (currency: string) => branch.ok('ann', 'GET', `/api/3/wallet/balance/${currency}`);
      expect(await of('USDT')).toEqual({ currency: 'USDT', available: '10000', reserved: '0' });
      expect(await of('ETH')).toEqual({ currency: 'ETH', available: '0', reserved: '0' });
      expect(await branch.rejected('ann', 'GET', '/api/3/wallet/balance/GBP')).toEqual([400, 2002]);
    },
  );
});

describe('a transfer', () => {
  test.each([
    ['wallet', 'spot', 'WALLET_TO_SPOT', ['9998', '2', '0']],
    ['wallet', 'derivatives', 'WALLET_TO_DERIVATIVES', ['9998', '0', '2']],
  ])(
    'from %s to %s is one id in a bare array',
    { tags: ['server:trading-v3.wallet.post-transfer'] },
    async (source, destination, subtype, amounts) => {
      const branch = await openHarness();
      const ids = await branch.ok<string[]>('ann', 'POST', '/api/3/wallet/transfer', {
        currency: 'USDT',
        amount: '2',
        source,
        destination,
      });
      expect(ids).toHaveLength(1);
      const rows = await branch.ok('ann', 'GET', '/api/3/wallet/transactions', {
        tx_ids: ids.join(','),
      });
      expect(rows).toMatchObject([{ type: 'TRANSFER', subtype, status: 'SUCCESS' }]);
      const places = ['wallet', 'spot', 'futures'];
      const found = await Promise.all(
        places.map(async (place) => (await branch.balance('ann', 'USDT', place)).split(' ')[0]),
      );
      expect(found).toEqual(amounts);
    },
  );

  test('from spot to derivatives goes by the wallet and is two ids', async () => {
    const branch = await openHarness();
    const move = (source: string, destination: string) =>
      branch.ok<string[]>('ann', 'POST', '/api/3/wallet/transfer', {
        currency: 'USDT',
        amount: 2,
        source,
        destination,
      });
    await move('wallet', 'spot');
    expect(await move('spot', 'derivatives')).toHaveLength(2);
    expect(await move('derivatives', 'wallet')).toHaveLength(1);
    expect(await branch.balance('ann', 'USDT')).toBe('10000 0');
  });

  test.each([
    [{ amount: '10001' }, 20001],
    [{ amount: '0.0000001' }, 10001],
    [{ amount: '-1' }, 10001],
    [{ currency: 'GBP' }, 2002],
    [{ currency: 'EUR' }, 600],
    [{ destination: 'wallet' }, 10001],
    [{ destination: 'bank' }, 10001],
  ])('with %j is refused and moves nothing', async (change, code) => {
    const branch = await openHarness();
    const request = { currency: 'USDT', amount: '1', source: 'wallet', destination: 'spot' };
    const asked = { ...request, ...change };
    expect(await branch.rejected('ann', 'POST', '/api/3/wallet/transfer', asked)).toEqual([
      400,
      code,
    ]);
    expect(await branch.balance('ann', 'USDT')).toBe('10000 0');
  });
});

describe('a conversion', () => {
  /** Prices of BTC: somebody buys at 40,000 and sells at 40,002. */
  const withMarket = async () => {
    const branch = await openHarness();
    const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
    for (const [side, price] of [
      ['buy', '40000'],
      ['sell', '40002'],
    ]) {
      await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side, price });
    }
    return branch;
  };

  test(
    'is at the price rate, and two ids of one operation',
    { tags: ['server:trading-v3.wallet.post-convert'] },
    async () => {
      const branch = await withMarket();
      const { result } = await branch.ok<{ result: string[] }>(
        'ann',
        'POST',
        '/api/3/wallet/convert',
        {
          from_currency: 'BTC',
          to_currency: 'USDT',
          amount: '0.5',
        },
      );
      const rows = await branch.ok<TransactionRow[]>('ann', 'GET', '/api/3/wallet/transactions', {
        tx_ids: result.join(','),
        sort: 'ASC',
      });
      expect(rows).toMatchObject([
        { type: 'SWAP', subtype: 'INSTANT_EXCHANGE', native: { currency: 'BTC', amount: '0.5' } },
        {
          type: 'SWAP',
          operation_type: 'CONVERSION',
          native: { currency: 'USDT', amount: '20000.5' },
        },
      ]);
      expect(rows.map((each) => each.native.tx_id)).toEqual(result);
      expect(rows[0]?.operation_id).toBe(rows[1]?.operation_id);
      expect(await branch.balance('ann', 'BTC')).toBe('9.5 0');
      expect(await branch.balance('ann', 'USDT')).toBe('30000.5 0');
    },
  );

  test('without a rate is refused', async () => {
    const branch = await openHarness();
    const asked = { from_currency: 'BTC', to_currency: 'USDT', amount: '0.5' };
    expect(await branch.rejected('ann', 'POST', '/api/3/wallet/convert', asked)).toEqual([
      400, 600,
    ]);
  });

  test(
    'has a configuration of pairs with a rate now, their least amount and fee rate',
    { tags: ['server:trading-v3.wallet.transfer-convert-config'] },
    async () => {
      const branch = await withMarket();
      const { pairs } = await branch.ok<{ pairs: Query[] }>(
        'ann',
        'GET',
        '/api/3/transfer-convert/config',
      );
      expect(pairs).toEqual([
        // A step of 0.00000001 BTC is worth 0.0004 USDT, which is more than a step of 0.000001.
        { from_currency: 'BTC', to_currency: 'USDT', min_amount: '0.00000001', fee_rate: '0' },
        // 0.00000001 × 40001 = 0.00040001, in steps of 0.000001.
        { from_currency: 'USDT', to_currency: 'BTC', min_amount: '0.000401', fee_rate: '0' },
      ]);
      for (const { from_currency, to_currency, min_amount = '' } of pairs) {
        const step = from_currency === 'BTC' ? '0.00000001' : '0.000001';
        const less = decimal(min_amount).minus(step).toFixed();
        const asked = { from_currency, to_currency, amount: less };
        expect(await branch.rejected('ann', 'POST', '/api/3/wallet/convert', asked)).toEqual([
          400, 10001,
        ]);
        await branch.ok('ann', 'POST', '/api/3/wallet/convert', { ...asked, amount: min_amount });
      }
    },
  );
});

describe('amount locks', () => {
  test(
    'are listed newest first, by currency, time, page and whether they hold',
    { tags: ['server:trading-v3.wallet.get-amount-locks'] },
    async () => {
      const branch = await openHarness();
      const { trading } = branch.venue;
      const lock = (currency: string, amount: string) =>
        trading.act(({ wallet }, at) =>
          wallet.lock(
            branch.account('ann'),
            {
              currency,
              amount: decimal(amount),
              endsAt: (at + LATER) as typeof at,
              description: 'why',
            },
            at,
          ),
        );
      const first = lock('BTC', '1');
      branch.pass(SECOND);
      lock('USDT', '5');
      branch.pass(SECOND);
      trading.act(({ wallet }, at) => wallet.unlock(Number(first), 'mistake', at));
      const btc = {
        id: 1,
        currency: 'BTC',
        amount: '1',
        date_end: '2026-01-05T10:33:20Z',
        description: 'why',
        cancelled: true,
        cancelled_at: '2026-01-05T10:00:02Z',
        cancel_description: 'mistake',
        created_at: '2026-01-05T10:00:00Z',
      };
      const usdt = {
        id: 2,
        currency: 'USDT',
        amount: '5',
        date_end: '2026-01-05T10:33:21Z',
        description: 'why',
        cancelled: false,
        created_at: '2026-01-05T10:00:01Z',
      };
      const listed = (query: Query) => branch.ok('ann', 'GET', '/api/3/wallet/amount-locks', query);
      expect(await listed({})).toEqual([usdt, btc]);
      expect(await listed({ currency: 'BTC' })).toEqual([btc]);
      expect(await listed({ active: 'true' })).toEqual([usdt]);
      expect(await listed({ active: 'false' })).toEqual([btc]);
      expect(await listed({ limit: '1' })).toEqual([usdt]);
      expect(await listed({ limit: '1', offset: '1' })).toEqual([btc]);
      expect(await listed({ from: '2026-01-05T10:00:01Z' })).toEqual([usdt]);
      expect(await listed({ till: '2026-01-05T10:00:00Z' })).toEqual([btc]);
      expect(
        await branch.rejected('ann', 'GET', '/api/3/wallet/amount-locks?currency=GBP'),
      ).toEqual([400, 2002]);
    },
  );
});

describe('airdrops', () => {
  const offered = async () => {
    const branch = await openHarness();
    const { trading } = branch.venue;
    const gift = { account: branch.account('ann'), currency: 'XRP', amount: decimal('7') };
    trading.airdrops.offer({ ...gift, account: branch.account('bob') }, trading.now());
    trading.airdrops.offer(gift, trading.now());
    return branch;
  };
  const airdrop = {
    id: 2,
    currency: 'XRP',
    amount: '7',
    status: 'available',
    created_at: '2026-01-05T10:00:00Z',
  };

  test(
    'are listed with what they give and whether it was taken',
    { tags: ['server:trading-v3.wallet.get-airdrops'] },
    async () => {
      const branch = await offered();
      expect(await branch.ok('ann', 'GET', '/api/3/wallet/airdrops')).toEqual([airdrop]);
      await branch.ok('ann', 'POST', '/api/3/wallet/airdrops/2/claim');
      const taken = { ...airdrop, status: 'claimed' };
      expect(await branch.ok('ann', 'GET', '/api/3/wallet/airdrops')).toEqual([taken]);
    },
  );

  test(
    'are taken once, by whom they are for',
    { tags: ['server:trading-v3.wallet.post-airdrop-claim'] },
    async () => {
      const branch = await offered();
      const claim = '/api/3/wallet/airdrops/2/claim';
      expect(await branch.rejected('bob', 'POST', claim)).toEqual([400, 20004]);
      expect(await branch.rejected('ann', 'POST', '/api/3/wallet/airdrops/x/claim')).toEqual([
        400, 20004,
      ]);
      expect(await branch.ok('ann', 'POST', claim)).toEqual({ result: true });
      expect(await branch.ok('ann', 'POST', claim)).toEqual({ result: false });
      expect(await branch.balance('ann', 'XRP')).toBe('1007 0');
      expect(
        await branch.ok('ann', 'GET', '/api/3/wallet/transactions', { subtypes: 'AIRDROP' }),
      ).toMatchObject([{ type: 'DEPOSIT', status: 'SUCCESS', native: { amount: '7' } }]);
    },
  );

  test('of a currency that is not here cannot be taken', async () => {
    const branch = await offered();
    const { trading } = branch.venue;
    const gift = { account: branch.account('ann'), currency: 'GBP', amount: decimal('7') };
    trading.airdrops.offer(gift, trading.now());
    expect(await branch.rejected('ann', 'POST', '/api/3/wallet/airdrops/3/claim')).toEqual([
      400, 2002,
    ]);
  });
});
