import { describe, expect, test } from 'vitest';
import { bitcoin, onMargin, openHarness, type Body, type MarginHarness } from './harness.ts';

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000_000;

/** A margin account of 10,000 for BTCUSDT, whose market shows 49,999 to 50,000. */
async function funded(): Promise<MarginHarness> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  await floor.fund('10000');
  return floor;
}

const buy = (client_order_id: string, more: Body = {}) => ({
  client_order_id,
  quantity: '0.01',
  price: '50000',
  ...more,
});

const orders = (floor: MarginHarness, query = '', market = 'margin') =>
  floor.done<readonly Body[]>('GET', `/${market}/history/order${query}`);
const trades = (floor: MarginHarness, query = '') =>
  floor.done<readonly Body[]>('GET', `/margin/history/trade${query}`);
const names = (found: readonly Body[]) => found.map((one) => one['client_order_id']);

describe('the history of margin orders', () => {
  test(
    'is filtered, ordered and cut by its parameters',
    {
      tags: [
        'server:trading-v3.margin.get-history-orders',
        'server:trading-v3.margin.history-orders-bounds',
      ],
    },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      for (const name of ['order-001', 'order-002', 'order-003']) {
        await floor.order(buy(name));
        floor.venue.pass(MINUTE);
      }
      await floor.order(buy('order-004', { symbol: 'ETHUSDT', price: '1000' }));
      const all = await orders(floor);
      expect(names(all)).toEqual(['order-004', 'order-003', 'order-002', 'order-001']);
      const [, third, second, first] = all.map(({ id }) => Number(id));
      expect(names(await orders(floor, '?sort=ASC&limit=2'))).toEqual(['order-001', 'order-002']);
      expect(names(await orders(floor, '?limit=2&offset=1'))).toEqual(['order-003', 'order-002']);
      expect(names(await orders(floor, '?symbol=ETHUSDT'))).toEqual(['order-004']);
      expect(await orders(floor, '?symbol=ETHUSDT,BTCUSDT')).toHaveLength(4);
      const byId = `?from=${second}&till=${third}`;
      expect(names(await orders(floor, byId))).toEqual(['order-003', 'order-002']);
      const byTime = '?by=timestamp&from=2026-01-05T10:01:00Z&till=2026-01-05T10:02:00Z';
      expect(names(await orders(floor, byTime))).toEqual(['order-003', 'order-002']);
      expect(names(await orders(floor, `?by=id&till=${first}`))).toEqual(['order-001']);
      for (const query of ['limit=0', 'limit=1001', 'offset=100001', 'sort=UP', 'by=price']) {
        const rejection = await floor.rejected('GET', `/margin/history/order?${query}`);
        expect(rejection).toMatchObject({ status: 400, code: 10001 });
      }
      const widest = '?limit=1000&offset=100000';
      expect(await orders(floor, widest)).toEqual([]);
    },
  );

  test(
    'has a hundred orders on a page that says nothing else',
    { tags: ['server:trading-v3.margin.history-orders-bounds'] },
    async () => {
      const floor = await funded();
      for (let count = 0; count < 101; count += 1) {
        await floor.order({ quantity: '0.00001', price: '50000' });
      }
      expect(await orders(floor)).toHaveLength(100);
      expect(await trades(floor)).toHaveLength(100);
      expect(await orders(floor, '?limit=1000')).toHaveLength(101);
    },
  );

  test(
    'asked for a name ignores all else, and has all orders that had it',
    {
      tags: [
        'server:trading-v3.margin.history-orders-by-client-id',
        'server:trading-v3.margin.history-orders-same-client-id',
      ],
    },
    async () => {
      const floor = await funded();
      await floor.order(buy('the-name-'));
      floor.venue.pass(2 * MINUTE);
      await floor.order(buy('the-name-'));
      await floor.order(buy('another--'));
      const query = '?client_order_id=the-name-&symbol=ETHUSDT&limit=1&offset=1&till=1';
      const found = await orders(floor, query);
      expect(names(found)).toEqual(['the-name-', 'the-name-']);
      expect(new Set(found.map(({ id }) => id)).size).toBe(2);
      const malformed =
        '?client_order_id=the-name-&symbol=NOWHERE&limit=0&offset=x&till=never&sort=UP';
      for (const market of ['margin', 'spot']) {
        const expected = market === 'spot' ? [] : ['the-name-', 'the-name-'];
        expect(names(await orders(floor, malformed, market))).toEqual(expected);
      }
    },
  );

  test(
    'loses those without executions after 24 hours',
    { tags: ['server:trading-v3.margin.history-orders-deleted-24h'] },
    async () => {
      const floor = await funded();
      await floor.order(buy('executed-'));
      await floor.order(buy('canceled-', { price: '40000' }));
      await floor.order(buy('resting--', { price: '40000' }));
      await floor.done('DELETE', '/margin/order/canceled-');
      floor.venue.pass(DAY - MINUTE);
      expect(names(await orders(floor))).toEqual(['resting--', 'canceled-', 'executed-']);
      floor.venue.pass(2 * MINUTE);
      expect(names(await orders(floor))).toEqual(['resting--', 'executed-']);
    },
  );

  test(
    'has every member of an order, those of a kind where they apply',
    { tags: ['server:trading-v3.margin.history-order-record'] },
    async () => {
      const floor = await funded();
      await floor.order(
        buy('limited--', { time_in_force: 'GTD', expire_time: '2026-01-06T10:00:00Z' }),
      );
      const [limit] = await orders(floor);
      expect(limit).toEqual({
        id: expect.any(Number),
        client_order_id: 'limited--',
        symbol: 'BTCUSDT',
        side: 'buy',
        status: 'filled',
        type: 'limit',
        time_in_force: 'GTD',
        quantity: '0.01000',
        quantity_cumulative: '0.01000',
        price: '50000.00',
        price_average: '50000.00',
        expire_time: '2026-01-06T10:00:00Z',
        post_only: false,
        reduce_only: false,
        close_position: false,
        margin_mode: 'isolated',
        position_id: 1,
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00Z',
      });
      await floor.done('POST', '/margin/order/list', {
        contingency_type: 'oneCancelOther',
        order_list_id: 'of-list--',
        orders: [
          {
            client_order_id: 'of-list--',
            symbol: 'BTCUSDT',
            side: 'sell',
            price: '60000',
            quantity: '0.01',
          },
          {
            client_order_id: 'stopping-',
            symbol: 'BTCUSDT',
            side: 'sell',
            type: 'stopMarket',
            stop_price: '45000',
            close_position: true,
          },
        ],
      });
      const [stop, other] = await orders(floor);
      expect(stop).toMatchObject({
        stop_price: '45000.00',
        close_position: true,
        order_list_id: 'of-list--',
        contingency_type: 'oneCancelOther',
        price_average: '0',
      });
      expect(stop).not.toHaveProperty('price');
      expect(other).not.toHaveProperty('stop_price');
      expect(other).not.toHaveProperty('position_id');
    },
  );

  test('has none of spot and futures', async () => {
    const floor = await funded();
    await floor.order(buy('on-margin'));
    const spot = { symbol: 'BTCUSDT', side: 'buy', ...buy('on-spot--') };
    await floor.done('POST', '/spot/order', spot);
    expect(names(await orders(floor))).toEqual(['on-margin']);
    expect(names(await orders(floor, '', 'spot'))).toEqual(['on-spot--']);
    expect(await orders(floor, '', 'futures')).toEqual([]);
  });
});

