import { describe, expect, test } from 'vitest';
import { OPENED, openVenue, type TestVenue } from '../../../server/kit.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { at, d } from '../kit/values.ts';

const PATH = '/api/2/order';
const ID = 'order-0001';

interface Market extends SubscriptionsV2 {
  readonly venue: TestVenue;
  /** Whoever `demo` trades with. */
  readonly other: SubscriptionsV2['rest'];
}

async function open(): Promise<Market> {
  const venue = await openVenue();
  const { rest: other } = await openSubscriptionsV2(venue, 'other');
  return { ...(await openSubscriptionsV2(venue)), venue, other };
}

const buy = (clientOrderId = ID, more: object = {}) => ({
  clientOrderId,
  symbol: 'ETHBTC',
  side: 'buy' as const,
  quantity: '1',
  price: '0.05',
  ...more,
});

/** How a client reads a resting order. */
const read = (clientOrderId = ID, more: object = {}) => ({
  id: expect.any(Number) as number,
  clientOrderId,
  symbol: 'ETHBTC',
  side: 'buy',
  status: 'new',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: d('1'),
  price: d('0.05'),
  cumQuantity: d('0'),
  postOnly: false,
  createdAt: OPENED,
  updatedAt: OPENED,
  ...more,
});

/** What the numbers of a stop order are read as. */
const NUMBERS = { quantity: d('1'), price: d('0.05'), stopPrice: d('0.06') };

