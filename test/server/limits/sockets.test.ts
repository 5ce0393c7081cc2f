import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { openVenue, type Frame, type TestSocket, type TestVenue } from '../kit.ts';
import { eachRow } from '../../conformance/each-row.ts';

const limited = async (): Promise<TestVenue> => openVenue({ limits: true });

const TRADING = '/api/3/ws/trading';
const WALLET = '/api/3/ws/wallet';
const TOO_FAST = { error: { code: 429, message: 'Too many requests' } };

/** The status that a new socket is refused with; 101 where it opens. */
async function opens(venue: TestVenue, path: string, from?: string): Promise<number> {
  const address = from === undefined ? {} : { localAddress: from };
  const socket = new WebSocket(`ws://127.0.0.1:${venue.venue.port}${path}`, address);
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('open', () => {
      resolve(101);
    });
    socket.once('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
  socket.terminate();
  return status;
}

async function opened(venue: TestVenue, path: string, times: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i += 1) if ((await opens(venue, path)) === 101) count += 1;
  return count;
}

/** The replies to requests that are sent at once. */
async function replies(
  socket: TestSocket,
  methods: readonly string[],
  params: unknown = {},
): Promise<readonly Frame[]> {
  const asked = methods.map(async (method) => socket.request(method, params));
  return Promise.all(asked);
}

const isTooFast = (reply: Frame): boolean =>
  (reply['error'] as { readonly code?: number } | undefined)?.code === 429;

/** How many of so many requests, taken in turn from these methods, are answered. */
async function answered(
  socket: TestSocket,
  methods: readonly string[],
  times: number,
): Promise<number> {
  const asked = Array.from({ length: times }, (_, i) => methods[i % methods.length] ?? '');
  const all = await replies(socket, asked);
  return all.filter((reply) => !isTooFast(reply)).length;
}

/** A socket that logged in a second ago, so that nothing counts any more. */
async function rested(venue: TestVenue, path: string, as = 'demo'): Promise<TestSocket> {
  const socket = await venue.tradingSocket(as, path);
  venue.pass(US_PER_SECOND);
  return socket;
}

describe('connections of one address', () => {
  eachRow('', [
    ['server:trading-v3.limit.ip-ws-public', '/api/3/ws/public'],
    ['server:trading-v3.limit.ip-ws-trading', TRADING],
    ['server:trading-v3.limit.ip-ws-wallet', WALLET],
  ])('%s: 20 a second, and the next is refused with 429', async (path) => {
    const venue = await limited();
    expect(await opened(venue, path, 20)).toBe(20);
    expect(await opens(venue, path)).toBe(429);
    expect(await opens(venue, path, '127.0.0.2')).toBe(101);
    venue.pass(US_PER_SECOND);
    expect(await opens(venue, path)).toBe(101);
  });

  test(
    'connections count, each kind of socket apart, and messages do not',
    { tags: ['server:trading-v3.limit.ip-ws-counted'] },
    async () => {
      const venue = await limited();
      expect(await opened(venue, '/api/3/ws/public', 20)).toBe(20);
      expect(await opens(venue, '/api/3/ws/public')).toBe(429);
      expect(await opens(venue, TRADING)).toBe(101);
      venue.pass(US_PER_SECOND);
      const socket = await venue.socket('/api/3/ws/public');
      expect(await answered(socket, ['subscriptions'], 200)).toBe(200);
    },
  );
});

const SUBSCRIPTIONS = [
  ...['spot_subscribe', 'spot_unsubscribe', 'margin_subscribe', 'margin_unsubscribe'],
  ...['futures_subscribe', 'futures_unsubscribe', 'spot_balance_subscribe'],
  ...['spot_balance_unsubscribe', 'futures_balance'],
];
const READINGS = [
  ...['spot_balances', 'spot_fee', 'margin_get_accounts', 'futures_get_accounts'],
  ...['futures_balances', 'futures_fee'],
];
const ORDERS = ['spot', 'margin', 'futures'].flatMap((market) =>
  ['new_order', 'new_order_list', 'replace_order'].map((method) => `${market}_${method}`),
);