describe('the history of margin trades', () => {
  test(
    'is filtered by order, position, symbol and bounds',
    {
      tags: [
        'server:trading-v3.margin.get-history-trades',
        'server:trading-v3.margin.history-trades-bounds',
      ],
    },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      const opening = await floor.order(buy('opening--'));
      floor.venue.pass(MINUTE);
      await floor.order(buy('of-ether-', { symbol: 'ETHUSDT', price: '3000' }));
      floor.venue.pass(MINUTE);
      await floor.order(buy('closing--', { side: 'sell', price: '49999' }));
      expect(names(await trades(floor))).toEqual(['closing--', 'of-ether-', 'opening--']);
      expect(names(await trades(floor, `?order_id=${String(opening['id'])}`))).toEqual([
        'opening--',
      ]);
      expect(names(await trades(floor, '?position_id=1'))).toEqual(['closing--', 'opening--']);
      expect(names(await trades(floor, '?position_id=2'))).toEqual(['of-ether-']);
      expect(names(await trades(floor, '?symbol=ETHUSDT'))).toEqual(['of-ether-']);
      expect(await trades(floor, '?symbol=ETHUSDT,BTCUSDT')).toHaveLength(3);
      expect(names(await trades(floor, '?sort=ASC&limit=1'))).toEqual(['opening--']);
      expect(names(await trades(floor, '?limit=1&offset=1'))).toEqual(['of-ether-']);
      const [last, middle] = (await trades(floor)).map(({ id }) => Number(id));
      expect(names(await trades(floor, `?from=${middle}&till=${middle}`))).toEqual(['of-ether-']);
      expect(names(await trades(floor, `?by=id&from=${last}`))).toEqual(['closing--']);
      const time = '?by=timestamp&from=2026-01-05T10:01:00Z&till=2026-01-05T10:01:30Z';
      expect(names(await trades(floor, time))).toEqual(['of-ether-']);
      for (const query of ['limit=0', 'limit=1001', 'offset=100001', 'sort=UP', 'by=price']) {
        const rejection = await floor.rejected('GET', `/margin/history/trade?${query}`);
        expect(rejection).toMatchObject({ status: 400, code: 10001 });
      }
      expect(await trades(floor, '?limit=1000&offset=100000')).toEqual([]);
    },
  );

  test(
    'has every member of a trade, and what it was to its position',
    { tags: ['server:trading-v3.margin.history-trade-record'] },
    async () => {
      const floor = await funded();
      await floor.order(buy('opening--'));
      const closing = await floor.order(buy('closing--', { side: 'sell', price: '49999' }));
      expect((await trades(floor))[0]).toEqual({
        id: expect.any(Number),
        order_id: closing['id'],
        client_order_id: 'closing--',
        symbol: 'BTCUSDT',
        side: 'sell',
        quantity: '0.01000',
        price: '49999.00',
        fee: '1.249975000000',
        timestamp: '2026-01-05T10:00:00Z',
        margin_mode: 'isolated',
        taker: true,
        position_id: 1,
        pnl: '-0.01',
        liquidation: false,
      });
    },
  );

  test(
    'says who took liquidity and who made it',
    { tags: ['server:trading-v3.spot.trade-taker'] },
    async () => {
      const floor = await funded();
      floor.quote('0', '0');
      floor.as = 'other';
      await floor.fund('10000');
      floor.as = 'demo';
      await floor.order(buy('making---'));
      const taking = await floor.order(buy('taking---', { side: 'sell' }), 'other');
      expect(taking['trades']).toMatchObject([{ taker: true, fee: '1.250000000000' }]);
      expect(await trades(floor)).toMatchObject([{ taker: false, fee: '0.600000000000' }]);
      floor.as = 'other';
      expect(await trades(floor)).toMatchObject([{ taker: true }]);
    },
  );

  test('adds up to the result and the fees of a position', async () => {
    const floor = await funded();
    await floor.order(buy('order-001', { quantity: '0.07' }));
    await floor.order(buy('order-002', { side: 'sell', price: '49999', quantity: '0.03' }));
    await floor.order(buy('order-003', { side: 'sell', price: '49999', quantity: '0.09' }));
    await floor.done('DELETE', '/margin/position');
    const closed = await floor.done<readonly Body[]>('GET', '/margin/history/positions');
    expect(closed.map(({ id }) => id)).toEqual([2, 1]);
    for (const { id, pnl, fee_cumulative: fees } of closed) {
      const own = (await trades(floor)).filter(({ position_id: of }) => of === id);
      const sum = (member: string) =>
        own.reduce((total, trade) => total + Math.round(Number(trade[member]) * 1e9), 0);
      expect(sum('pnl')).toBe(Math.round(Number(pnl) * 1e9));
      expect(sum('fee')).toBe(Math.round(Number(fees) * 1e9));
    }
  });
});