describe('an order of the client of version 2', () => {
  test(
    'is posted with what was given and no more',
    { tags: ['client:trading-v2.spot.post-order', 'client:trading-v2.spot.order-core-fields'] },
    async () => {
      const { rest, relay } = await open();
      expect(await rest.createOrder(buy())).toEqual(read());
      expect(relay.sent).toEqual([`POST ${PATH}`, buy()]);
      const full = {
        ...buy('order-0002'),
        type: 'stopLimit',
        timeInForce: 'GTD',
        expireTime: at('2026-01-06T00:00:00Z'),
        quantity: d('1.00006'),
        price: '0.0500005',
        stopPrice: '0.06',
        strictValidate: false,
        postOnly: true,
      } as const;
      expect(await rest.createOrder(full)).toEqual(
        read('order-0002', {
          status: 'suspended',
          type: 'stopLimit',
          timeInForce: 'GTD',
          expireTime: at('2026-01-06T00:00:00Z'),
          quantity: d('1.0001'),
          stopPrice: d('0.06'),
          postOnly: true,
        }),
      );
      const sent = { ...full, quantity: '1.00006', expireTime: '2026-01-06T00:00:00Z' };
      expect(relay.sent).toEqual([`POST ${PATH}`, sent]);
      const before = relay.received.length;
      // @ts-expect-error a price is no JSON number, which may not be exact
      const inexact = rest.createOrder({ ...buy(), price: 0.05 });
      await expect(inexact).rejects.toMatchObject({ code: 'request-invalid', field: 'price' });
      const short = rest.createOrder(buy('short'));
      await expect(short).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'clientOrderId',
      });
      expect(relay.received).toHaveLength(before);
    },
  );

  test(
    'has its trades, and is read where an id is text and what is optional is missing or null',
    { tags: ['client:trading-v2.spot.order-more-fields'] },
    async () => {
      const { rest, relay, other } = await open();
      await other.createOrder({ ...buy(), side: 'sell', quantity: '0.5' });
      const taken = await rest.createOrder(buy());
      const trade = { quantity: d('0.5'), price: d('0.05'), fee: d('0.00005'), timestamp: OPENED };
      expect(taken).toEqual(
        read(ID, {
          status: 'partiallyFilled',
          cumQuantity: d('0.5'),
          tradesReport: [{ id: expect.any(Number) as number, ...trade }],
        }),
      );
      relay.answer([
        {
          ...read(),
          id: '828680665',
          quantity: '1.0000',
          price: null,
          stopPrice: null,
          cumQuantity: '0.0000',
          postOnly: undefined,
          createdAt: '2026-01-05T10:00:00.000Z',
          updatedAt: '2026-01-05T10:00:00Z',
        },
      ]);
      const { price: _, postOnly: __, ...bare } = read();
      expect(await rest.getOrders()).toEqual([{ ...bare, id: 828_680_665 }]);
    },
  );

  test(
    'is put under the id of the path',
    { tags: ['client:trading-v2.spot.put-order'] },
    async () => {
      const { rest, relay } = await open();
      const { clientOrderId, ...order } = buy();
      expect(await rest.createOrderAtId({ clientOrderId, ...order })).toEqual(read());
      expect(relay.sent).toEqual([`PUT ${PATH}/${ID}`, order]);
      const full = {
        ...order,
        type: 'stopLimit',
        timeInForce: 'GTD',
        expireTime: at('2026-01-06T00:00:00Z'),
        stopPrice: '0.06',
        strictValidate: true,
        postOnly: true,
      } as const;
      expect(await rest.createOrderAtId({ clientOrderId: 'order-0002', ...full })).toEqual(
        read('order-0002', { ...full, status: 'suspended', ...NUMBERS, strictValidate: undefined }),
      );
      const sent = { ...full, expireTime: '2026-01-06T00:00:00Z' };
      expect(relay.sent).toEqual([`PUT ${PATH}/order-0002`, sent]);
    },
  );

  test(
    'is replaced by what is given',
    { tags: ['client:trading-v2.spot.patch-order'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createOrder(buy());
      const change = { quantity: '2', price: '0.0460165', requestClientId: 'order-0002' };
      expect(await rest.replaceOrder({ clientOrderId: ID, ...change })).toEqual(
        read('order-0002', { quantity: d('2'), price: d('0.046016') }),
      );
      expect(relay.sent).toEqual([`PATCH ${PATH}/${ID}`, change]);
      const strict = { ...change, requestClientId: 'order-0003', strictValidate: true };
      await expect(
        rest.replaceOrder({ clientOrderId: 'order-0002', ...strict }),
      ).rejects.toMatchObject({
        serviceCode: 2022,
      });
      expect(relay.sent).toEqual([`PATCH ${PATH}/order-0002`, strict]);
      await rest.createOrder(buy('stopping-', { type: 'stopLimit', stopPrice: '0.06' }));
      const moved = { quantity: '1', price: '0.05', stopPrice: '0.07' };
      const after = await rest.replaceOrder({ clientOrderId: 'stopping-', ...moved });
      expect(after).toMatchObject({ status: 'suspended', stopPrice: d('0.07') });
      expect(relay.sent).toEqual([`PATCH ${PATH}/stopping-`, moved]);
    },
  );

  test(
    'is listed while it is active, of a symbol where one is given',
    { tags: ['client:trading-v2.spot.get-orders'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createOrder(buy());
      await rest.createOrder(buy('order-0002', { symbol: 'ETHUSDT' }));
      const second = read('order-0002', { symbol: 'ETHUSDT' });
      expect(await rest.getOrders()).toEqual([read(), second]);
      expect(relay.sent).toEqual([`GET ${PATH}`]);
      expect(await rest.getOrders({ symbol: 'ethusdt' })).toEqual([second]);
      expect(relay.sent).toEqual([`GET ${PATH}?symbol=ethusdt`]);
    },
  );

  test(
    'is asked for, and waited for until it ends',
    { tags: ['client:trading-v2.spot.get-order'] },
    async () => {
      const { rest, relay, venue, other } = await open();
      await rest.createOrder(buy());
      expect(await rest.getOrder({ clientOrderId: ID })).toEqual(read());
      expect(relay.sent).toEqual([`GET ${PATH}/${ID}`]);
      const waiting = rest.getOrder({ clientOrderId: ID, wait: 60_000 });
      await expect.poll(() => venue.trading.closing.size, { timeout: 20_000 }).toBe(1);
      await other.createOrder({ ...buy('order-0002'), side: 'sell' });
      expect(await waiting).toMatchObject({ status: 'filled', cumQuantity: d('1') });
      expect(relay.sent).toEqual([`GET ${PATH}/${ID}?wait=60000`]);
      const tooLong = rest.getOrder({ clientOrderId: ID, wait: 60_001 });
      await expect(tooLong).rejects.toMatchObject({ code: 'request-invalid', field: 'wait' });
    },
  );

  test(
    'is canceled; one that is absent is refused with 20002',
    { tags: ['client:trading-v2.spot.delete-order'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createOrder(buy());
      const canceled = await rest.cancelOrder({ clientOrderId: ID });
      expect(canceled).toEqual(read(ID, { status: 'canceled' }));
      expect(relay.sent).toEqual([`DELETE ${PATH}/${ID}`]);
      await expect(rest.cancelOrder({ clientOrderId: ID })).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 20002,
      });
    },
  );

  test(
    'is canceled with all others, of a symbol where one is given',
    { tags: ['client:trading-v2.spot.delete-orders'] },
    async () => {
      const { rest, relay } = await open();
      await rest.createOrder(buy());
      await rest.createOrder(buy('order-0002', { symbol: 'ETHUSDT' }));
      const canceled = { status: 'canceled' };
      expect(await rest.cancelOrders({ symbol: 'ETHUSDT' })).toEqual([
        read('order-0002', { symbol: 'ETHUSDT', ...canceled }),
      ]);
      expect(relay.sent).toEqual([`DELETE ${PATH}?symbol=ETHUSDT`]);
      expect(await rest.cancelOrders()).toEqual([read(ID, canceled)]);
      expect(relay.sent).toEqual([`DELETE ${PATH}`]);
    },
  );
});