describe('messages of one account', () => {
  eachRow('', [
    ...SUBSCRIPTIONS.map(
      (one) => ['server:trading-v3.limit.ws-trading-subscribe', one, 5] as const,
    ),
    ...READINGS.map((one) => ['server:trading-v3.limit.ws-trading-read', one, 30] as const),
    ...ORDERS.map((one) => ['server:trading-v3.limit.ws-trading-orders', one, 500] as const),
  ])('%s passes %d times a second', async (method, times) => {
    const venue = await limited();
    const socket = await rested(venue, TRADING);
    expect(await answered(socket, [method], times + 3)).toBe(times);
    venue.pass(US_PER_SECOND);
    expect(await answered(socket, [method], 1)).toBe(1);
  });

  test(
    'a login counts with the subscriptions',
    { tags: ['server:trading-v3.limit.ws-trading-subscribe'] },
    async () => {
      const venue = await limited();
      const socket = await venue.tradingSocket('demo');
      expect(await answered(socket, SUBSCRIPTIONS, 10)).toBe(4);
      const params = { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' };
      expect(await socket.request('login', params)).toMatchObject(TOO_FAST);
    },
  );

  eachRow('', [
    ['server:trading-v3.limit.ws-trading-subscribe', SUBSCRIPTIONS, 5],
    ['server:trading-v3.limit.ws-trading-read', READINGS, 30],
    ['server:trading-v3.limit.ws-trading-orders', ORDERS, 500],
  ] as const)('methods of one line count together, on whatever socket', async (methods, times) => {
    const venue = await limited();
    const one = await rested(venue, TRADING);
    const another = await rested(venue, TRADING);
    const stranger = await rested(venue, TRADING, 'other');
    const first = await answered(one, methods, times - 2);
    expect(first).toBe(times - 2);
    expect(await answered(another, methods, 5)).toBe(2);
    expect(await answered(stranger, methods, 2)).toBe(2);
  });

  test(
    '12 logins a second pass on the wallet socket',
    { tags: ['server:trading-v3.limit.ws-wallet-login'] },
    async () => {
      const venue = await limited();
      const socket = await venue.socket(WALLET);
      const params = { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' };
      const all = await replies(
        socket,
        Array.from({ length: 15 }, () => 'login'),
        params,
      );
      expect(all.map((reply) => reply['result'] === true)).toEqual([
        ...Array.from({ length: 12 }, () => true),
        ...[false, false, false],
      ]);
      expect(all.at(-1)).toMatchObject(TOO_FAST);
    },
  );

  test.each([
    ...['subscribe_transactions', 'unsubscribe_transactions', 'subscribe_wallet_balances'],
    ...['unsubscribe_wallet_balances', 'wallet_balances', 'wallet_balance', 'transactions'],
  ])(
    '%s passes 15 times a second',
    { tags: ['server:trading-v3.limit.ws-wallet-methods'] },
    async (method) => {
      const venue = await limited();
      const socket = await rested(venue, WALLET);
      expect(await answered(socket, [method], 18)).toBe(15);
      expect(await answered(socket, ['wallet_balances'], 1)).toBe(0);
      venue.pass(US_PER_SECOND);
      expect(await answered(socket, [method], 1)).toBe(1);
    },
  );

  test(
    'one too many is answered with 429 and its id, and is not done',
    { tags: ['server:trading-v3.limit.ws-over-limit-reply'] },
    async () => {
      const venue = await limited();
      const socket = await rested(venue, TRADING);
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '10' };
      const all = await replies(
        socket,
        Array.from({ length: 501 }, () => 'spot_new_order'),
        order,
      );
      expect(all.filter((reply) => 'result' in reply)).toHaveLength(500);
      expect(all.at(-1)).toMatchObject({ jsonrpc: '2.0', ...TOO_FAST, id: expect.any(Number) });
      const { result } = await socket.request('spot_get_orders');
      expect(result).toHaveLength(500);
      expect(socket.raw.readyState).toBe(WebSocket.OPEN);
    },
  );
});
