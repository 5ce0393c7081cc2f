import { describe, expect, test } from 'vitest';
import type { Call } from '../../../../src/wire/trading/call.ts';
import { V2_CALLS } from '../../../../src/wire/trading/v2/calls/table.ts';
import { basic, hmac, v2 } from '../../../server/accounts/signer.ts';
import { OPENED, openVenue, sharedVenue } from '../../../server/kit.ts';
import { needed } from '../kit/arguments.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import type { Relay } from '../kit/relay.ts';
import { at, d } from '../kit/values.ts';

const venue = sharedVenue();
const NOW = OPENED / 1_000_000;
const ORDER = { clientOrderId: 'order-001', symbol: 'BTCUSDT', quantity: '0.1', price: '9' };

const last = (relay: Relay) => {
  const received = relay.received.at(-1);
  if (received === undefined) throw new Error('nothing was sent');
  const [method = '', target = ''] = received.line.split(' ');
  return { method, target, body: received.body, authorization: received.headers.authorization };
};

/** Calls of every shape of a request: with and without query and body. */
const SHAPES: readonly [
  what: string,
  ask: (rest: SubscriptionsV2['rest']) => Promise<unknown>,
  line: string,
][] = [
  ['a bare GET', (rest) => rest.getTradingBalances(), 'GET /api/2/trading/balance'],
  [
    'a GET with a query',
    (rest) => rest.getOrders({ symbol: 'BTCUSDT' }),
    'GET /api/2/order?symbol=BTCUSDT',
  ],
  [
    'a POST with a body',
    (rest) => rest.createOrder({ ...ORDER, side: 'buy' }),
    'POST /api/2/order',
  ],
  [
    'a DELETE with a query',
    (rest) => rest.cancelOrders({ symbol: 'BTCUSDT' }),
    'DELETE /api/2/order?symbol=BTCUSDT',
  ],
  [
    'a query with times',
    (rest) => rest.getOrderHistory({ from: OPENED, till: OPENED }),
    'GET /api/2/history/order?from=2026-01-05T10%3A00%3A00Z&till=2026-01-05T10%3A00%3A00Z',
  ],
  [
    'a bare POST',
    (rest) => rest.createAddress({ currency: 'BTC' }),
    'POST /api/2/account/crypto/address/BTC',
  ],
];

