import { describe, expect, test } from 'vitest';
import { idOf, openMarket, type Body } from './harness.ts';

const ID = 'order-0001';
const NOW = '2026-01-05T10:00:00Z';

/** The members of an order that every answer has. */
const ALWAYS = [
  'client_order_id',
  'created_at',
  'id',
  'post_only',
  'price_average',
  'quantity',
  'quantity_cumulative',
  'side',
  'status',
  'symbol',
  'time_in_force',
  'type',
  'updated_at',
];

describe('an order that is placed', () => {
  test('is answered with the order', { tags: ['server:trading-v3.spot.post-order'] }, async () => {
    const { demo } = await openMarket();
    expect(await demo.order({ client_order_id: ID })).toEqual({
      id: 1,
      client_order_id: ID,
      symbol: 'ETHBTC',
      side: 'buy',
      status: 'new',
      type: 'limit',
      time_in_force: 'GTC',
      quantity: '1.0000',
      quantity_cumulative: '0.0000',
      price: '0.050000',
      post_only: false,
      created_at: NOW,
      updated_at: NOW,
      price_average: '0',
    });
  });

  test.each<[what: string, order: Body]>([
    ['a limit order', {}],
    ['a market order', { type: 'market', price: undefined }],
    ['a stop order', { type: 'stopMarket', price: undefined, stop_price: '0.06' }],
    ['an order that fills', { price: '0.07' }],
  ])(
    'shows the members of an order always, %s too',
    { tags: ['server:trading-v3.spot.order-record'] },
    async (_, order) => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', price: '0.07' });
      const { id } = await demo.order({ client_order_id: ID, ...order });
      for (const shown of [...(await demo.active()), ...(await demo.past())]) {
        expect(shown['id']).toBe(id);
        expect(Object.keys(shown)).toEqual(expect.arrayContaining(ALWAYS));
      }
    },
  );

  test(
    'shows other members where they have a value',
    { tags: ['server:trading-v3.spot.order-optional-fields'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.5' });
      const stop = {
        type: 'stopLimit',
        stop_price: '0.06',
        time_in_force: 'GTD',
        expire_time: '2026-01-06T00:00:00Z',
      };
      expect(await demo.order(stop)).toMatchObject({
        price: '0.050000',
        stop_price: '0.060000',
        expire_time: '2026-01-06T00:00:00Z',
      });
      const placed = await demo.order({ client_order_id: ID });
      expect(placed['trades']).toHaveLength(1);
      const next = await demo.replace(ID, { quantity: '2', price: '0.05' });
      expect(next['original_client_order_id']).toBe(ID);
      const pair = [
        { side: 'sell', price: '0.08', client_order_id: idOf('list') },
        { side: 'sell', price: '0.09' },
      ];
      const [first, second] = await demo.list('oneTriggerOther', pair);
      const inList = { order_list_id: idOf('list'), contingency_type: 'oneTriggerOther' };
      expect(first).toMatchObject(inList);
      expect(second).toMatchObject({ ...inList, inactive: true });
    },
  );

  test(
    'that fills at once has its trades, as taker',
    { tags: ['server:trading-v3.spot.order-trades', 'server:trading-v3.spot.trade-taker'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.4', price: '0.049' });
      await other.order({ side: 'sell', quantity: '2' });
      const { trades } = await demo.order();
      expect(trades).toEqual([
        {
          id: 1,
          quantity: '0.4000',
          price: '0.049000',
          fee: '0.000039200000',
          taker: true,
          timestamp: NOW,
        },
        {
          id: 2,
          quantity: '0.6000',
          price: '0.050000',
          fee: '0.000060000000',
          taker: true,
          timestamp: NOW,
        },
      ]);
    },
  );

  test(
    'has the mean of what its fills paid, each by its quantity',
    { tags: ['server:trading-v3.spot.order-price-average'] },
    async () => {
      const { demo, other } = await openMarket();
      await other.order({ side: 'sell', quantity: '0.1', price: '0.04' });
      await other.order({ side: 'sell', quantity: '0.3', price: '0.05' });
      expect(await demo.order({ client_order_id: ID })).toMatchObject({
        price_average: '0.047500',
      });
      await other.order({ side: 'sell', quantity: '0.6', price: '0.05' });
      // (0.004 + 0.015 + 0.03) / 1
      expect(await demo.pastOrder(ID)).toMatchObject({ price_average: '0.049000' });
    },
  );

  test(
    'has the average 0 without a fill, and twelve decimals at most',
    { tags: ['server:trading-v3.spot.order-price-average-zero'] },
    async () => {
      const { demo, other } = await openMarket();
      expect((await demo.order({ side: 'sell', price: '0.06' }))['price_average']).toBe('0');
      await other.order({ side: 'sell', quantity: '0.0001', price: '0.04' });
      await other.order({ side: 'sell', quantity: '0.0002', price: '0.05' });
      const order = await demo.order({ quantity: '0.0003' });
      expect(order['price_average']).toBe('0.046666666667');
    },
  );

  test(
    'counts what is executed, from 0 on, as the sum of its fills',
    { tags: ['server:trading-v3.spot.order-quantity-cumulative'] },
    async () => {
      const { demo, other } = await openMarket();
      const seen = [(await demo.order({ client_order_id: ID }))['quantity_cumulative']];
      for (const quantity of ['0.25', '0.125', '0.625']) {
        await other.order({ side: 'sell', quantity });
        seen.push((await demo.pastOrder(ID))['quantity_cumulative']);
      }
      expect(seen).toEqual(['0.0000', '0.2500', '0.3750', '1.0000']);
    },
  );

  test('keeps the average and the sum of what it replaces', async () => {
    const { demo, other } = await openMarket();
    await demo.order({ client_order_id: ID });
    await other.order({ side: 'sell', quantity: '0.5', price: '0.05' });
    const change = { price: '0.04', quantity: '1', new_client_order_id: idOf('next') };
    expect(await demo.replace(ID, change)).toMatchObject({
      quantity_cumulative: '0.5000',
      price_average: '0.050000',
    });
    await other.order({ side: 'sell', quantity: '0.5', price: '0.04' });
    expect(await demo.pastOrder(idOf('next'))).toMatchObject({
      status: 'filled',
      price_average: '0.045000',
    });
    // The order that was replaced stays as it ended.
    expect(await demo.pastOrder(ID)).toMatchObject({
      status: 'canceled',
      quantity_cumulative: '0.5000',
    });
  });

  test(
    'is a spot order even with the parameters of margin, which have no effect',
    { tags: ['server:trading-v3.rule.reduce-only-margin-only'] },
    async () => {
      const { demo, other } = await openMarket();
      const margin = { reduce_only: true, close_position: true, margin_mode: 'cross' };
      const order = await demo.order({ ...margin, client_order_id: ID });
      expect(order).toMatchObject({ status: 'new', quantity: '1.0000' });
      for (const name of Object.keys(margin)) expect(order).not.toHaveProperty(name);
      await other.order({ side: 'sell' });
      expect(await demo.pastOrder(ID)).toMatchObject({ status: 'filled' });
      expect(await demo.balance('ETH')).toMatchObject({ available: '1001' });
    },
  );
});

describe('active orders', () => {
  test(
    'are listed, those of one symbol where it is named',
    { tags: ['server:trading-v3.spot.get-orders'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: idOf('a') });
      await demo.order({ client_order_id: idOf('b'), symbol: 'ETHUSDT', price: '2000' });
      await other.order({ client_order_id: idOf('c') });
      await demo.order({ client_order_id: idOf('d'), time_in_force: 'FOK' });
      const ids = async (query: string): Promise<readonly unknown[]> =>
        (await demo.active(query)).map((order) => order['client_order_id']);
      expect(await ids('')).toEqual([idOf('a'), idOf('b')]);
      expect(await ids('?symbol=ETHUSDT')).toEqual([idOf('b')]);
      expect(await ids('?symbol=BTCUSDT')).toEqual([]);
      expect(await demo.rejected('GET', '/spot/order?symbol=ETHDOGE')).toMatchObject({
        code: 2001,
      });
    },
  );

  test('are reported one by one', { tags: ['server:trading-v3.spot.get-order'] }, async () => {
    const { demo } = await openMarket();
    const order = await demo.order({ client_order_id: ID });
    expect(await demo.done('GET', `/spot/order/${ID}`)).toEqual(order);
  });

  test(
    'that are unknown, ended or another’s are refused with 20002 and HTTP 400',
    { tags: ['server:trading-v3.spot.get-order-unknown'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: ID, time_in_force: 'FOK' });
      await other.order({ client_order_id: 'order-0002' });
      for (const id of [ID, 'order-0002', 'order-0003']) {
        expect(await demo.rejected('GET', `/spot/order/${id}`)).toMatchObject({
          status: 400,
          code: 20002,
        });
      }
    },
  );

  test(
    'are canceled all, or those of a symbol, and listed',
    { tags: ['server:trading-v3.spot.delete-orders'] },
    async () => {
      const { demo, other } = await openMarket();
      await demo.order({ client_order_id: idOf('a') });
      await demo.order({ client_order_id: idOf('b'), symbol: 'ETHUSDT', price: '2000' });
      await demo.order({ client_order_id: idOf('c'), side: 'sell', price: '0.06' });
      await other.order({ client_order_id: idOf('d') });
      const canceled = await demo.done<readonly Body[]>('DELETE', '/spot/order?symbol=ETHBTC');
      expect(canceled).toMatchObject([
        { client_order_id: idOf('a'), status: 'canceled' },
        { client_order_id: idOf('c'), status: 'canceled' },
      ]);
      expect(await demo.active()).toMatchObject([{ client_order_id: idOf('b') }]);
      expect(await demo.done('DELETE', '/spot/order')).toMatchObject([
        { client_order_id: idOf('b'), status: 'canceled' },
      ]);
      expect(await demo.done('DELETE', '/spot/order')).toEqual([]);
      expect(await other.active()).toHaveLength(1);
    },
  );

  test('of margin are left alone when those of spot are canceled', async () => {
    const { demo } = await openMarket();
    await demo.done('PUT', '/margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
    const margin = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '50' };
    await demo.done('POST', '/margin/order', margin);
    await demo.order({ ...margin });
    expect(await demo.done('DELETE', '/spot/order?symbol=ETHUSDT')).toHaveLength(1);
    expect(await demo.active()).toEqual([]);
    expect(await demo.done('GET', '/margin/order')).toHaveLength(1);
  });

  test(
    'are canceled one by one; one that is unknown is refused with HTTP 400 and 20002',
    { tags: ['server:trading-v3.spot.delete-order'] },
    async () => {
      const { demo } = await openMarket();
      await demo.order({ client_order_id: ID });
      expect(await demo.cancel(ID)).toMatchObject({ client_order_id: ID, status: 'canceled' });
      expect(await demo.rejected('DELETE', '/spot/order/order-0002')).toMatchObject({
        status: 400,
        code: 20002,
      });
    },
  );

  test(
    'are replaced by new ones, which are answered',
    { tags: ['server:trading-v3.spot.patch-order'] },
    async () => {
      const { venue, demo } = await openMarket();
      const stop = { type: 'stopLimit', stop_price: '0.06', price: '0.061' };
      const old = await demo.order({ client_order_id: ID, ...stop });
      venue.pass(1_500_000);
      const change = {
        new_client_order_id: idOf('new'),
        quantity: '2',
        price: '0.0625555',
        stop_price: '0.07',
        strict_validate: false,
      };
      expect(await demo.replace(ID, change)).toEqual({
        ...old,
        id: 2,
        client_order_id: idOf('new'),
        original_client_order_id: ID,
        quantity: '2.0000',
        price: '0.062555',
        stop_price: '0.070000',
        updated_at: '2026-01-05T10:00:01.5Z',
      });
    },
  );
});

test(
  'an order list is placed whole, and its orders are answered',
  { tags: ['server:trading-v3.spot.post-order-list'] },
  async () => {
    const { demo } = await openMarket();
    const orders = [
      { side: 'sell', price: '0.06', client_order_id: idOf('tp') },
      {
        side: 'sell',
        type: 'stopMarket',
        price: undefined,
        stop_price: '0.04',
        client_order_id: idOf('sl'),
      },
    ];
    expect(await demo.list('oneCancelOther', orders)).toMatchObject([
      { client_order_id: idOf('tp'), status: 'new', type: 'limit' },
      { client_order_id: idOf('sl'), status: 'suspended', type: 'stopMarket' },
    ]);
    expect(await demo.active()).toHaveLength(2);
  },
);
