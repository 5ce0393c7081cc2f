import { describe, expect, test } from 'vitest';
import { openVenue, type TestVenue } from '../../../server/kit.ts';
import { MarketHarness } from '../../../server/market/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { openRelay } from '../kit/relay.ts';
import { at, d, shown } from '../kit/values.ts';
import { clientOf } from './client-of.ts';

const OPENED = at('2026-01-05T10:00:00Z');
const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.5', price: '100' } as const;

/** An order of these tests as it is read back. */
const resting = (id: string, more: object = {}) => ({
  id: expect.any(Number) as number,
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '0.5',
  quantity_cumulative: '0',
  price: '100',
  price_average: '0',
  post_only: false,
  created_at: OPENED,
  updated_at: OPENED,
  ...more,
});

interface Open extends Subscriptions {
  readonly venue: TestVenue;
  readonly floor: MarketHarness;
}

async function open(): Promise<Open> {
  const venue = await openVenue();
  return { ...(await openSubscriptions(venue)), venue, floor: new MarketHarness(venue) };
}

describe('balances and fees', () => {
  test(
    'all balances, each with its currency',
    { tags: ['client:trading-v3.spot.get-balances'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createSpotOrder(ORDER);
      const balances = await rest.getSpotBalances();
      expect(relay.sent).toEqual(['GET /api/3/spot/balance']);
      expect(shown(balances.find(({ currency }) => currency === 'USDT'))).toEqual({
        currency: 'USDT',
        available: '999949.875',
        reserved: '50.125',
        reserved_margin: '0',
        cross_margin_reserved: '0',
      });
    },
  );

  test(
    'one balance, without its currency',
    { tags: ['client:trading-v3.spot.get-balance'] },
    async () => {
      const { rest, relay } = await open();
      expect(shown(await rest.getSpotBalance({ currency: 'BTC' }))).toEqual({
        available: '100',
        reserved: '0',
        reserved_margin: '0',
        cross_margin_reserved: '0',
      });
      expect(relay.sent).toEqual(['GET /api/3/spot/balance/BTC']);
    },
  );

  test('all fee rates', { tags: ['client:trading-v3.spot.get-fees'] }, async () => {
    const { rest, relay } = await open();
    const fees = await rest.getSpotFees();
    expect(relay.sent).toEqual(['GET /api/3/spot/fee']);
    expect(shown(fees.find(({ symbol }) => symbol === 'BTCUSDT'))).toEqual({
      symbol: 'BTCUSDT',
      take_rate: '0.0025',
      make_rate: '0.0012',
    });
  });

  test('the fee rates of a symbol', { tags: ['client:trading-v3.spot.get-fee'] }, async () => {
    const { rest, relay } = await open();
    const fee = await rest.getSpotFee({ symbol: 'ETHBTC' });
    expect(shown(fee)).toEqual({ take_rate: '0.002', make_rate: '0.001' });
    expect(relay.sent).toEqual(['GET /api/3/spot/fee/ETHBTC']);
  });
});

describe('orders', () => {
  test(
    'are placed with all that they may have, and read back',
    { tags: ['client:trading-v3.spot.post-order', 'client:trading-v3.spot.order-record'] },
    async () => {
      const { rest, relay } = await open();
      const order = {
        ...ORDER,
        client_order_id: 'of-desk-1',
        type: 'stopLimit',
        time_in_force: 'GTD',
        stop_price: '90.5',
        expire_time: at('2026-01-06T00:00:00Z'),
        strict_validate: true,
        post_only: true,
        take_rate: '0.003',
        make_rate: '0.002',
      } as const;
      const placed = await rest.createSpotOrder(order);
      expect(relay.sent).toEqual([
        'POST /api/3/spot/order',
        { ...order, expire_time: '2026-01-06T00:00:00Z' },
      ]);
      expect(shown(placed)).toEqual(
        resting('of-desk-1', {
          type: 'stopLimit',
          status: 'suspended',
          time_in_force: 'GTD',
          stop_price: '90.5',
          expire_time: at('2026-01-06T00:00:00Z'),
          post_only: true,
        }),
      );
    },
  );

  test(
    'active ones, of a symbol too',
    { tags: ['client:trading-v3.spot.get-orders'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-1' });
      const other = { ...ORDER, symbol: 'ETHBTC', price: '0.01', client_order_id: 'of-desk-2' };
      await rest.createSpotOrder(other);
      const all = await rest.getSpotOrders();
      expect(all.map((order) => order.client_order_id).sort()).toEqual(['of-desk-1', 'of-desk-2']);
      expect(shown(await rest.getSpotOrders({ symbol: 'BTCUSDT' }))).toEqual([
        resting('of-desk-1'),
      ]);
      expect(relay.sent).toEqual(['GET /api/3/spot/order?symbol=BTCUSDT']);
    },
  );

  test('one by its name', { tags: ['client:trading-v3.spot.get-order'] }, async () => {
    const { rest, relay } = await open();
    await rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-1' });
    const order = await rest.getSpotOrder({ client_order_id: 'of-desk-1' });
    expect(shown(order)).toEqual(resting('of-desk-1'));
    expect(relay.sent).toEqual(['GET /api/3/spot/order/of-desk-1']);
  });

  test(
    'one that is not active is reported as 20002',
    { tags: ['client:trading-v3.spot.get-order-unknown'] },
    async () => {
      const { rest } = await open();
      await expect(rest.getSpotOrder({ client_order_id: 'nobody-s' })).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 20_002,
      });
    },
  );

  test('are replaced', { tags: ['client:trading-v3.spot.patch-order'] }, async () => {
    const { rest, relay } = await open();
    await rest.createSpotOrder({
      ...ORDER,
      client_order_id: 'of-desk-1',
      type: 'stopLimit',
      stop_price: '120',
    });
    const change = { new_client_order_id: 'of-desk-2', quantity: '0.7', price: '101' };
    const terms = { ...change, stop_price: '121', strict_validate: true };
    const replaced = await rest.replaceSpotOrder({ client_order_id: 'of-desk-1', ...terms });
    expect(relay.sent).toEqual(['PATCH /api/3/spot/order/of-desk-1', terms]);
    expect(shown(replaced)).toMatchObject({
      client_order_id: 'of-desk-2',
      original_client_order_id: 'of-desk-1',
      quantity: '0.7',
      price: '101',
      stop_price: '121',
    });
  });

  test('are canceled one by one', { tags: ['client:trading-v3.spot.delete-order'] }, async () => {
    const { rest, relay } = await open();
    await rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-1' });
    const canceled = await rest.cancelSpotOrder({ client_order_id: 'of-desk-1' });
    expect(shown(canceled)).toEqual(resting('of-desk-1', { status: 'canceled' }));
    expect(relay.sent).toEqual(['DELETE /api/3/spot/order/of-desk-1']);
    await expect(rest.cancelSpotOrder({ client_order_id: 'of-desk-1' })).rejects.toMatchObject({
      serviceCode: 20_002,
      httpStatus: 400,
    });
  });

  test(
    'are canceled all at once, of a symbol too',
    { tags: ['client:trading-v3.spot.delete-orders'] },
    async () => {
      const { rest, relay } = await open();
      for (const [id, symbol, price] of [
        ['of-desk-1', 'BTCUSDT', '100'],
        ['of-desk-2', 'ETHBTC', '0.01'],
        ['of-desk-3', 'ETHBTC', '0.02'],
      ] as const) {
        await rest.createSpotOrder({ ...ORDER, symbol, price, client_order_id: id });
      }
      const some = await rest.cancelSpotOrders({ symbol: 'BTCUSDT' });
      expect(relay.sent).toEqual(['DELETE /api/3/spot/order?symbol=BTCUSDT']);
      expect(shown(some)).toEqual([resting('of-desk-1', { status: 'canceled' })]);
      const rest2 = await rest.cancelSpotOrders();
      expect(relay.sent).toEqual(['DELETE /api/3/spot/order']);
      expect(rest2.map(({ client_order_id: id, status }) => [id, status])).toEqual([
        ['of-desk-2', 'canceled'],
        ['of-desk-3', 'canceled'],
      ]);
    },
  );

  test(
    'have the trades that they made at once',
    { tags: ['client:trading-v3.spot.order-trades', 'client:trading-v3.spot.trade-taker'] },
    async () => {
      const { rest, floor } = await open();
      floor.order('other', 'BTCUSDT', 'sell', '99.50', '0.2');
      const { trades, ...order } = await rest.createSpotOrder(ORDER);
      expect(shown(order)).toMatchObject({ quantity_cumulative: '0.2', price_average: '99.5' });
      expect(shown(trades)).toEqual([
        {
          id: expect.any(Number) as number,
          quantity: '0.2',
          price: '99.5',
          fee: '0.04975',
          taker: true,
          timestamp: OPENED,
        },
      ]);
      const [resting] = await rest.getSpotOrders();
      expect(resting?.trades).toBeUndefined();
    },
  );

  test(
    'a trade of an order that waited is not one of a taker',
    { tags: ['client:trading-v3.spot.trade-taker'] },
    async () => {
      const { rest, floor } = await open();
      await rest.createSpotOrder(ORDER);
      floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.5');
      const [trade] = await rest.getSpotTradeHistory();
      expect([trade?.taker, trade?.fee.toFixed()]).toEqual([false, '0.06']);
    },
  );

  const BARE = {
    id: 7,
    client_order_id: 'of-desk-1',
    symbol: 'X',
    side: 'buy',
    status: 'new',
    type: 'limit',
    time_in_force: 'GTC',
    quantity: '1',
    quantity_cumulative: '0',
    created_at: '2026-01-05T10:00:00Z',
    updated_at: '2026-01-05T10:00:00Z',
  };

  test(
    'may lack all that is optional',
    { tags: ['client:trading-v3.spot.order-optional-fields'] },
    async () => {
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      relay.answer(BARE);
      expect(shown(await rest.getSpotOrder({ client_order_id: 'of-desk-1' }))).toEqual({
        ...BARE,
        created_at: OPENED,
        updated_at: OPENED,
      });
    },
  );

  test(
    'a negative fee is read as the rebate that it is',
    { tags: ['client:trading-v3.spot.trade-fee-negative'] },
    async () => {
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      const trade = { id: 1, quantity: '1', price: '2', taker: false };
      const trades = [{ ...trade, fee: '-0.000200000000', timestamp: '2026-01-05T10:00:00Z' }];
      relay.answer({ ...BARE, trades });
      const order = await rest.getSpotOrder({ client_order_id: 'of-desk-1' });
      expect(order.trades?.map(({ fee }) => fee)).toEqual([d('-0.0002')]);
    },
  );
});