describe('how a request of version 2 is signed', () => {
  test.each(SHAPES)(
    '%s: method, time, path, query and body as they are sent, which the venue believes',
    { tags: ['client:trading-v2.auth.hs256-message'] },
    async (_, ask, line) => {
      const { rest, relay } = await openSubscriptionsV2(venue());
      await ask(rest);
      const { method, target, body, authorization } = last(relay);
      expect(`${method} ${target}`).toBe(line);
      const own = v2({ method, target, body, timestamp: NOW });
      expect(authorization).toBe(own.authorization);
    },
  );

  test(
    'at whole seconds that have begun',
    { tags: ['client:trading-v2.auth.hs256-timestamp-seconds'] },
    async () => {
      const own = await openVenue();
      own.pass(1_999_999);
      const { rest, relay } = await openSubscriptionsV2(own);
      await rest.getOrders();
      const { target, authorization } = last(relay);
      expect(authorization).toBe(v2({ target, timestamp: NOW + 1 }).authorization);
    },
  );

  test(
    'by key, time and signature in hex with the secret, whatever window is requested',
    {
      tags: ['client:trading-v2.auth.hs256-credentials', 'client:trading-v2.auth.hs256-signature'],
    },
    async () => {
      const { rest, relay } = await openSubscriptionsV2(venue(), 'other', {
        credentials: { key: 'other', secret: 'other-secret', scheme: 'hs256', windowMs: 5_000 },
      });
      await rest.getOrders();
      const [scheme, encoded = ''] = (last(relay).authorization ?? '').split(' ');
      expect(scheme).toBe('HS256');
      const signature = hmac('other-secret', `GET${NOW}/api/2/order`);
      expect(Buffer.from(encoded, 'base64').toString()).toBe(`other:${NOW}:${signature}`);
      expect(signature).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  test('or sent with key and secret', { tags: ['client:trading-v2.auth.basic'] }, async () => {
    const { rest, relay } = await openSubscriptionsV2(venue(), 'demo', {
      credentials: { key: 'demo', secret: 'demo-secret', scheme: 'basic' },
    });
    expect(await rest.getTradingBalances()).toContainEqual({
      currency: 'BTC',
      available: expect.any(d('0').constructor) as unknown,
      reserved: expect.any(d('0').constructor) as unknown,
    });
    expect(last(relay).authorization).toBe(basic('demo', 'demo-secret').authorization);
  });
});

type AnyCall = (given?: unknown) => Promise<unknown>;

/** Makes every call of a kind with what it needs, and whatever it answers. */
async function askAll(rest: SubscriptionsV2['rest'], fits: (call: Call) => boolean): Promise<void> {
  for (const [name, call] of Object.entries<Call>(V2_CALLS)) {
    if (!fits(call)) continue;
    await (rest as unknown as Record<string, AnyCall>)[name]?.(needed(call)).catch(() => undefined);
  }
}

describe('where a request of version 2 goes', () => {
  test(
    'every call goes below /api/2, by the method and path of its row',
    { tags: ['client:trading-v2.conv.path-prefix'] },
    async () => {
      const { rest, relay } = await openSubscriptionsV2(venue(), 'demo', {
        retries: { attempts: 1 },
      });
      await askAll(rest, () => true);
      const asked = Object.values<Call>(V2_CALLS).map(
        ({ method, path }) => `${method} /api/2${path.replace(/\{\w+\}/g, '1')}`,
      );
      expect(relay.received.map(({ line }) => line.split('?')[0])).toEqual(asked);
    },
  );

  test(
    'public calls need no credentials and carry none; others are not sent without',
    { tags: ['client:trading-v2.auth.public-no-auth'] },
    async () => {
      const { rest, relay } = await openSubscriptionsV2(venue(), 'demo', {
        credentials: undefined,
      });
      const symbols = await rest.getSymbols({ symbols: ['ETHBTC'] });
      expect(symbols.map(({ id }) => id)).toEqual(['ETHBTC']);
      await askAll(rest, ({ access }) => access === 'public');
      expect(relay.received).toHaveLength(13);
      const withheld = relay.received.filter(({ headers }) => headers.authorization === undefined);
      expect(withheld).toHaveLength(13);
      await expect(rest.getOrders()).rejects.toMatchObject({
        code: 'request-invalid',
        field: 'credentials',
      });
      expect(relay.received).toHaveLength(13);
      const known = await openSubscriptionsV2(venue());
      await known.rest.getSymbols();
      expect(last(known.relay).authorization).toBeUndefined();
    },
  );
});

describe('what a client of version 2 reads and writes', () => {
  const WIRE = {
    id: '840450210',
    clientOrderId: 'c1837634ef81472a9cd13c81e7b91401',
    symbol: 'ETHBTC',
    side: 'buy',
    status: 'partiallyFilled',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: '0.02000000000000000000001',
    price: '0.046001000',
    cumQuantity: 0.005,
    postOnly: false,
    createdAt: '2017-05-12T17:17:57.437Z',
    updatedAt: '2017-05-12T17:18:08.61Z',
  };

  test.each([
    ['2017-05-12T17:17:57.437Z', 437_000],
    ['2017-05-12T17:17:57.4Z', 400_000],
    ['2017-05-12T17:17:57Z', 0],
    ['2017-05-12T17:17:57.437123456Z', 437_123],
  ])(
    'the time %s is read',
    { tags: ['client:trading-v2.conv.timestamps'] },
    async (createdAt, fraction) => {
      const { rest, relay } = await openSubscriptionsV2(venue());
      relay.answer([{ ...WIRE, createdAt }]);
      const [order] = await rest.getOrders();
      expect(order?.createdAt).toBe(at('2017-05-12T17:17:57Z') + fraction);
      expect(order?.updatedAt).toBe(at('2017-05-12T17:18:08.610Z'));
    },
  );

  test(
    'a time is written as ISO 8601 in UTC',
    { tags: ['client:trading-v2.conv.timestamps'] },
    async () => {
      const { rest, relay } = await openSubscriptionsV2(venue());
      relay.answer(WIRE);
      const expireTime = at('2026-01-06T10:00:00.25Z');
      await rest.createOrder({ ...ORDER, side: 'buy', timeInForce: 'GTD', expireTime });
      const [, body] = relay.sent as [string, { expireTime: string }];
      expect(body.expireTime).toBe('2026-01-06T10:00:00.25Z');
    },
  );

  test(
    'financial values are read to their last digit, and written as text',
    { tags: ['client:trading-v2.conv.string-numbers'] },
    async () => {
      const { rest, relay } = await openSubscriptionsV2(venue());
      relay.answer([WIRE]);
      const [order] = await rest.getOrders();
      const { quantity, price, cumQuantity } = order ?? {};
      expect([quantity, price, cumQuantity]).toEqual([
        d('0.02000000000000000000001'),
        d('0.046001'),
        d('0.005'),
      ]);
      relay.answer(WIRE);
      const exact = { quantity: d('0.1').plus('0.2'), price: '0.00000012' };
      await rest.createOrder({ ...ORDER, side: 'sell', ...exact });
      expect(relay.sent[1]).toEqual({
        ...ORDER,
        side: 'sell',
        quantity: '0.3',
        price: '0.00000012',
      });
    },
  );
});
