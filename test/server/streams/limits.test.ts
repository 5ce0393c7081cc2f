import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openVenue, type TestSocket, type TestVenue } from '../kit.ts';
import { ask, BUY, rejection } from './trading-markets.ts';

const ROW = 'server:trading-v3.limit';
const order = { ...BUY, symbol: 'BTCUSDT' } as const;
const tooMany = { code: 429, message: 'Too many requests' };

/** Sends a method so many times at once; gives how many were answered and how many refused with 429. */
async function burst(
  socket: TestSocket,
  count: number,
  method: (i: number) => string,
  params: unknown = {},
): Promise<{ readonly passed: number; readonly rejected: number }> {
  const from = socket.frames.length;
  for (let i = 0; i < count; i += 1) socket.send({ method: method(i), params, id: `burst-${i}` });
  await socket.settle();
  const replies = socket.frames.slice(from).filter(({ id }) => String(id).startsWith('burst-'));
  const rejected = replies.filter(
    ({ error }) => (error as { code?: number } | undefined)?.code === 429,
  );
  return { passed: replies.length - rejected.length, rejected: rejected.length };
}

/** A socket that has logged in, with the login out of the window. */
async function settled(venue: TestVenue, member: string, path?: string): Promise<TestSocket> {
  const socket = await venue.tradingSocket(member, path);
  venue.pass(1_000_000);
  return socket;
}

/** Methods in turn. */
const turns = (methods: readonly string[]) => (i: number) => methods[i % methods.length] ?? '';