describe('the history of positions', () => {
  test(
    'has closed positions, those of a symbol where one is named',
    { tags: ['server:trading-v3.margin.get-history-positions'] },
    async () => {
      const floor = await funded();
      await floor.fund('5000', 'ETHUSDT');
      floor.quote('2999.000', '3000.000', 'ETHUSDT');
      await floor.order(buy('order-001', { quantity: '0.02' }));
      await floor.order(buy('order-002', { symbol: 'ETHUSDT', price: '3000' }));
      expect(await floor.done('GET', '/margin/history/positions')).toEqual([]);
      floor.quote('51000.00', '51001.00');
      floor.venue.pass(HOUR);
      await floor.done('DELETE', '/margin/position');
      const closed = await floor.done<readonly Body[]>('GET', '/margin/history/positions');
      expect(closed.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BTCUSDT']);
      const some = await floor.done<readonly Body[]>(
        'GET',
        '/margin/history/positions?symbol=BTCUSDT',
      );
      expect(some).toEqual([
        {
          id: 1,
          symbol: 'BTCUSDT',
          margin_mode: 'Isolated',
          leverage: '25.00',
          quantity: '0.00000',
          quantity_max: '0.02000',
          price_entry: '50000.00',
          price_close: '51000.00',
          price_margin_call: '0.00',
          price_liquidation: '0.00',
          pnl: '20',
          fee_cumulative: '5.05',
          liquidated: false,
          created_at: '2026-01-05T10:00:00Z',
          updated_at: '2026-01-05T11:00:00Z',
        },
      ]);
      expect(await floor.done('GET', '/futures/history/positions')).toEqual([]);
      const early = '/margin/history/positions?till=2026-01-05T10:30:00Z';
      expect(await floor.done('GET', early)).toEqual([]);
      const byId = await floor.done<readonly Body[]>(
        'GET',
        '/margin/history/positions?by=id&limit=1',
      );
      expect(byId.map(({ id }) => id)).toEqual([2]);
    },
  );
});

describe('the history of clearings', () => {
  test(
    'has the interest that was taken',
    { tags: ['server:trading-v3.margin.get-history-clearing'] },
    async () => {
      const terms = { takeRate: '0', margin: onMargin() };
      const ether = { symbol: 'ETHUSDT', baseCurrency: 'ETH', ...terms };
      const floor = await openHarness({
        instruments: [bitcoin(terms), bitcoin(ether)],
        exchange: { margin: { dailyRates: { USDT: '0.00039', ETH: '0.0006' } } },
      });
      floor.quote('10000.00', '10000.00');
      floor.quote('1000.00', '1000.00', 'ETHUSDT');
      await floor.fund('5000');
      await floor.fund('5000', 'ETHUSDT');
      await floor.order(buy('of-bitcoin', { quantity: '2', price: '10000' }));
      await floor.order(
        buy('of-ether-', { symbol: 'ETHUSDT', side: 'sell', quantity: '3', price: '1000' }),
      );
      floor.venue.pass(6 * HOUR);
      // 20,000 at 0.039% a day for 8 hours, as on the page; 3,000 at 0.06%.
      expect(await floor.margin()).toMatchObject({ margin_balance: '4997.4' });
      const all = await floor.done<readonly Body[]>('GET', '/margin/history/clearing?sort=ASC');
      expect(all).toEqual([
        {
          id: 1,
          symbol: 'BTCUSDT',
          position_id: 1,
          kind: 'interest',
          quantity: '2.00000',
          price: '10000.00',
          rate: '0.00039',
          amount: '-2.6',
          currency: 'USDT',
          timestamp: '2026-01-05T16:00:00Z',
        },
        expect.objectContaining({ symbol: 'ETHUSDT', quantity: '-3.00000', amount: '-0.6' }),
      ]);
      const some = '/margin/history/clearing?symbol=ETHUSDT&by=id&from=2';
      expect(await floor.done('GET', some)).toHaveLength(1);
      expect(await floor.done('GET', '/futures/history/clearing')).toEqual([]);
      expect(await floor.done('GET', '/margin/history/clearing?limit=1&offset=1')).toMatchObject([
        { id: 1 },
      ]);
    },
  );
});
