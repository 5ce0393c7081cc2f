import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body, type Market } from './harness.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 10);

/** Numbers of what is listed. */
const ids = (list: readonly Body[]): readonly unknown[] => list.map(({ id }) => id);

/** Five orders of `demo`, one a second: 1, 3 and 5 in ETHBTC, 2 in ETHUSDT, 4 in BTCUSDT. */
async function five(): Promise<Market> {
  const market = await openMarket();
  for (const symbol of ['ETHBTC', 'ETHUSDT', 'ETHBTC', 'BTCUSDT', 'ETHBTC']) {
    await market.demo.order({ symbol, price: '0.05', quantity: '1' });
    market.venue.pass(1_000_000);
  }
  return market;
}

const second = (count: number): string => String(NOW_MS + 1_000 * count);
const iso = (count: number): string => new Date(NOW_MS + 1_000 * count).toISOString();

describe('past orders', () => {
  test.each<[query: string, listed: readonly number[]]>([
    ['', [5, 4, 3, 2, 1]],
    ['?sort=DESC', [5, 4, 3, 2, 1]],
    ['?sort=ASC', [1, 2, 3, 4, 5]],
    ['?symbol=ETHBTC', [5, 3, 1]],
    ['?symbol=ETHUSDT,BTCUSDT', [4, 2]],
    ['?symbols=ETHBTC,ETHUSDT&sort=ASC', [1, 2, 3, 5]],
    ['?symbol=ETHBTC,ETHBTC', [5, 3, 1]],
    ['?symbol=', [5, 4, 3, 2, 1]],
    ['?limit=2', [5, 4]],
    ['?limit=2&offset=1', [4, 3]],
    ['?limit=2&offset=4', [1]],
    ['?offset=5', []],
    ['?offset=100000', []],
    ['?symbol=ETHBTC,BTCUSDT&limit=2&offset=1', [4, 3]],
    ['?by=id&from=2&till=4', [4, 3, 2]],
    ['?by=id&from=4', [5, 4]],
    ['?by=id&till=2&sort=ASC', [1, 2]],
    ['?by=id&from=4&till=3', []],
    [`?by=timestamp&from=${second(1)}&till=${second(3)}`, [4, 3, 2]],
    [`?from=${iso(3)}`, [5, 4]],
    [`?till=${iso(1)}&sort=ASC`, [1, 2]],
    ['?from=2026-01-06', []],
    ['?till=2026-01-05', []],
  ])(
    'asked for with "%s" are %j',
    { tags: ['server:trading-v3.spot.get-history-orders'] },
    async (query, listed) => {
      const { demo } = await five();
      expect(ids(await demo.past(query))).toEqual(listed);
    },
  );

  test(
    'of a client order id are all there were, newest first, whatever else is asked for',
    { tags: ['server:trading-v3.spot.get-history-orders'] },
    async () => {
      const { venue, demo } = await openMarket();
      const id = idOf('again');
      for (const price of ['0.05', '0.049', '0.048']) {
        await demo.order({ client_order_id: id, price });
        await demo.cancel(id);
        venue.pass(60_000_000);
      }
      await demo.order();
      const others = 'symbol=BTCUSDT&sort=ASC&by=id&from=9&till=9&limit=1&offset=7';
      const found = await demo.past(`?client_order_id=${id}&${others}`);
      expect(ids(found)).toEqual([3, 2, 1]);
      expect(found).toMatchObject([
        { price: '0.048000', client_order_id: id },
        { price: '0.049000', client_order_id: id },
        { price: '0.050000', client_order_id: id },
      ]);
      expect(await demo.past('?client_order_id=nobody-00')).toEqual([]);
    },
  );

  test(
    'come 100 at a time where nothing is said, and 1000 at most',
    { tags: ['server:trading-v3.spot.get-history-orders'] },
    async () => {
      const { demo } = await openMarket();
      for (let left = 1_001; left > 0; left -= 77) {
        await Promise.all(Array.from({ length: 77 }, () => demo.order({ quantity: '0.0001' })));
      }
      expect(await demo.past()).toHaveLength(100);
      const most = await demo.past('?limit=1000');
      expect(most).toHaveLength(1_000);
      expect(most[0]?.['id']).toBe(1_001);
      expect(ids(await demo.past('?limit=1000&offset=1000'))).toEqual([1]);
    },
  );

  test.each([
    'limit=1001',
    'limit=0',
    'offset=100001',
    'offset=-1',
    'sort=down',
    'by=price',
    'by=id&from=2026-01-05',
    'from=yesterday',
    'by=timestamp&till=9999999999999999',
    'by=timestamp&till=999999999999999',
  ])(
    'asked for with "%s" are refused with HTTP 400',
    { tags: ['server:trading-v3.spot.get-history-orders'] },
    async (query) => {
      const { demo } = await openMarket();
      expect(await demo.rejected('GET', `/spot/history/order?${query}`)).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );

  test('of symbols that nobody knows are refused with 2001; beside others such a symbol is left out', async () => {
    const { demo } = await openMarket();
    await demo.order();
    for (const symbol of ['ETHDOGE', 'ETHUSDT_PERP,ETHDOGE']) {
      const path = `/spot/history/order?symbol=${symbol}`;
      expect(await demo.rejected('GET', path)).toMatchObject({ status: 400, code: 2001 });
    }
    expect(await demo.past('?symbol=ETHDOGE,ETHBTC')).toHaveLength(1);
  });

  test(
    'are there while they are active',
    { tags: ['server:trading-v3.spot.history-includes-active'] },
    async () => {
      const { demo, other } = await openMarket();
      const order = await demo.order();
      expect(await demo.past()).toEqual([order]);
      await other.order({ side: 'sell', quantity: '0.5' });
      expect(await demo.past()).toMatchObject([{ status: 'partiallyFilled' }]);
    },
  );

  test(
    'of the type market have price and price_average, which are what they traded at',
    { tags: ['server:trading-v3.spot.history-market-price'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.5', price: '0.05' });
      await other.order({ side: 'sell', quantity: '0.5', price: '0.06' });
      const market = { type: 'market', price: undefined };
      expect(await demo.order(market)).not.toHaveProperty('price');
      await demo.order({ ...market, client_order_id: idOf('none') });
      const [unfilled, filled] = await demo.past();
      expect(filled).toMatchObject({ price: '0.055000', price_average: '0.055000' });
      expect(unfilled).not.toHaveProperty('price');
      expect(unfilled).toMatchObject({ status: 'expired', price_average: '0' });
    },
  );

  test(
    'are ordered by time, the time of creation, which a replacement has from the order that it replaced',
    { tags: ['server:trading-v3.spot.history-default-by'] },
    async () => {
      const { venue, demo } = await openMarket();
      await demo.order({ client_order_id: idOf('old') });
      venue.pass(1_000_000);
      await demo.order({ client_order_id: idOf('young') });
      venue.pass(1_000_000);
      const change = { price: '0.04', quantity: '1', new_client_order_id: idOf('new') };
      await demo.replace(idOf('old'), change);
      expect(ids(await demo.past())).toEqual([2, 3, 1]);
      expect(ids(await demo.past('?by=id'))).toEqual([3, 2, 1]);
      // Thirteen digits are milliseconds, fewer an id where that is asked for.
      expect(ids(await demo.past(`?from=${second(1)}`))).toEqual([2]);
      expect(ids(await demo.past(`?till=${second(0)}`))).toEqual([3, 1]);
      expect(ids(await demo.past('?by=id&from=2'))).toEqual([3, 2]);
    },
  );

  test('of another account or of margin are not among them', async () => {
    const { demo, other } = await openMarket();
    await demo.done('PUT', '/margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
    const margin = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '50' };
    await demo.done('POST', '/margin/order', { ...margin, client_order_id: 'margin-001' });
    await other.order();
    expect(await demo.past()).toEqual([]);
    expect(await demo.past('?client_order_id=margin-001')).toEqual([]);
  });

  test('within the millisecond that is shown belong to a bound that names it', async () => {
    const { venue, demo } = await openMarket();
    venue.pass(999);
    const { created_at: shown } = await demo.order();
    expect(shown).toBe('2026-01-05T10:00:00Z');
    expect(await demo.past(`?till=${String(shown)}`)).toHaveLength(1);
    expect(await demo.past(`?from=${String(shown)}`)).toHaveLength(1);
    venue.pass(1);
    expect(await demo.past('?from=2026-01-05T10:00:00.001Z')).toEqual([]);
  });
});

/** `demo` buys of `other` four times, one a second: 1, 3 and 4 in ETHBTC, 2 in ETHUSDT. */
async function fourTrades(): Promise<Market> {
  const market = await openMarket();
  const { demo, other, venue } = market;
  await demo.order({ quantity: '2', client_order_id: idOf('first') });
  await demo.order({ symbol: 'ETHUSDT', client_order_id: idOf('second') });
  await demo.order({ quantity: '1', price: '0.049', client_order_id: idOf('third') });
  const sell = async (symbol: string, quantity: string): Promise<void> => {
    await other.order({ side: 'sell', symbol, quantity, price: '0.04' });
    venue.pass(1_000_000);
  };
  await sell('ETHBTC', '1');
  await sell('ETHUSDT', '1');
  await sell('ETHBTC', '1');
  await sell('ETHBTC', '0.5');
  return market;
}

describe('own trades', () => {
  test(
    'show who traded what, and who took',
    { tags: ['server:trading-v3.spot.get-history-trades', 'server:trading-v3.spot.trade-taker'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', client_order_id: idOf('maker') });
      await demo.order({ client_order_id: idOf('taker') });
      const trade = {
        id: 1,
        symbol: 'ETHBTC',
        quantity: '1.0000',
        price: '0.050000',
        timestamp: '2026-01-05T10:00:00Z',
      };
      expect(await demo.trades()).toEqual([
        {
          ...trade,
          order_id: 2,
          client_order_id: idOf('taker'),
          side: 'buy',
          fee: '0.000100000000',
          taker: true,
        },
      ]);
      expect(await other.trades()).toEqual([
        {
          ...trade,
          order_id: 1,
          client_order_id: idOf('maker'),
          side: 'sell',
          fee: '0.000050000000',
          taker: false,
        },
      ]);
    },
  );

  test.each<[query: string, listed: readonly number[]]>([
    ['', [4, 3, 2, 1]],
    ['?sort=ASC', [1, 2, 3, 4]],
    ['?symbol=ETHBTC', [4, 3, 1]],
    ['?symbol=ETHBTC,ETHUSDT&sort=ASC', [1, 2, 3, 4]],
    ['?symbols=ETHUSDT', [2]],
    ['?limit=1&offset=1', [3]],
    ['?order_id=1', [3, 1]],
    ['?order_id=1&sort=ASC&limit=1&offset=1', [3]],
    ['?order_id=1&by=id&from=2', [3]],
    ['?order_id=1&symbol=ETHUSDT', []],
    [`?order_id=1&from=${second(1)}`, [3]],
    ['?order_id=99', []],
    ['?by=id&from=2&till=3', [3, 2]],
    [`?by=timestamp&from=${second(1)}&till=${second(2)}`, [3, 2]],
    [`?till=${iso(1)}`, [2, 1]],
  ])(
    'asked for with "%s" are %j',
    { tags: ['server:trading-v3.spot.get-history-trades'] },
    async (query, listed) => {
      const { demo } = await fourTrades();
      expect(ids(await demo.trades(query))).toEqual(listed);
    },
  );

  test('with oneself are there from both sides, under one number', async () => {
    const { demo } = await openMarket();
    await demo.order({ side: 'sell' });
    await demo.order();
    expect(await demo.trades('?sort=ASC')).toMatchObject([
      { id: 1, order_id: 1, side: 'sell', taker: false },
      { id: 1, order_id: 2, side: 'buy', taker: true },
    ]);
  });

  test('of orders that were replaced belong to the order that made them', async () => {
    const { demo, other } = await openMarket();
    await demo.order({ client_order_id: idOf('old') });
    await other.order({ side: 'sell', quantity: '0.5' });
    const { id } = await demo.replace(idOf('old'), { price: '0.05', quantity: '2' });
    await other.order({ side: 'sell', quantity: '0.5' });
    expect(await demo.trades('?order_id=1')).toMatchObject([{ client_order_id: idOf('old') }]);
    expect(ids(await demo.trades(`?order_id=${String(id)}`))).toEqual([2]);
  });
});