describe('what was', () => {
  async function traded(): Promise<Open> {
    const subscriptions = await open();
    subscriptions.floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.5');
    await subscriptions.rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-1' });
    subscriptions.venue.pass(1_000_000);
    await subscriptions.rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-2' });
    return subscriptions;
  }

  test(
    'orders, by page and by name',
    { tags: ['client:trading-v3.spot.get-history-orders'] },
    async () => {
      const { rest, relay } = await traded();
      const page = { symbol: ['BTCUSDT'], sort: 'ASC', limit: 5, offset: 0 } as const;
      const bounds = {
        from: { kind: 'time', at: OPENED },
        till: { kind: 'time', at: OPENED },
      } as const;
      const orders = await rest.getSpotOrderHistory({ ...page, by: 'timestamp', ...bounds });
      const from = '2026-01-05T10%3A00%3A00Z';
      expect(relay.sent).toEqual([
        `GET /api/3/spot/history/order?symbol=BTCUSDT&sort=ASC&limit=5&offset=0&by=timestamp&from=${from}&till=${from}`,
      ]);
      expect(shown(orders)).toEqual([
        resting('of-desk-1', {
          status: 'filled',
          quantity_cumulative: '0.5',
          price_average: '100',
        }),
      ]);
      const [named, ...more] = await rest.getSpotOrderHistory({ client_order_id: 'of-desk-2' });
      expect([named?.client_order_id, more]).toEqual(['of-desk-2', []]);
      expect((await rest.getSpotOrderHistory({ symbols: ['ETHBTC'] })).length).toBe(0);
    },
  );

  test('trades of an order', { tags: ['client:trading-v3.spot.get-history-trades'] }, async () => {
    const { rest, relay } = await traded();
    const [order] = await rest.getSpotOrderHistory({ client_order_id: 'of-desk-1' });
    const id = order?.id ?? -1;
    const page = { symbol: ['BTCUSDT'], sort: 'DESC', limit: 5, offset: 0, by: 'id' } as const;
    const from = { kind: 'number', value: 0 } as const;
    const trades = await rest.getSpotTradeHistory({ order_id: id, ...page, from });
    expect(relay.sent).toEqual([
      `GET /api/3/spot/history/trade?order_id=${id}&symbol=BTCUSDT&sort=DESC&limit=5&offset=0&by=id&from=0`,
    ]);
    expect(shown(trades)).toEqual([
      {
        id: expect.any(Number) as number,
        order_id: id,
        client_order_id: 'of-desk-1',
        symbol: 'BTCUSDT',
        side: 'buy',
        quantity: '0.5',
        price: '100',
        fee: '0.125',
        timestamp: OPENED,
        taker: true,
      },
    ]);
  });
});
