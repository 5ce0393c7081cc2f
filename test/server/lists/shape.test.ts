import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body } from '../spot/harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const SELL = { side: 'sell', quantity: '1', price: '0.06' } as const;
const STOP = {
  side: 'sell',
  type: 'stopMarket',
  price: undefined,
  stop_price: '0.04',
} as const;
const STOP_LIMIT = { ...STOP, type: 'stopLimit', price: '0.039' } as const;
const PROFIT = { ...STOP, type: 'takeProfitMarket', stop_price: '0.06' } as const;
const PROFIT_LIMIT = { ...PROFIT, type: 'takeProfitLimit', price: '0.06' } as const;
const MARKET = { side: 'sell', type: 'market', price: undefined } as const;
const KILL = { ...SELL, time_in_force: 'FOK' } as const;
const on = (symbol: string, order: Body = KILL): Body => ({ ...order, symbol });

const AON = 'allOrNone';
const OCO = 'oneCancelOther';
const OTO = 'oneTriggerOther';
const OTOCO = 'oneTriggerOneCancelOther';
const BUY = { side: 'buy', price: '0.05' } as const;

type Case = [tag: string, what: string, type: string, orders: readonly Body[]];

describe('a list is taken', () => {
  eachRow<Case>('server:trading-v3.list.', [
    ['contingency-values', 'as allOrNone', AON, [KILL, on('ETHUSDT')]],
    ['contingency-values', 'as oneCancelOther', OCO, [SELL, STOP]],
    ['contingency-values', 'as oneTriggerOther', OTO, [BUY, SELL]],
    ['contingency-values', 'as oneTriggerOneCancelOther', OTOCO, [BUY, SELL, STOP]],
    ['count-aon', 'with 2 orders', AON, [KILL, on('ETHUSDT')]],
    ['count-aon', 'with 3 orders', AON, [KILL, on('ETHUSDT'), on('BTCUSDT')]],
    ['count-oco', 'with 2 orders', OCO, [SELL, STOP]],
    ['count-oco', 'with 3 orders', OCO, [SELL, STOP, PROFIT]],
    ['count-oto', 'with 2 orders', OTO, [BUY, SELL]],
    ['count-oto', 'with 3 orders', OTO, [BUY, SELL, SELL]],
    ['count-otoco', 'with 3 orders', OTOCO, [BUY, SELL, STOP]],
    ['types-oco', 'with a limit and a stopLimit', OCO, [SELL, STOP_LIMIT]],
    ['types-oco', 'with a stopMarket and a takeProfitLimit', OCO, [STOP, PROFIT_LIMIT]],
    ['types-oco', 'with a takeProfitMarket', OCO, [STOP, PROFIT]],
    ['types-otoco-secondary', 'with a limit and a stopLimit', OTOCO, [BUY, SELL, STOP_LIMIT]],
    ['types-otoco-secondary', 'with a stopMarket', OTOCO, [BUY, STOP, PROFIT_LIMIT]],
    ['types-otoco-secondary', 'with a takeProfitMarket', OTOCO, [BUY, STOP, PROFIT]],
    ['types-otoco-primary', 'with a market primary', OTOCO, [MARKET, SELL, STOP]],
    ['types-otoco-primary', 'with a limit primary', OTOCO, [BUY, SELL, STOP]],
    ['types-otoco-primary', 'with a stopLimit primary', OTOCO, [STOP_LIMIT, SELL, STOP]],
    ['types-otoco-primary', 'with a stopMarket primary', OTOCO, [STOP, SELL, STOP]],
    ['types-otoco-primary', 'with a takeProfitLimit primary', OTOCO, [PROFIT_LIMIT, SELL, STOP]],
    ['types-otoco-primary', 'with a takeProfitMarket primary', OTOCO, [PROFIT, SELL, STOP]],
    ['types-oto', 'with a market primary and secondary', OTO, [MARKET, MARKET]],
    [
      'types-oto',
      'with a limit IOC and a limit FOK',
      OTO,
      [{ ...SELL, time_in_force: 'IOC' }, KILL],
    ],
    ['types-oto', 'with every kind of stop', OTO, [STOP_LIMIT, STOP, PROFIT]],
    ['tif-oco', 'with Day', OCO, [{ ...SELL, time_in_force: 'Day' }, STOP]],
    ['tif-oco', 'with GTC', OCO, [{ ...SELL, time_in_force: 'GTC' }, STOP]],
    [
      'tif-oco',
      'with GTD',
      OCO,
      [{ ...SELL, time_in_force: 'GTD', expire_time: '2026-01-06' }, STOP],
    ],
    ['tif-oco', 'with a stopLimit IOC', OCO, [SELL, { ...STOP_LIMIT, time_in_force: 'IOC' }]],
    ['tif-oco', 'with a stopLimit FOK', OCO, [SELL, { ...STOP_LIMIT, time_in_force: 'FOK' }]],
    [
      'tif-otoco-secondary',
      'with a stopLimit IOC and a Day',
      OTOCO,
      [BUY, { ...SELL, time_in_force: 'Day' }, { ...STOP_LIMIT, time_in_force: 'IOC' }],
    ],
    ['aon-limit-or-market', 'with a market and a limit FOK', AON, [MARKET, on('ETHUSDT')]],
  ])('%s (%s)', async (_what, type, orders) => {
    const { demo } = await openMarket();
    const placed = await demo.list(type, orders);
    expect(placed).toHaveLength(orders.length);
    for (const order of placed) expect(order['contingency_type']).toBe(type);
  });
});