describe('messages to the trading socket', () => {
  test(
    'subscriptions share 5 a second, without a burst',
    { tags: [`${ROW}.ws-trading-subscribe`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo');
      const methods = [
        ...['spot_subscribe', 'margin_subscribe', 'futures_subscribe', 'spot_unsubscribe'],
        ...['margin_unsubscribe', 'futures_unsubscribe', 'spot_balance_subscribe'],
        ...['spot_balance_unsubscribe', 'futures_balance'],
      ];
      for (const first of methods.keys()) {
        const some = turns([...methods.slice(first), ...methods.slice(0, first)]);
        const params = { currency: 'USDT' };
        expect(await burst(socket, 6, some, params)).toEqual({ passed: 5, rejected: 1 });
        venue.pass(1_000_000);
      }
    },
  );

  test('a login counts with the subscriptions of its account', async () => {
    const venue = await openVenue({ limits: true });
    const socket = await settled(venue, 'demo');
    const login = { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' };
    for (let i = 0; i < 4; i += 1) expect(await ask(socket, 'login', login)).toBe(true);
    expect(await ask(socket, 'spot_subscribe')).toBe(true);
    expect(await rejection(socket, 'login', login)).toMatchObject(tooMany);
    const wrong = { ...login, secret_key: 'guess' };
    expect(await rejection(socket, 'login', wrong)).toMatchObject(tooMany);
    const other = await venue.tradingSocket('other');
    expect(await ask(other, 'spot_subscribe')).toBe(true);
  });

  test(
    'readings share 20 a second and a burst of 10',
    { tags: [`${ROW}.ws-trading-read`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo');
      const methods = [
        ...['spot_balances', 'spot_fee', 'margin_get_accounts', 'futures_get_accounts'],
        ...['futures_balances', 'futures_fee'],
      ];
      expect(await burst(socket, 31, turns(methods), { symbol: 'BTCUSDT' })).toEqual({
        passed: 30,
        rejected: 1,
      });
      for (const method of methods) {
        expect(await rejection(socket, method, { symbol: 'BTCUSDT' })).toMatchObject(tooMany);
      }
    },
  );

  test(
    'orders share 300 a second and a burst of 200',
    { tags: [`${ROW}.ws-trading-orders`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo');
      const methods = ['spot', 'margin', 'futures'].flatMap((market) =>
        ['new_order', 'new_order_list', 'replace_order'].map((method) => `${market}_${method}`),
      );
      expect(await burst(socket, 501, turns(methods), order)).toEqual({ passed: 500, rejected: 1 });
      for (const method of methods) {
        expect(await rejection(socket, method, order)).toMatchObject(tooMany);
      }
      venue.pass(1_000_000);
      expect(await ask(socket, 'spot_new_order', order)).toMatchObject({ status: 'new' });
    },
  );

  test(
    'a message over the limit does nothing, and is answered with 429 and its id',
    { tags: [`${ROW}.ws-over-limit-reply`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo');
      await burst(socket, 500, () => 'spot_replace_order', {});
      const reply = await socket.request('spot_new_order', order);
      expect(reply).toMatchObject({ jsonrpc: '2.0', error: tooMany, id: reply['id'] });
      expect(await ask(socket, 'spot_get_orders')).toEqual([]);
    },
  );

  test(
    'messages of an account count together, whatever its socket and key',
    { tags: [`${ROW}.scope-account`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const account = venue.trading.members.key('demo')?.account ?? -1;
      venue.trading.members.grant({
        key: 'second',
        secret: 'second-secret',
        account,
        rights: new Set(['read', 'trade']),
      });
      const one = await venue.tradingSocket('demo');
      const two = await venue.tradingSocket('second');
      const other = await settled(venue, 'other');
      const reading = turns(['spot_balances']);
      expect(await burst(one, 20, reading)).toEqual({ passed: 20, rejected: 0 });
      expect(await burst(two, 20, reading)).toEqual({ passed: 10, rejected: 10 });
      expect(await burst(other, 20, reading)).toEqual({ passed: 20, rejected: 0 });
    },
  );
});

describe('messages to the wallet socket', () => {
  test(
    'logins have 2 a second and a burst of 10',
    { tags: [`${ROW}.ws-wallet-login`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo', '/api/3/ws/wallet');
      const login = { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' };
      expect(await burst(socket, 13, () => 'login', login)).toEqual({ passed: 12, rejected: 1 });
      expect(await ask(socket, 'wallet_balances')).toBeInstanceOf(Array);
    },
  );

  test(
    'all other methods share 5 a second and a burst of 10',
    { tags: [`${ROW}.ws-wallet-methods`] },
    async () => {
      const venue = await openVenue({ limits: true });
      const socket = await settled(venue, 'demo', '/api/3/ws/wallet');
      const methods = [
        ...['subscribe_transactions', 'unsubscribe_transactions', 'subscribe_wallet_balances'],
        ...['unsubscribe_wallet_balances', 'wallet_balances', 'wallet_balance', 'transactions'],
      ];
      const params = { currency: 'USDT' };
      expect(await burst(socket, 16, turns(methods), params)).toEqual({ passed: 15, rejected: 1 });
      for (const method of methods) {
        expect(await rejection(socket, method, params)).toMatchObject(tooMany);
      }
    },
  );
});

describe('messages to the sockets of version 2', () => {
  test('orders have 300 a second, readings 10, market data 100 for an address', async () => {
    const venue = await openVenue({ limits: true });
    const socket = await settled(venue, 'demo', '/api/2/ws/trading');
    const cancel = { clientOrderId: 'nothing-01' };
    expect(await burst(socket, 301, () => 'cancelOrder', cancel)).toEqual({
      passed: 300,
      rejected: 1,
    });
    expect(await burst(socket, 11, () => 'getOrders')).toEqual({ passed: 10, rejected: 1 });
    const open = await venue.socket('/api/2/ws/public');
    expect(await burst(open, 101, () => 'getSymbols')).toEqual({ passed: 100, rejected: 1 });
  });
});

describe('connections', () => {
  test.each(['public', 'trading', 'wallet'])(
    'an address opens 20 sockets to %s within a second, and no more',
    async (name) => {
      const venue = await openVenue({ limits: true });
      const path = `/api/3/ws/${name}`;
      for (let i = 0; i < 20; i += 1) await venue.socket(path);
      const late = new WebSocket(`ws://127.0.0.1:${venue.venue.port}${path}`);
      await expect(
        new Promise((resolve, reject) => late.once('open', resolve).once('error', reject)),
      ).rejects.toThrow('429');
      const elsewhere = name === 'public' ? 'trading' : 'public';
      await venue.socket(`/api/3/ws/${elsewhere}`);
      venue.pass(1_000_000);
      await venue.socket(path);
    },
  );

  test('market data of version 3 has no limit of messages', async () => {
    const venue = await openVenue({ limits: true });
    const socket = await venue.socket('/api/3/ws/public');
    for (let i = 0; i < 300; i += 1) {
      socket.send({ method: 'subscriptions', ch: 'trades', id: i });
    }
    await socket.settle();
    expect(socket.frames.filter((frame) => 'error' in frame)).toEqual([]);
    expect(socket.frames).toHaveLength(300);
  });
});
