import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../server/margin/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const PATH = '/api/3/margin/order';

/** A client with margin accounts for BTCUSDT, shown at 49,999 to 50,000, and for ETHUSDT. */
async function funded(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('49999.00', '50000.00');
  await floor.fund('10000');
  await floor.fund('5000', 'ETHUSDT');
  return { ...(await openSubscriptions(floor.venue)), floor };
}

const resting = (client_order_id: string, more: object = {}) => ({
  client_order_id,
  symbol: 'BTCUSDT',
  side: 'buy' as const,
  quantity: '0.1',
  price: '40000',
  ...more,
});

/** How a client reads a resting order. */
const read = (client_order_id: string, more: object = {}) => ({
  id: expect.any(Number) as number,
  client_order_id,
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: d('0.1'),
  quantity_cumulative: d('0'),
  price: d('40000'),
  price_average: d('0'),
  post_only: false,
  reduce_only: false,
  close_position: false,
  margin_mode: 'isolated',
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

describe('a margin order of the client', () => {
  test(
    'is posted with what was given and no more, and comes back with its trades',
    { tags: ['client:trading-v3.margin.post-order'] },
    async () => {
      const { rest, relay } = await funded();
      const order = { ...resting('taking-01'), price: d('50000'), strict_validate: true };
      expect(await rest.createMarginOrder(order)).toEqual(
        read('taking-01', {
          status: 'filled',
          quantity_cumulative: d('0.1'),
          price: d('50000'),
          price_average: d('50000'),
          position_id: 1,
          trades: [
            {
              id: expect.any(Number) as number,
              quantity: d('0.1'),
              price: d('50000'),
              fee: d('12.5'),
              taker: true,
              timestamp: OPENED,
              position_id: 1,
            },
          ],
        }),
      );
      expect(relay.sent).toEqual([
        `POST ${PATH}`,
        { ...resting('taking-01'), price: '50000', strict_validate: true },
      ]);
    },
  );

  test(
    'takes every parameter of the table, and none of spot',
    { tags: ['client:trading-v3.margin.post-order'] },
    async () => {
      const { rest, relay } = await funded();
      relay.answer(WIRE);
      const order = {
        ...resting('stopping-'),
        type: 'takeProfitLimit',
        time_in_force: 'GTD',
        stop_price: '41000',
        expire_time: OPENED,
        post_only: true,
        reduce_only: true,
        close_position: false,
        margin_mode: 'cross',
      } as const;
      await rest.createMarginOrder(order);
      const sent = [`POST ${PATH}`, { ...order, expire_time: '2026-01-05T10:00:00Z' }];
      expect(relay.sent).toEqual(sent);
      const before = relay.received.length;
      // @ts-expect-error fee rates are for spot orders alone
      const withRate = rest.createMarginOrder({ ...order, take_rate: '0.001' });
      await expect(withRate).rejects.toMatchObject({ code: 'request-invalid', field: 'take_rate' });
      expect(relay.received).toHaveLength(before);
    },
  );

  test(
    'has reduce_only, margin_mode and close_position, and its position in the history',
    { tags: ['client:trading-v3.margin.order-extra-fields'] },
    async () => {
      const { rest, floor } = await funded();
      await floor.done('PUT', '/margin/account/cross/USDT', { margin_balance: '10000' });
      const more = { margin_mode: 'cross' } as const;
      const opened = await rest.createMarginOrder({
        ...resting('opening--', more),
        price: '50000',
      });
      expect(opened).toMatchObject({ margin_mode: 'cross', reduce_only: false, status: 'filled' });
      const reducing = { ...resting('reducing-', more), side: 'sell', price: '60000' } as const;
      const order = await rest.createMarginOrder({ ...reducing, reduce_only: true });
      expect(order).toEqual(
        read('reducing-', {
          side: 'sell',
          price: d('60000'),
          margin_mode: 'cross',
          reduce_only: true,
        }),
      );
      const closing = { symbol: 'BTCUSDT', side: 'sell', ...more, close_position: true } as const;
      const stop = { ...closing, type: 'stopMarket', stop_price: '45000' } as const;
      expect(await rest.createMarginOrder(stop)).toMatchObject({
        close_position: true,
        stop_price: d('45000'),
      });
      const [past] = await rest.getMarginOrderHistory({ client_order_id: 'opening--' });
      expect(past).toMatchObject({ position_id: 1, margin_mode: 'cross' });
    },
  );

  test(
    'is asked for by its client order id',
    { tags: ['client:trading-v3.margin.get-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('resting-1'));
      expect(await rest.getMarginOrder({ client_order_id: 'resting-1' })).toEqual(
        read('resting-1'),
      );
      expect(relay.sent).toEqual([`GET ${PATH}/resting-1`]);
      await expect(rest.getMarginOrder({ client_order_id: 'another--' })).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 20002,
      });
    },
  );

  test(
    'is listed, of a symbol where one is given',
    { tags: ['client:trading-v3.margin.get-orders'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('of-bitcoin'));
      const ether = { symbol: 'ETHUSDT', price: '1000' };
      await rest.createMarginOrder(resting('of-ether-', ether));
      const shown = read('of-ether-', { symbol: 'ETHUSDT', price: d('1000') });
      expect(await rest.getMarginOrders()).toEqual([read('of-bitcoin'), shown]);
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(await rest.getMarginOrders({ symbol: 'ETHUSDT' })).toEqual([shown]);
      expect(relay.sent).toEqual([`GET ${PATH}?symbol=ETHUSDT`]);
    },
  );

  test(
    'is replaced by what is given',
    { tags: ['client:trading-v3.margin.patch-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('resting-1'));
      const change = { new_client_order_id: 'resting-2', quantity: '0.2', price: '41000.006' };
      expect(await rest.replaceMarginOrder({ client_order_id: 'resting-1', ...change })).toEqual(
        read('resting-2', {
          original_client_order_id: 'resting-1',
          quantity: d('0.2'),
          price: d('41000.01'),
        }),
      );
      expect(relay.sent).toEqual([`PATCH ${PATH}/resting-1`, change]);
      const stop = { type: 'stopLimit', stop_price: '60000', price: '60000' } as const;
      await rest.createMarginOrder({ ...resting('stopping-'), ...stop });
      const moved = { quantity: '0.1', price: '61000', stop_price: '61500', strict_validate: true };
      const after = await rest.replaceMarginOrder({ client_order_id: 'stopping-', ...moved });
      expect(after).toMatchObject({
        status: 'suspended',
        stop_price: d('61500'),
        price: d('61000'),
      });
      expect(relay.sent).toEqual([`PATCH ${PATH}/stopping-`, moved]);
    },
  );

  test(
    'is canceled by its client order id',
    { tags: ['client:trading-v3.margin.delete-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('resting-1'));
      const canceled = await rest.cancelMarginOrder({ client_order_id: 'resting-1' });
      expect(canceled).toEqual(read('resting-1', { status: 'canceled' }));
      expect(relay.sent).toEqual([`DELETE ${PATH}/resting-1`]);
      expect(await rest.getMarginOrders()).toEqual([]);
    },
  );

  test(
    'is canceled with all others, of a symbol where one is given',
    { tags: ['client:trading-v3.margin.delete-orders'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder(resting('of-bitcoin'));
      await rest.createMarginOrder(resting('of-ether-', { symbol: 'ETHUSDT', price: '1000' }));
      const ether = { symbol: 'ETHUSDT', price: d('1000'), status: 'canceled' };
      expect(await rest.cancelMarginOrders({ symbol: 'ETHUSDT' })).toEqual([
        read('of-ether-', ether),
      ]);
      expect(relay.sent).toEqual([`DELETE ${PATH}?symbol=ETHUSDT`]);
      expect(await rest.cancelMarginOrders()).toEqual([read('of-bitcoin', { status: 'canceled' })]);
      expect(relay.sent).toEqual([`DELETE ${PATH}`]);
    },
  );

  test(
    'is made with those that depend on it',
    { tags: ['client:trading-v3.margin.post-order-list'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createMarginOrder({ ...resting('opening--'), price: '50000' });
      const leg = { symbol: 'BTCUSDT', side: 'sell', quantity: '0.1' } as const;
      const profit = { ...leg, client_order_id: 'profit---', price: '60000' };
      const stop = { type: 'stopMarket', stop_price: '45000', reduce_only: true } as const;
      const list = {
        contingency_type: 'oneCancelOther',
        order_list_id: 'profit---',
        orders: [profit, { ...leg, ...stop, client_order_id: 'stopping-' }],
      } as const;
      const ofList = {
        side: 'sell',
        order_list_id: 'profit---',
        contingency_type: 'oneCancelOther',
      };
      const { price: _, ...stopping } = read('stopping-', ofList);
      expect(await rest.createMarginOrderList(list)).toEqual([
        read('profit---', { ...ofList, price: d('60000') }),
        {
          ...stopping,
          type: 'stopMarket',
          time_in_force: 'FOK',
          status: 'suspended',
          stop_price: d('45000'),
          reduce_only: true,
        },
      ]);
      expect(relay.sent).toEqual([`POST ${PATH}/list`, list]);
    },
  );
});

/** An order as another server of the family might write it. */
const WIRE = {
  id: '42',
  client_order_id: 'stopping-',
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'suspended',
  type: 'takeProfitLimit',
  time_in_force: 'GTD',
  quantity: '0.1000000000',
  quantity_cumulative: 0,
  price: 40000,
  stop_price: '41000.000',
  expire_time: '2026-01-06T10:00:00.1Z',
  price_average: null,
  order_list_id: null,
  created_at: '2026-01-05T10:00:00.12Z',
  updated_at: '2026-01-05T10:00:00.123456789Z',
  something_new: { of: 'a later version' },
};

test(
  'an order is read without what may be absent, with nulls, JSON numbers and times of any fraction',
  { tags: ['client:trading-v3.margin.get-orders'] },
  async () => {
    const { rest, relay } = await funded();
    relay.answer([WIRE]);
    expect(await rest.getMarginOrders()).toEqual([
      {
        id: 42,
        client_order_id: 'stopping-',
        symbol: 'BTCUSDT',
        side: 'buy',
        status: 'suspended',
        type: 'takeProfitLimit',
        time_in_force: 'GTD',
        quantity: d('0.1'),
        quantity_cumulative: d('0'),
        price: d('40000'),
        stop_price: d('41000'),
        expire_time: OPENED + 86_400_100_000,
        created_at: OPENED + 120_000,
        updated_at: OPENED + 123_456,
      },
    ]);
  },
);