describe('a list is refused', () => {
  eachRow<Case>('server:trading-v3.list.', [
    ['contingency-values', 'of another type', 'someOrNone', [SELL, STOP]],
    ['count-aon', 'with 1 order', AON, [KILL]],
    ['count-aon', 'with 4 orders', AON, [KILL, on('ETHUSDT'), on('BTCUSDT'), KILL]],
    ['count-oco', 'with 1 order', OCO, [SELL]],
    ['count-oco', 'with 4 orders', OCO, [SELL, STOP, STOP, PROFIT]],
    ['count-oto', 'with 1 order', OTO, [BUY]],
    ['count-oto', 'with 4 orders', OTO, [BUY, SELL, SELL, SELL]],
    ['count-otoco', 'with 2 orders', OTOCO, [BUY, SELL]],
    ['count-otoco', 'with 4 orders', OTOCO, [BUY, SELL, STOP, PROFIT]],
    ['otoco-one-symbol', 'with two symbols', OTOCO, [BUY, SELL, on('ETHUSDT', STOP)]],
    ['types-oco', 'with a market order', OCO, [SELL, MARKET]],
    ['types-otoco-secondary', 'with a market secondary', OTOCO, [BUY, SELL, MARKET]],
    ['tif-oco', 'with a limit IOC', OCO, [{ ...SELL, time_in_force: 'IOC' }, STOP]],
    ['tif-oco', 'with a limit FOK', OCO, [KILL, STOP]],
    ['tif-otoco-secondary', 'with a limit FOK', OTOCO, [BUY, KILL, STOP]],
    [
      'tif-otoco-secondary',
      'with a limit IOC',
      OTOCO,
      [BUY, { ...SELL, time_in_force: 'IOC' }, STOP],
    ],
    ['aon-limit-or-market', 'with a limit GTC', AON, [SELL, on('ETHUSDT')]],
    ['aon-limit-or-market', 'with a stop', AON, [STOP, on('ETHUSDT')]],
    ['aon-unique-symbols', 'with one symbol twice', AON, [KILL, KILL]],
    ['oco-one-limit', 'with two plain limits', OCO, [SELL, { ...SELL, price: '0.07' }]],
    ['order-params', 'with an order off the shape of an order', OTO, [BUY, { side: 'hold' }]],
    ['order-params', 'with an order without its price', OTO, [BUY, { price: undefined }]],
    [
      'order-params',
      'with an order off the tick',
      OTO,
      [BUY, { ...SELL, price: '0.0600001', strict_validate: true }],
    ],
    [
      'distinct-client-ids',
      'with one client order id twice',
      OTO,
      [
        { ...BUY, client_order_id: 'order-0001' },
        { ...SELL, client_order_id: 'order-0001' },
      ],
    ],
    ['atomic-refusal', 'whole for its last order', OTO, [BUY, SELL, { ...SELL, quantity: '0' }]],
    ['atomic-refusal', 'whole for want of means', OCO, [STOP, { ...SELL, quantity: '1001' }]],
  ])('%s (%s)', async (_what, type, orders) => {
    const { demo } = await openMarket();
    expect((await demo.listRejected(type, orders)).status).toBe(400);
    expect(await demo.past()).toEqual([]);
  });

  test(
    'with a list id that is not the first client order id',
    { tags: ['server:trading-v3.list.list-id-equals-first'] },
    async () => {
      const { demo } = await openMarket();
      const orders = [{ ...BUY, client_order_id: idOf('first') }, SELL];
      const more = { order_list_id: idOf('second') };
      expect(await demo.listRejected(OTO, orders, more)).toMatchObject({
        status: 400,
        code: 10001,
      });
      const same = await demo.list(OTO, orders, { order_list_id: idOf('first') });
      expect(same[0]?.['order_list_id']).toBe(idOf('first'));
    },
  );

  test(
    'as allOrNone of margin orders',
    { tags: ['server:trading-v3.list.aon-spot-only'] },
    async () => {
      const { demo } = await openMarket();
      for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
        const path = `/margin/account/isolated/${symbol}`;
        await demo.done('PUT', path, { margin_balance: '1000' });
      }
      const buy = { side: 'buy', price: '10', quantity: '1', time_in_force: 'FOK' };
      const body = {
        contingency_type: AON,
        orders: [
          { ...buy, symbol: 'BTCUSDT' },
          { ...buy, symbol: 'ETHUSDT' },
        ],
      };
      expect(await demo.rejected('POST', '/margin/order/list', body)).toMatchObject({
        status: 400,
      });
      expect(await demo.done('POST', '/spot/order/list', body)).toHaveLength(2);
    },
  );

  test('telling which order it is, and what is wrong with it', async () => {
    const { demo } = await openMarket();
    const off = { ...SELL, price: '0.0600001', strict_validate: true };
    expect(await demo.listRejected(OTO, [BUY, off])).toMatchObject({
      code: 2022,
      description:
        'orders[1]: price is 0.0600001 and must be a multiple of the tick size 0.000001; the nearest are 0.06 and 0.060001.',
    });
    const unknown = { ...SELL, symbol: 'ETHDOGE' };
    expect(await demo.listRejected(OTO, [BUY, SELL, unknown])).toMatchObject({ code: 2001 });
  });
});

