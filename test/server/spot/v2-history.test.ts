import { describe, expect, test } from 'vitest';
import { SpotTrader, openMarket, type Body, type Market } from './harness.ts';

const ids = (list: readonly Body[]): readonly unknown[] => list.map(({ id }) => id);

/** Orders and trades of spot and margin: `demo` buys on margin as order 2 and trade 2. */
async function mixed(): Promise<Market & { readonly demo2: SpotTrader }> {
  const market = await openMarket();
  const { venue, demo, other } = market;
  await demo.done('PUT', '/margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
  const on = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '50' };
  await demo.order({ symbol: 'ETHUSDT', price: '60' });
  await demo.done('POST', '/margin/order', { ...on, client_order_id: 'margin-001' });
  await demo.order({ client_order_id: 'spot-00001' });
  venue.pass(1_000_000);
  for (const price of ['60', '50']) {
    await other.order({ symbol: 'ETHUSDT', side: 'sell', price });
    venue.pass(1_000_000);
  }
  await other.order({ side: 'sell', quantity: '0.5' });
  return { ...market, demo2: new SpotTrader(venue, 'demo', '/api/2') };
}

const list = (methods: SpotTrader, path: string): Promise<readonly Body[]> =>
  methods.done('GET', path);

describe('the history of orders in version 2', () => {
  test.each<[query: string, listed: readonly number[]]>([
    ['', [3, 2, 1]],
    ['?symbol=ethusdt', [2, 1]],
    ['?limit=1', [3]],
    ['?limit=0', []],
    ['?limit=1&offset=2', [1]],
    ['?from=2026-01-05T10:00:00.001Z', []],
    ['?till=2026-01-05T10:00:00Z', [3, 2, 1]],
    ['?clientOrderId=spot-00001&symbol=ETHUSDT&limit=0', [3]],
    ['?clientOrderId=margin-001', [2]],
    ['?clientOrderId=nobody-001', []],
  ])(
    'asked for with "%s" are %j',
    { tags: ['server:trading-v2.spot.get-history-orders'] },
    async (query, listed) => {
      const { demo2 } = await mixed();
      expect(ids(await list(demo2, `/history/order${query}`))).toEqual(listed);
    },
  );

  test(
    'have the average price of what is executed',
    { tags: ['server:trading-v2.spot.get-history-orders'] },
    async () => {
      const { demo2, demo, other } = await mixed();
      await other.order({ side: 'sell', quantity: '0.5', price: '0.06' });
      await demo.order({ type: 'market', price: undefined, quantity: '0.5' });
      const [market, spot] = await list(demo2, '/history/order?symbol=ETHBTC');
      expect(market).toMatchObject({ type: 'market', avgPrice: '0.060000', price: '0.060000' });
      expect(spot).toMatchObject({ cumQuantity: '0.5000', avgPrice: '0.050000' });
    },
  );

  test(
    'come 100 at a time where nothing is said',
    { tags: ['server:trading-v2.spot.get-history-orders'] },
    async () => {
      const { venue, demo } = await openMarket();
      const orders = Array.from({ length: 101 }, () => demo.order({ quantity: '0.0001' }));
      await Promise.all(orders);
      expect(await list(new SpotTrader(venue, 'demo', '/api/2'), '/history/order')).toHaveLength(
        100,
      );
    },
  );
});

describe('the history of trades in version 2', () => {
  test('says what each was', { tags: ['server:trading-v2.spot.get-history-trades'] }, async () => {
    const { demo2 } = await mixed();
    const [last] = await list(demo2, '/history/trades?limit=1');
    expect(last).toEqual({
      id: 3,
      orderId: 3,
      clientOrderId: 'spot-00001',
      symbol: 'ETHBTC',
      side: 'buy',
      quantity: '0.5000',
      price: '0.050000',
      fee: '0.000025000000',
      timestamp: '2026-01-05T10:00:03Z',
    });
  });

  test.each<[query: string, listed: readonly number[]]>([
    ['', [3, 2, 1]],
    ['?sort=ASC', [1, 2, 3]],
    ['?sort=DESC&limit=1&offset=1', [2]],
    ['?symbol=ETHUSDT', [2, 1]],
    ['?by=id&from=2&till=3', [3, 2]],
    ['?by=timestamp&from=2026-01-05T10:00:02Z&till=2026-01-05T10:00:02Z', [2]],
    ['?from=2', [3, 2]],
    ['?margin=include', [3, 2, 1]],
    ['?margin=only', [2]],
    ['?margin=ignore', [3, 1]],
    ['?margin=ignore&symbol=ETHUSDT', [1]],
  ])(
    'asked for with "%s" are %j',
    { tags: ['server:trading-v2.spot.get-history-trades'] },
    async (query, listed) => {
      const { demo2 } = await mixed();
      expect(ids(await list(demo2, `/history/trades${query}`))).toEqual(listed);
    },
  );

  test(
    'of one order are reported by its number',
    { tags: ['server:trading-v2.spot.get-history-order-trades'] },
    async () => {
      const { demo2, other } = await mixed();
      await other.order({ side: 'sell', quantity: '0.25' });
      expect(await list(demo2, '/history/order/3/trades')).toMatchObject([
        { id: 3, orderId: 3, quantity: '0.5000' },
        { id: 4, orderId: 3, quantity: '0.2500' },
      ]);
      expect(ids(await list(demo2, '/history/order/2/trades'))).toEqual([2]);
    },
  );

  test.each([
    ['99', 20002],
    ['4', 20002],
    ['three', 10001],
  ])('of the order %s, which is none of the account’s, are refused', async (id, code) => {
    const { demo2 } = await mixed();
    expect(await demo2.rejected('GET', `/history/order/${id}/trades`)).toMatchObject({
      status: 400,
      code,
    });
  });
});

describe('balances and fees in version 2', () => {
  test('trading balances have three members', async () => {
    const { demo2 } = await mixed();
    const balances = await list(demo2, '/trading/balance');
    expect(balances).toContainEqual({
      currency: 'BTC',
      available: '99.949925',
      reserved: '0.02505',
    });
    expect(balances).toHaveLength(3);
  });

  test(
    'the fee of a symbol is two rates',
    { tags: ['server:trading-v2.spot.get-fee'] },
    async () => {
      const { demo2 } = await mixed();
      expect(await demo2.done('GET', '/trading/fee/ethbtc')).toEqual({
        takeLiquidityRate: '0.002',
        provideLiquidityRate: '0.001',
      });
      expect(await demo2.rejected('GET', '/trading/fee/none')).toMatchObject({ code: 2001 });
    },
  );
});
