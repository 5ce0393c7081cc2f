import { describe, expect, test } from 'vitest';
import { SpotTrader, openMarket, type Body, type Market, type Rejected } from './harness.ts';

const ID = 'order-0001';
const NOW = '2026-01-05T10:00:00Z';
const DEFAULT = { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.05' } as const;
const MARKET = { type: 'market', price: undefined } as const;

/** A member who trades by version 2. */
class Desk2 extends SpotTrader {
  constructor(methods: SpotTrader) {
    super(methods.venue, methods.as, '/api/2');
  }

  override order(order: Body = {}): Promise<Body> {
    return this.done('POST', '/order', { ...DEFAULT, ...order });
  }

  override orderRejected(order: Body): Promise<Rejected> {
    return this.rejected('POST', '/order', { ...DEFAULT, ...order });
  }

  override cancel(id: string): Promise<Body> {
    return this.done('DELETE', `/order/${id}`);
  }
}

const open = async (): Promise<Market & { readonly demo: Desk2; readonly other: Desk2 }> => {
  const market = await openMarket();
  return { ...market, demo: new Desk2(market.demo), other: new Desk2(market.other) };
};

describe('an order of version 2', () => {
  test(
    'is answered with all its members',
    {
      tags: [
        'server:trading-v2.spot.post-order',
        'server:trading-v2.spot.order-core-fields',
        'server:trading-v2.spot.order-more-fields',
      ],
    },
    async () => {
      const { demo } = await open();
      const order = {
        clientOrderId: ID,
        type: 'stopLimit',
        timeInForce: 'GTD',
        expireTime: '2026-01-06T00:00:00.000Z',
        quantity: '1.00006',
        price: '0.0500005',
        stopPrice: '0.06',
        strictValidate: false,
        postOnly: true,
      };
      expect(await demo.order(order)).toEqual({
        id: 1,
        clientOrderId: ID,
        symbol: 'ETHBTC',
        side: 'buy',
        status: 'suspended',
        type: 'stopLimit',
        timeInForce: 'GTD',
        quantity: '1.0001',
        price: '0.050000',
        cumQuantity: '0.0000',
        postOnly: true,
        stopPrice: '0.060000',
        expireTime: '2026-01-06T00:00:00Z',
        createdAt: NOW,
        updatedAt: NOW,
      });
    },
  );

  test(
    'is a limit order, GTC, with an id that is made, where nothing is said',
    { tags: ['server:trading-v2.spot.post-order'] },
    async () => {
      const { demo } = await open();
      const order = await demo.order();
      expect(order).toMatchObject({ type: 'limit', timeInForce: 'GTC', status: 'new' });
      expect(order['clientOrderId']).toMatch(/^[A-Za-z0-9_-]{32}$/);
    },
  );

  test(
    'may come as a form and with the symbol in small letters, and is refused off the grid with strictValidate',
    { tags: ['server:trading-v2.spot.post-order'] },
    async () => {
      const { venue, demo } = await open();
      const form = {
        symbol: 'ethbtc',
        side: 'sell',
        quantity: '1',
        price: '0.07',
        postOnly: 'true',
      };
      const answer = await venue.call('POST', '/api/2/order', { as: 'demo', form });
      expect(answer).toMatchObject({ status: 200, body: { symbol: 'ETHBTC', postOnly: true } });
      const off = { price: '0.0500001', strictValidate: true };
      expect(await demo.orderRejected(off)).toMatchObject({ status: 400, code: 2022 });
    },
  );

  test(
    'that fills at once has its trades',
    { tags: ['server:trading-v2.spot.order-more-fields'] },
    async () => {
      const { demo, other } = await open();
      await other.order({ side: 'sell', quantity: '0.5' });
      const order = await demo.order();
      expect(order).toMatchObject({ status: 'partiallyFilled', cumQuantity: '0.5000' });
      expect(order['tradesReport']).toEqual([
        { id: 1, quantity: '0.5000', price: '0.050000', fee: '0.000050000000', timestamp: NOW },
      ]);
    },
  );

  test('at the market takes what is there and expires with what is left, as it cannot rest', async () => {
    const { demo, other } = await open();
    await other.order({ side: 'sell', quantity: '0.4' });
    expect(await demo.order(MARKET)).toMatchObject({
      status: 'expired',
      timeInForce: 'IOC',
      cumQuantity: '0.4000',
    });
    expect(await demo.order({ ...MARKET, timeInForce: 'FOK' })).toMatchObject({
      status: 'expired',
      timeInForce: 'FOK',
    });
  });

  test(
    'is placed under the id of the path',
    { tags: ['server:trading-v2.spot.put-order'] },
    async () => {
      const { demo } = await open();
      expect(await demo.done('PUT', `/order/${ID}`, DEFAULT)).toMatchObject({
        clientOrderId: ID,
        status: 'new',
      });
      expect(await demo.rejected('PUT', '/order/short', DEFAULT)).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );

  test('is replaced', { tags: ['server:trading-v2.spot.patch-order'] }, async () => {
    const { demo } = await open();
    await demo.order({ clientOrderId: ID });
    const change = { quantity: '2', price: '0.0460165', requestClientId: 'order-0002' };
    const strict = { ...change, strictValidate: true };
    expect(await demo.rejected('PATCH', `/order/${ID}`, strict)).toMatchObject({ code: 2022 });
    expect(await demo.done('PATCH', `/order/${ID}`, change)).toMatchObject({
      clientOrderId: 'order-0002',
      quantity: '2.0000',
      price: '0.046016',
      status: 'new',
    });
    expect(await demo.done('GET', '/order')).toHaveLength(1);
  });

  test.each<[btc: string, taken: boolean]>([
    ['0.0501', false],
    ['0.050100000001', true],
  ])(
    'that buys needs more than price × quantity × (1 + the taker’s rate): %s is enough: %s',
    { tags: ['server:trading-v2.spot.buy-reserve'] },
    async (btc, taken) => {
      const { venue, demo } = await open();
      venue.join('poor', { spot: { BTC: btc } });
      const poor = new Desk2(new SpotTrader(venue, 'poor'));
      if (taken) expect(await poor.order()).toMatchObject({ status: 'new' });
      else expect(await poor.orderRejected({})).toMatchObject({ status: 400, code: 20001 });
      expect(demo.as).toBe('demo');
    },
  );
});

describe('active orders of version 2', () => {
  test(
    'are listed, those of one symbol where it is named',
    { tags: ['server:trading-v2.spot.get-orders'] },
    async () => {
      const { demo, other } = await open();
      await demo.order({ clientOrderId: ID });
      await demo.order({ clientOrderId: 'order-0002', symbol: 'ETHUSDT' });
      await other.order();
      expect(await demo.done('GET', '/order')).toMatchObject([
        { clientOrderId: ID },
        { clientOrderId: 'order-0002' },
      ]);
      expect(await demo.done('GET', '/order?symbol=ethusdt')).toMatchObject([
        { clientOrderId: 'order-0002' },
      ]);
      expect(await demo.rejected('GET', '/order?symbol=none')).toMatchObject({ code: 2001 });
    },
  );

  test(
    'are canceled all, or those of a symbol, and listed',
    { tags: ['server:trading-v2.spot.delete-orders'] },
    async () => {
      const { demo } = await open();
      await demo.order({ clientOrderId: ID });
      await demo.order({ clientOrderId: 'order-0002', symbol: 'ETHUSDT' });
      await demo.order({ clientOrderId: 'order-0003', symbol: 'BTCUSDT' });
      expect(await demo.done('DELETE', '/order?symbol=ETHUSDT')).toMatchObject([
        { clientOrderId: 'order-0002', status: 'canceled' },
      ]);
      expect(await demo.done('DELETE', '/order')).toMatchObject([
        { clientOrderId: ID, status: 'canceled' },
        { clientOrderId: 'order-0003', status: 'canceled' },
      ]);
      expect(await demo.done('GET', '/order')).toEqual([]);
    },
  );

  test(
    'are canceled one by one; one that is absent is refused with 20002',
    { tags: ['server:trading-v2.spot.delete-order'] },
    async () => {
      const { demo } = await open();
      await demo.order({ clientOrderId: ID });
      expect(await demo.cancel(ID)).toMatchObject({ clientOrderId: ID, status: 'canceled' });
      expect(await demo.rejected('DELETE', `/order/${ID}`)).toMatchObject({
        status: 400,
        code: 20002,
      });
    },
  );

  test(
    'are reported one by one; one that has ended is not',
    { tags: ['server:trading-v2.spot.get-order'] },
    async () => {
      const { demo } = await open();
      const order = await demo.order({ clientOrderId: ID });
      expect(await demo.done('GET', `/order/${ID}`)).toEqual(order);
      await demo.cancel(ID);
      expect(await demo.rejected('GET', `/order/${ID}`)).toMatchObject({ code: 20002 });
    },
  );
});

/** Waits until the venue has begun to wait for an order. */
async function waiting({ venue }: Market, count: number): Promise<void> {
  while (venue.trading.closing.size < count) {
    await venue.call('GET', '/api/2/public/currency/BTC');
  }
}

describe('a request that waits for the end of an order', () => {
  test.each<[how: string, end: (market: Market) => Promise<unknown>, shown: Body]>([
    ['is filled', ({ other }) => other.order({ side: 'sell' }), { status: 'filled' }],
    ['is canceled', ({ demo }) => demo.cancel(ID), { status: 'canceled' }],
    [
      'is replaced',
      ({ demo }) => demo.done('PATCH', `/order/${ID}`, { quantity: '2', price: '0.05' }),
      { status: 'canceled', quantity: '1.0000' },
    ],
    ['expires', async ({ venue }) => venue.pass(10_000_000), { status: 'expired' }],
  ])(
    'is answered at once when it %s',
    { tags: ['server:trading-v2.spot.get-order'] },
    async (_, end, shown) => {
      const market = await open();
      const gtd = { timeInForce: 'GTD', expireTime: '2026-01-05T10:00:10Z' };
      await market.demo.order({ clientOrderId: ID, ...gtd });
      const asked = market.demo.done('GET', `/order/${ID}?wait=60000`);
      await waiting(market, 1);
      await end(market);
      expect(await asked).toMatchObject({ clientOrderId: ID, ...shown });
      expect(market.venue.trading.closing.size).toBe(0);
    },
  );

  test(
    'is answered with the order as it stands when the time is over',
    { tags: ['server:trading-v2.spot.get-order'] },
    async () => {
      const market = await open();
      const { venue, demo, other } = market;
      await demo.order({ clientOrderId: ID });
      let answered: Body | undefined;
      const asked = demo.done('GET', `/order/${ID}?wait=1500`).then((body) => (answered = body));
      await waiting(market, 1);
      await other.order({ side: 'sell', quantity: '0.3' });
      venue.pass(1_499_999);
      await demo.done('GET', '/order');
      expect(answered).toBeUndefined();
      venue.pass(1);
      expect(await asked).toMatchObject({ status: 'partiallyFilled', cumQuantity: '0.3000' });
    },
  );

  test(
    'is answered at once where it has ended before, or need not wait',
    { tags: ['server:trading-v2.spot.get-order'] },
    async () => {
      const { demo } = await open();
      await demo.order({ clientOrderId: ID });
      expect(await demo.done('GET', `/order/${ID}?wait=0`)).toMatchObject({ status: 'new' });
      await demo.cancel(ID);
      expect(await demo.done('GET', `/order/${ID}?wait=60000`)).toMatchObject({
        status: 'canceled',
      });
    },
  );

  test.each(['60001', '-1', 'long'])(
    'is refused with wait=%s',
    { tags: ['server:trading-v2.spot.get-order'] },
    async (wait) => {
      const { demo } = await open();
      await demo.order({ clientOrderId: ID });
      expect(await demo.rejected('GET', `/order/${ID}?wait=${wait}`)).toMatchObject({
        status: 400,
        code: 10001,
      });
    },
  );

  test('for an order that never was is refused at once', async () => {
    const { demo } = await open();
    expect(await demo.rejected('GET', `/order/${ID}?wait=60000`)).toMatchObject({ code: 20002 });
  });

  test('is answered when the venue closes', async () => {
    const market = await open();
    await market.demo.order({ clientOrderId: ID });
    const asked = market.demo.done('GET', `/order/${ID}?wait=60000`);
    await waiting(market, 1);
    market.venue.trading.close();
    expect(await asked).toMatchObject({ status: 'new' });
  });
});

describe('a client order id of version 2', () => {
  test(
    'is taken for the rest of the trading day, though its order has ended long ago',
    { tags: ['server:trading-v2.spot.order-client-id-unique'] },
    async () => {
      const { venue, demo } = await open();
      await demo.order({ clientOrderId: ID });
      await demo.cancel(ID);
      const minutesToEnd = 13 * 60 + 59;
      venue.pass(minutesToEnd * 60_000_000 - 1);
      const taken = { status: 400, code: 20008, message: 'Duplicate clientOrderId' };
      expect(await demo.orderRejected({ clientOrderId: ID })).toMatchObject(taken);
      expect(await demo.rejected('PUT', `/order/${ID}`, DEFAULT)).toMatchObject(taken);
      venue.pass(1);
      expect(await demo.order({ clientOrderId: ID })).toMatchObject({ status: 'new' });
    },
  );

  test(
    'is taken while its order is active, on later days too',
    { tags: ['server:trading-v2.spot.order-client-id-unique'] },
    async () => {
      const { venue, demo, other } = await open();
      await demo.order({ clientOrderId: ID });
      venue.pass(3 * 86_400_000_000);
      expect(await demo.orderRejected({ clientOrderId: ID })).toMatchObject({ code: 20008 });
      expect(await other.order({ clientOrderId: ID })).toMatchObject({ status: 'new' });
    },
  );

  test(
    'is taken for replacements too',
    { tags: ['server:trading-v2.spot.order-client-id-unique'] },
    async () => {
      const { venue, demo } = await open();
      await demo.order({ clientOrderId: ID });
      await demo.cancel(ID);
      venue.pass(120_000_000);
      await demo.order({ clientOrderId: 'order-0002' });
      const change = { quantity: '2', price: '0.05', requestClientId: ID };
      expect(await demo.rejected('PATCH', '/order/order-0002', change)).toMatchObject({
        code: 20008,
      });
    },
  );
});