describe('what the client of version 2 reads of the past', () => {
  const HISTORY = '/api/2/history';

  /** An order that executed in two parts, a second apart. */
  async function traded(): Promise<Market> {
    const market = await open();
    await market.rest.createOrder(buy());
    for (const quantity of ['0.25', '0.75']) {
      market.venue.pass(1_000_000);
      await market.other.createOrder({
        symbol: 'ETHBTC',
        side: 'sell',
        price: '0.05',
        quantity,
      });
    }
    return market;
  }

  const trade = (quantity: string, fee: string, seconds: number) => ({
    id: expect.any(Number) as number,
    orderId: 1,
    clientOrderId: ID,
    symbol: 'ETHBTC',
    side: 'buy',
    quantity: d(quantity),
    price: d('0.05'),
    fee: d(fee),
    timestamp: OPENED + seconds * 1_000_000,
  });
  const FIRST = trade('0.25', '0.0000125', 1);
  const SECOND = trade('0.75', '0.0000375', 2);

  test(
    'orders come with their average price',
    { tags: ['client:trading-v2.spot.get-history-orders'] },
    async () => {
      const { rest, relay } = await traded();
      const past = read(ID, {
        status: 'filled',
        cumQuantity: d('1'),
        avgPrice: d('0.05'),
        updatedAt: OPENED + 2_000_000,
      });
      expect(await rest.getOrderHistory()).toEqual([past]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order`]);
      const page = { symbol: 'ETHBTC', from: OPENED, till: OPENED, limit: 5, offset: 0 };
      expect(await rest.getOrderHistory(page)).toEqual([past]);
      const time = encodeURIComponent('2026-01-05T10:00:00Z');
      expect(relay.sent).toEqual([
        `GET ${HISTORY}/order?symbol=ETHBTC&from=${time}&till=${time}&limit=5&offset=0`,
      ]);
      expect(await rest.getOrderHistory({ clientOrderId: ID })).toEqual([past]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order?clientOrderId=${ID}`]);
    },
  );

  test(
    'trades come by the parameters that are given',
    { tags: ['client:trading-v2.spot.get-history-trades'] },
    async () => {
      const { rest, relay } = await traded();
      expect(await rest.getTradeHistory()).toEqual([SECOND, FIRST]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/trades`]);
      const time = (seconds: number) =>
        ({ kind: 'time', at: (OPENED + seconds * 1_000_000) as typeof OPENED }) as const;
      const page = {
        symbol: 'ETHBTC',
        sort: 'ASC',
        limit: 1,
        offset: 0,
        margin: 'ignore',
      } as const;
      const asked = { ...page, by: 'timestamp', from: time(1), till: time(2) } as const;
      expect(await rest.getTradeHistory(asked)).toEqual([FIRST]);
      const { searchParams } = new URL(`http://x${String(relay.sent[0]).slice(4)}`);
      expect(Object.fromEntries(searchParams)).toEqual({
        symbol: 'ETHBTC',
        sort: 'ASC',
        limit: '1',
        offset: '0',
        margin: 'ignore',
        by: 'timestamp',
        from: '2026-01-05T10:00:01Z',
        till: '2026-01-05T10:00:02Z',
      });
      expect(await rest.getTradeHistory({ margin: 'only' })).toEqual([]);
      const { id, ...rest_ } = { ...SECOND, id: 7, fee: '-0.0000100', quantity: '0.7500' };
      const wire = { ...rest_, id: String(id), price: '0.050000', orderId: '1' };
      relay.answer([{ ...wire, timestamp: '2026-01-05T10:00:02Z', liquidation: true }]);
      expect(await rest.getTradeHistory()).toEqual([
        { ...SECOND, id: 7, fee: d('-0.00001'), liquidation: true },
      ]);
    },
  );

  test(
    'trades of one order come by its number',
    { tags: ['client:trading-v2.spot.get-history-order-trades'] },
    async () => {
      const { rest, relay } = await traded();
      expect(await rest.getTradesOfOrder({ orderId: '1' })).toEqual([FIRST, SECOND]);
      expect(relay.sent).toEqual([`GET ${HISTORY}/order/1/trades`]);
    },
  );

  test('the fee rates of a symbol', { tags: ['client:trading-v2.spot.get-fee'] }, async () => {
    const { rest, relay } = await open();
    expect(await rest.getFee({ symbol: 'ETHBTC' })).toEqual({
      takeLiquidityRate: d('0.002'),
      provideLiquidityRate: d('0.001'),
    });
    expect(relay.sent).toEqual(['GET /api/2/trading/fee/ETHBTC']);
    relay.answer({ takeLiquidityRate: '0.0010', provideLiquidityRate: '-0.0001' });
    expect(await rest.getFee({ symbol: 'ETHBTC' })).toEqual({
      takeLiquidityRate: d('0.001'),
      provideLiquidityRate: d('-0.0001'),
    });
  });
});
