import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import { openHarness, type MarginHarness } from '../../../server/margin/harness.ts';
import { US_PER_MINUTE } from '../../../../src/platform/time.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const PERP = 'ETHUSDT_PERP';
const PATH = '/api/3/futures/order';
const HISTORY = '/api/3/futures/history';

/** A client with 5,000 on ETHUSDT_PERP at leverage 10, which is shown at 2,999 to 3,000. */
async function funded(): Promise<Subscriptions & { readonly floor: MarginHarness }> {
  const floor = await openHarness();
  floor.quote('2999.000', '3000.000', PERP);
  floor.derive('10000');
  await floor.fund('5000', PERP, { leverage: '10' });
  return { ...(await openSubscriptions(floor.venue)), floor };
}

const buy = (client_order_id: string, more: object = {}) => ({
  client_order_id,
  symbol: PERP,
  side: 'buy' as const,
  quantity: '1',
  price: '2000',
  ...more,
});

/** How a client reads an order that rests at 2,000. */
const read = (client_order_id: string, more: object = {}) => ({
  id: expect.any(Number) as number,
  client_order_id,
  symbol: PERP,
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: d('1'),
  quantity_cumulative: d('0'),
  price: d('2000'),
  price_average: d('0'),
  post_only: false,
  reduce_only: false,
  close_position: false,
  margin_mode: 'isolated',
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

const FILLED = {
  status: 'filled',
  price: d('3000'),
  price_average: d('3000'),
  quantity_cumulative: d('1'),
  position_id: 1,
};

describe('a futures order of the client', () => {
  test(
    'is posted with the parameters of margin, and comes back with its trades',
    { tags: ['client:trading-v3.futures.post-order'] },
    async () => {
      const { rest, relay } = await funded();
      const taking = { ...buy('taking-01'), price: '3000', margin_mode: 'isolated' } as const;
      expect(await rest.createFuturesOrder(taking)).toEqual(
        read('taking-01', {
          ...FILLED,
          trades: [
            {
              id: expect.any(Number) as number,
              quantity: d('1'),
              price: d('3000'),
              fee: d('2.1'),
              taker: true,
              timestamp: OPENED,
              position_id: 1,
            },
          ],
        }),
      );
      expect(relay.sent).toEqual([`POST ${PATH}`, taking]);
      const reducing = {
        ...buy('reducing-'),
        side: 'sell',
        price: '3100',
        reduce_only: true,
      } as const;
      expect(await rest.createFuturesOrder(reducing)).toEqual(
        read('reducing-', { side: 'sell', price: d('3100'), reduce_only: true }),
      );
      expect(relay.sent).toEqual([`POST ${PATH}`, reducing]);
    },
  );

  test(
    'takes every parameter of margin, and none of spot',
    { tags: ['client:trading-v3.futures.post-order'] },
    async () => {
      const { rest, relay } = await funded();
      const order = {
        ...buy('stopping-'),
        type: 'stopLimit',
        time_in_force: 'GTD',
        stop_price: '2100',
        expire_time: OPENED,
        strict_validate: true,
        post_only: true,
        reduce_only: false,
        close_position: false,
        margin_mode: 'cross',
      } as const;
      const times = { created_at: '2026-01-05T10:00:00Z', updated_at: '2026-01-05T10:00:00Z' };
      const wire = {
        ...read('stopping-'),
        id: 7,
        ...times,
        margin_mode: 'cross',
        status: 'suspended',
      };
      relay.answer({ ...wire, quantity_cumulative: '0.000' });
      expect(await rest.createFuturesOrder(order)).toEqual(
        read('stopping-', { id: 7, margin_mode: 'cross', status: 'suspended' }),
      );
      const sent = { ...order, expire_time: '2026-01-05T10:00:00Z' };
      expect(relay.sent).toEqual([`POST ${PATH}`, sent]);
      // @ts-expect-error fee rates are for spot orders alone
      const withRate = rest.createFuturesOrder({ ...order, make_rate: '0.001' });
      await expect(withRate).rejects.toMatchObject({ code: 'request-invalid', field: 'make_rate' });
    },
  );

  test(
    'is asked for by its client order id',
    { tags: ['client:trading-v3.futures.get-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('resting-1'));
      expect(await rest.getFuturesOrder({ client_order_id: 'resting-1' })).toEqual(
        read('resting-1'),
      );
      expect(relay.sent).toEqual([`GET ${PATH}/resting-1`]);
    },
  );

  test(
    'is listed, of a symbol where one is given',
    { tags: ['client:trading-v3.futures.get-orders'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('resting-1'));
      expect(await rest.getFuturesOrders()).toEqual([read('resting-1')]);
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(await rest.getFuturesOrders({ symbol: PERP })).toEqual([read('resting-1')]);
      expect(relay.sent).toEqual([`GET ${PATH}?symbol=${PERP}`]);
    },
  );

  test(
    'is replaced by what is given',
    { tags: ['client:trading-v3.futures.patch-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('resting-1'));
      const change = { new_client_order_id: 'resting-2', quantity: '2', price: '2100' };
      const after = { quantity: d('2'), price: d('2100') };
      expect(await rest.replaceFuturesOrder({ client_order_id: 'resting-1', ...change })).toEqual(
        read('resting-2', { original_client_order_id: 'resting-1', ...after }),
      );
      expect(relay.sent).toEqual([`PATCH ${PATH}/resting-1`, change]);
      const stop = { type: 'stopLimit', stop_price: '3100', price: '3100' } as const;
      await rest.createFuturesOrder({ ...buy('stopping-'), ...stop });
      const moved = { quantity: '1', price: '3200', stop_price: '3150', strict_validate: true };
      const waiting = await rest.replaceFuturesOrder({ client_order_id: 'stopping-', ...moved });
      expect(waiting).toMatchObject({
        status: 'suspended',
        stop_price: d('3150'),
        price: d('3200'),
      });
      expect(relay.sent).toEqual([`PATCH ${PATH}/stopping-`, moved]);
    },
  );

  test(
    'is canceled by its client order id',
    { tags: ['client:trading-v3.futures.delete-order'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('resting-1'));
      expect(await rest.cancelFuturesOrder({ client_order_id: 'resting-1' })).toEqual(
        read('resting-1', { status: 'canceled' }),
      );
      expect(relay.sent).toEqual([`DELETE ${PATH}/resting-1`]);
    },
  );

  test(
    'is canceled with all others, of a symbol where one is given',
    { tags: ['client:trading-v3.futures.delete-orders'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('resting-1'));
      await rest.createFuturesOrder(buy('resting-2', { price: '2001' }));
      expect(await rest.cancelFuturesOrders({ symbol: PERP })).toEqual([
        read('resting-1', { status: 'canceled' }),
        read('resting-2', { status: 'canceled', price: d('2001') }),
      ]);
      expect(relay.sent).toEqual([`DELETE ${PATH}?symbol=${PERP}`]);
      expect(await rest.cancelFuturesOrders()).toEqual([]);
      expect(relay.sent).toEqual([`DELETE ${PATH}`]);
    },
  );

  test(
    'is made with those that depend on it',
    { tags: ['client:trading-v3.futures.post-order-list'] },
    async () => {
      const { rest, relay } = await funded();
      const sell = { symbol: PERP, side: 'sell', quantity: '1', reduce_only: true } as const;
      const stop = { type: 'stopMarket', stop_price: '2700' } as const;
      const list = {
        contingency_type: 'oneTriggerOneCancelOther',
        order_list_id: 'opening--',
        orders: [
          { ...buy('opening--'), price: '3000' },
          { ...sell, client_order_id: 'profit---', price: '3300' },
          { ...sell, client_order_id: 'stopping-', ...stop },
        ],
      } as const;
      const { price: _, ...stopping } = read('stopping-', { side: 'sell', reduce_only: true });
      const ofList = { order_list_id: 'opening--', contingency_type: list.contingency_type };
      expect(await rest.createFuturesOrderList(list)).toEqual([
        { ...read('opening--', FILLED), ...ofList },
        { ...read('profit---', { side: 'sell', reduce_only: true, price: d('3300') }), ...ofList },
        {
          ...stopping,
          ...ofList,
          type: 'stopMarket',
          time_in_force: 'FOK',
          status: 'suspended',
          stop_price: d('2700'),
        },
      ]);
      expect(relay.sent).toEqual([`POST ${PATH}/list`, list]);
    },
  );
});

describe('what the client reads of past futures orders', () => {
  test(
    'orders come by the filters of spot',
    { tags: ['client:trading-v3.futures.get-history-orders'] },
    async () => {
      const { rest, relay, floor } = await funded();
      await rest.createFuturesOrder(buy('order-001', { price: '3000' }));
      floor.venue.pass(US_PER_MINUTE);
      await rest.createFuturesOrder(buy('order-002'));
      const first = read('order-001', FILLED);
      const times = { created_at: OPENED + US_PER_MINUTE, updated_at: OPENED + US_PER_MINUTE };
      expect(await rest.getFuturesOrderHistory()).toEqual([read('order-002', times), first]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order`]);
      const asked = { symbol: [PERP], sort: 'ASC', limit: 1, offset: 0 } as const;
      expect(await rest.getFuturesOrderHistory(asked)).toEqual([first]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?symbol=${PERP}&sort=ASC&limit=1&offset=0`]);
      expect(await rest.getFuturesOrderHistory({ client_order_id: 'order-001' })).toEqual([first]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?client_order_id=order-001`]);
      const bound = { kind: 'number', value: 1 } as const;
      const byId = await rest.getFuturesOrderHistory({ by: 'id', from: bound, till: bound });
      expect(byId).toEqual([first]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?by=id&from=1&till=1`]);
      const till = { kind: 'time', at: OPENED } as const;
      expect(await rest.getFuturesOrderHistory({ till })).toEqual([first]);
      expect(relay.sent).toEqual([
        `GET ${HISTORY}/order?till=${encodeURIComponent('2026-01-05T10:00:00Z')}`,
      ]);
    },
  );

  test(
    'trades say what they did to their position',
    { tags: ['client:trading-v3.futures.get-history-trades'] },
    async () => {
      const { rest, relay } = await funded();
      await rest.createFuturesOrder(buy('opening--', { price: '3000' }));
      const closing = await rest.createFuturesOrder(
        buy('closing--', { side: 'sell', price: '2999' }),
      );
      const trade = {
        id: closing.trades?.[0]?.id,
        order_id: closing.id,
        client_order_id: 'closing--',
        symbol: PERP,
        side: 'sell',
        quantity: d('1'),
        price: d('2999'),
        fee: d('2.0993'),
        timestamp: OPENED,
        margin_mode: 'isolated',
        taker: true,
        position_id: 1,
        pnl: d('-1'),
        liquidation: false,
      };
      expect(await rest.getFuturesTradeHistory({ order_id: closing.id })).toEqual([trade]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/trade?order_id=${closing.id}`]);
    },
  );
});
