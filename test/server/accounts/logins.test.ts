import { describe, expect, test } from 'vitest';
import { OPENED, sharedVenue, type Frame } from '../kit.ts';
import { hmac } from './signer.ts';

const venue = sharedVenue();
const NOW = OPENED / 1_000;
const SOCKETS = ['/api/3/ws/trading', '/api/3/ws/wallet'];

const READINGS: Readonly<Record<string, string>> = {
  '/api/3/ws/trading': 'spot_balances',
  '/api/3/ws/wallet': 'wallet_balances',
  '/api/2/ws/trading': 'getTradingBalance',
};

/** The reply to a login, and to a request that only who is logged in may make. */
async function login(path: string, params: unknown): Promise<{ reply: Frame; reading: Frame }> {
  const socket = await venue().socket(path);
  const reply = await socket.request('login', params);
  const reading = await socket.request(READINGS[path] ?? '');
  socket.raw.close();
  return { reply, reading };
}

const signed = (
  timestamp: number | string,
  window?: number,
  secret = 'demo-secret',
): Readonly<Record<string, unknown>> => ({
  type: 'HS256',
  api_key: 'demo',
  timestamp,
  window,
  signature: hmac(secret, `${timestamp}${window ?? ''}`),
});

const REJECTED = { code: 1002, message: 'Authorization is required or has been failed' };

describe('logins of version 3', () => {
  test.each(
    SOCKETS.flatMap((path) => ['BASIC', 'Basic', 'basic'].map((type) => [path, type] as const)),
  )(
    '%s takes key and secret by %s',
    { tags: ['server:trading-v3.auth.ws-login-basic'] },
    async (path, type) => {
      const params = { type, api_key: 'demo', secret_key: 'demo-secret' };
      const { reply, reading } = await login(path, params);
      expect(reply).toMatchObject({ result: true });
      expect(reading).toMatchObject({ result: expect.any(Array) });
    },
  );

  test.each(
    SOCKETS.flatMap((path) =>
      [
        signed(NOW),
        signed(NOW - 20_000, 20_000),
        signed(NOW + 9_999),
        { ...signed(NOW), type: 'hs256' },
      ].map((params) => [path, params] as const),
    ),
  )(
    '%s takes the signature of time and window: %j',
    { tags: ['server:trading-v3.auth.ws-login-hs256'] },
    async (path, params) => {
      const { reply, reading } = await login(path, params);
      expect(reply).toMatchObject({ result: true });
      expect(reading).toMatchObject({ result: expect.any(Array) });
    },
  );

  test.each(
    SOCKETS.flatMap((path) =>
      [
        ['another secret', signed(NOW, undefined, 'other-secret')],
        ['a time that has passed', signed(NOW - 10_001)],
        ['a time outside its window', signed(NOW - 101, 100)],
        ['a window beyond the longest', signed(NOW, 60_001)],
        ['seconds', signed(NOW / 1_000)],
        ['a window that is not signed', { ...signed(NOW), window: 20_000 }],
        ['an unknown key', { type: 'BASIC', api_key: 'nobody', secret_key: 'demo-secret' }],
        ['a wrong secret', { type: 'BASIC', api_key: 'demo', secret_key: 'wrong' }],
        ['another scheme', { type: 'PLAIN', api_key: 'demo', secret_key: 'demo-secret' }],
        ['nothing', {}],
        ['no object', null],
      ].map(([what, params]) => [path, what, params] as const),
    ),
  )(
    '%s refuses %s',
    { tags: ['server:trading-v3.auth.ws-login-refused'] },
    async (path, _, params) => {
      const { reply, reading } = await login(path, params);
      const error = { ...REJECTED, description: expect.any(String) };
      expect(reply).toEqual({ jsonrpc: '2.0', error, id: 1 });
      expect(reading).toMatchObject({ error: { code: 1001 } });
    },
  );

  test.each(SOCKETS)(
    '%s answers with the id, or without one where there was none',
    { tags: ['server:trading-v3.auth.ws-login-reply'] },
    async (path) => {
      const socket = await venue().socket(path);
      const params = { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' };
      socket.send({ method: 'login', params });
      const bare = await socket.until((frame) => frame['result'] === true);
      expect(bare).toEqual({ jsonrpc: '2.0', result: true });
      for (const id of ['a-text', 7]) {
        socket.send({ method: 'login', params, id });
        const reply = await socket.until((frame) => frame['id'] === id);
        expect(reply).toEqual({ jsonrpc: '2.0', result: true, id });
      }
      socket.raw.close();
    },
  );

  test.each([
    ...['spot_balances', 'spot_subscribe', 'spot_new_order', 'margin_get_accounts'].map(
      (method) => ['/api/3/ws/trading', method] as const,
    ),
    ...['wallet_balances', 'subscribe_transactions', 'get_transactions'].map(
      (method) => ['/api/3/ws/wallet', method] as const,
    ),
  ])(
    '%s refuses %s before a login',
    { tags: ['server:trading-v3.auth.ws-before-login'] },
    async (path, method) => {
      const socket = await venue().socket(path);
      socket.send({ method, params: {}, id: 'first' });
      const reply = await socket.until((frame) => frame['id'] === 'first');
      const error = { code: 1001, message: 'Authorization required' };
      expect(reply).toMatchObject({ jsonrpc: '2.0', error });
      socket.raw.close();
    },
  );
});

describe('logins of version 2', () => {
  const nonce = 'N1g287gL8YOwDZr';
  const params = { algo: 'HS256', pKey: 'demo', nonce, signature: hmac('demo-secret', nonce) };

  test.each([
    { algo: 'BASIC', pKey: 'demo', sKey: 'demo-secret' },
    { algo: 'basic', pKey: 'demo', sKey: 'demo-secret' },
    params,
  ])('%j opens the account', { tags: ['server:trading-v2.auth.ws-login'] }, async (given) => {
    const { reply, reading } = await login('/api/2/ws/trading', given);
    expect(reply).toEqual({ jsonrpc: '2.0', result: true, id: 1 });
    expect(reading).toMatchObject({ result: expect.any(Array) });
  });

  test.each([
    { algo: 'BASIC', pKey: 'demo', sKey: 'wrong' },
    { ...params, nonce: 'another' },
    { ...params, signature: hmac('other-secret', nonce) },
    { ...params, pKey: 'other' },
    { algo: 'HS512', pKey: 'demo', sKey: 'demo-secret' },
  ])('%j is refused', { tags: ['server:trading-v2.auth.ws-login'] }, async (given) => {
    const { reply, reading } = await login('/api/2/ws/trading', given);
    expect(reply).toMatchObject({ error: REJECTED, id: 1 });
    expect(reading).toHaveProperty('error');
  });
});