describe('a list id', () => {
  test(
    'that is left out is the client order id of the first order',
    { tags: ['server:trading-v3.list.list-id-generated'] },
    async () => {
      const { demo } = await openMarket();
      const named = await demo.list(OTO, [{ ...BUY, client_order_id: idOf('first') }, SELL]);
      expect(named.map((order) => order['order_list_id'])).toEqual([idOf('first'), idOf('first')]);
      const [first, second] = await demo.list(OTO, [BUY, SELL]);
      expect(first?.['client_order_id']).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(first?.['order_list_id']).toBe(first?.['client_order_id']);
      expect(second?.['order_list_id']).toBe(first?.['client_order_id']);
    },
  );

  test('that is given names the first order where that does not', async () => {
    const { demo } = await openMarket();
    const [first] = await demo.list(OTO, [BUY, SELL], { order_list_id: idOf('list') });
    expect(first).toMatchObject({ client_order_id: idOf('list'), order_list_id: idOf('list') });
  });
});

test(
  'a list goes as one JSON body, or as a form with its orders as JSON text',
  { tags: ['server:trading-v3.list.body-json'] },
  async () => {
    const { venue, demo } = await openMarket();
    const orders = [BUY, SELL].map((order) => ({ symbol: 'ETHBTC', quantity: '1', ...order }));
    const body = { contingency_type: OTO, order_list_id: idOf('list'), orders };
    expect(await demo.done('POST', '/spot/order/list', body)).toMatchObject([
      { client_order_id: idOf('list'), side: 'buy' },
      { side: 'sell' },
    ]);
    const form = { contingency_type: OTO, orders: JSON.stringify(orders) };
    const answer = await venue.call('POST', '/api/3/spot/order/list', { as: 'demo', form });
    expect(answer).toMatchObject({ status: 200, body: [{ side: 'buy' }, { side: 'sell' }] });
  },
);
