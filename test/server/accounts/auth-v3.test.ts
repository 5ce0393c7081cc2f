import { describe, expect, test } from 'vitest';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import { OPENED, sharedVenue, type HttpAnswer } from '../kit.ts';
import { ask } from '../http/raw.ts';
import { basic, v3, type V3Signing } from './signer.ts';

const venue = sharedVenue();
const NOW = OPENED / 1_000;
const BALANCE = '/api/3/spot/balance';

/** Sends what the signing says, or what is sent in its place. */
async function send(
  signing: V3Signing,
  sent: { readonly method?: string; readonly target?: string; readonly body?: string } = {},
): Promise<HttpAnswer> {
  const { method = signing.method ?? 'GET', target = signing.target, body = signing.body } = sent;
  return venue().call(method, target, {
    headers: { ...v3(signing), 'content-type': 'application/json' },
    text: body,
  });
}

const good = { target: BALANCE, timestamp: NOW };
const REJECTED = { status: 401, body: { error: { code: 1002 } } };

const paths = Object.values(V3_CALLS).map(({ method, path, access }) => ({
  method,
  access,
  path: `/api/3${path.replace(/\{\w+\}/g, '1')}`,
}));

describe('who needs to say who he is', () => {
  test(
    'nobody does for public calls',
    { tags: ['server:trading-v3.auth.public-no-auth'] },
    async () => {
      const calls = paths.filter(({ path }) => path.startsWith('/api/3/public/'));
      expect(calls.length).toBeGreaterThan(20);
      for (const { method, path } of calls) {
        const { status } = await venue().call(method, path);
        expect([path, [200, 400].includes(status)]).toEqual([path, true]);
      }
    },
  );

  test(
    'everybody does for all others',
    { tags: ['server:trading-v3.auth.others-need-auth'] },
    async () => {
      const calls = paths.filter(({ path }) => !path.startsWith('/api/3/public/'));
      expect(calls.length).toBeGreaterThan(80);
      for (const { method, path } of calls) {
        const { status, body } = await venue().call(method, path);
        expect([method, path, status, body]).toMatchObject([
          ...[method, path, 401],
          { error: { code: 1001, message: 'Authorization required' } },
        ]);
      }
    },
  );
});

describe('Basic', () => {
  test('key and secret open the account', { tags: ['server:trading-v3.auth.basic'] }, async () => {
    const headers = basic('demo', 'demo-secret');
    expect(headers.authorization).toBe('Basic ZGVtbzpkZW1vLXNlY3JldA==');
    const { status } = await venue().call('GET', BALANCE, { headers });
    expect(status).toBe(200);
  });

  test.each([
    ['an unknown key', basic('nobody', 'demo-secret')],
    ['a wrong secret', basic('demo', 'demo-secre')],
    ['the secret of another', basic('demo', 'other-secret')],
    ['an empty secret', basic('demo', '')],
    ['the secret with more behind', basic('demo', 'demo-secret:')],
  ])(
    '%s is refused',
    { tags: ['server:trading-v3.auth.basic-wrong-secret'] },
    async (_, headers) => {
      expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
    },
  );

  test.each(['Basic', 'Basic ', 'Basic ???', `Basic ${Buffer.from('demo').toString('base64')}`])(
    '%j holds no credentials',
    async (authorization) => {
      const answer = await venue().call('GET', BALANCE, { headers: { authorization } });
      expect(answer).toMatchObject(REJECTED);
    },
  );

  test('an unknown key and a wrong secret get the same message', async () => {
    const unknown = await venue().call('GET', BALANCE, { headers: basic('nobody', 'a') });
    const wrong = await venue().call('GET', BALANCE, { headers: basic('demo', 'a') });
    const reported = ({ body }: HttpAnswer): unknown => (body as { error: unknown }).error;
    expect(reported(unknown)).toEqual(reported(wrong));
  });
});

test.each(['Bearer ZGVtbzpkZW1vLXNlY3JldA==', 'Digest a', 'HS512 a', 'ZGVtbzpkZW1v'])(
  'the scheme of %j is not supported',
  { tags: ['server:trading-v3.auth.unsupported-scheme'] },
  async (authorization) => {
    const { status, body } = await venue().call('GET', BALANCE, { headers: { authorization } });
    expect([status, body]).toMatchObject([
      401,
      { error: { code: 1004, message: 'Unsupported authorization method' } },
    ]);
  },
);

describe('HS256', () => {
  test(
    'key, signature and time open the account',
    { tags: ['server:trading-v3.auth.hs256-scheme', 'server:trading-v3.auth.hs256-credentials'] },
    async () => {
      expect(v3(good).authorization).toMatch(/^HS256 [A-Za-z0-9+/]+=*$/);
      expect((await send(good)).status).toBe(200);
      expect((await send({ ...good, window: 5_000 })).status).toBe(200);
    },
  );

  test(
    'method, path, query, body, time and window are signed in this order',
    { tags: ['server:trading-v3.auth.hs256-message-order'] },
    async () => {
      const body = '{"symbol":"BTCUSDT"}';
      const target = '/api/3/spot/order?a=1';
      const all = { method: 'DELETE', target, body, timestamp: NOW, window: 6_000 };
      expect((await send(all)).status).toBe(200);
      // The same parts in other orders: what is signed as the target here is all of the message.
      for (const message of [
        `${target}DELETE${body}${NOW}6000`,
        `DELETE${body}${target}${NOW}6000`,
        `DELETE${target}${NOW}6000${body}`,
        `DELETE${target}${body}6000${NOW}`,
        `DELETE${target}\n${body}${NOW}6000`,
      ]) {
        const headers = v3({ method: '', target: message, timestamp: '' });
        const [, , signature = ''] = /^(.*?):(.*):$/.exec(decoded(headers.authorization)) ?? [];
        const credentials = `demo:${signature}:${NOW}:6000`;
        const authorization = `HS256 ${Buffer.from(credentials).toString('base64')}`;
        const answer = await venue().call('DELETE', target, {
          headers: { authorization, 'content-type': 'application/json' },
          text: body,
        });
        expect(answer).toMatchObject(REJECTED);
      }
    },
  );

  test(
    'the query is signed with its mark, and no mark where there is none',
    { tags: ['server:trading-v3.auth.hs256-query-part'] },
    async () => {
      const target = '/api/3/spot/order?symbol=BTCUSDT';
      expect((await send({ target, timestamp: NOW })).status).toBe(200);
      const bare = target.replace('?', '');
      expect(await send({ target: bare, timestamp: NOW }, { target })).toMatchObject(REJECTED);
      expect(await send({ ...good, target: `${BALANCE}?` }, { target: BALANCE })).toMatchObject(
        REJECTED,
      );
    },
  );

  test(
    'a body is signed where there is one, and nothing where there is none',
    { tags: ['server:trading-v3.auth.hs256-body-part'] },
    async () => {
      const target = '/api/3/spot/order';
      const signing = { method: 'DELETE', target, timestamp: NOW };
      expect((await send(signing)).status).toBe(200);
      expect((await send({ ...signing, body: '{}' })).status).toBe(200);
      expect(await send(signing, { body: '{}' })).toMatchObject(REJECTED);
      expect(await send({ ...signing, body: '{}' }, { body: '' })).toMatchObject(REJECTED);
    },
  );

  test(
    'the time is in Unix milliseconds',
    { tags: ['server:trading-v3.auth.hs256-timestamp-ms'] },
    async () => {
      expect((await send(good)).status).toBe(200);
      for (const timestamp of [NOW / 1_000, NOW * 1_000, new Date(NOW).toISOString(), '']) {
        expect(await send({ ...good, timestamp })).toMatchObject(REJECTED);
      }
    },
  );

  test(
    'a window is signed and sent as the fourth credential',
    { tags: ['server:trading-v3.auth.hs256-window'] },
    async () => {
      const signing = { ...good, timestamp: NOW - 20_000 };
      expect((await send({ ...signing, window: 20_000 })).status).toBe(200);
      const reported = decoded(v3({ ...signing, window: 20_000 }).authorization).split(':');
      expect(reported).toEqual(['demo', expect.any(String), String(NOW - 20_000), '20000']);
      const [key = '', signature = '', time = ''] = reported;
      for (const parts of [
        [key, signature, time],
        [key, signature, time, '20001'],
        [key, signature, time, ''],
      ]) {
        const authorization = `HS256 ${Buffer.from(parts.join(':')).toString('base64')}`;
        const answer = await venue().call('GET', BALANCE, { headers: { authorization } });
        expect(answer).toMatchObject(REJECTED);
      }
    },
  );

  test(
    'the signature is HMAC SHA-256 in small hex',
    {
      tags: [
        'server:trading-v3.auth.hs256-signature-hex',
        'server:trading-v3.auth.hs256-lowercase',
      ],
    },
    async () => {
      const [key = '', signature = '', time = ''] = decoded(v3(good).authorization).split(':');
      expect(signature).toMatch(/^[0-9a-f]{64}$/);
      expect((await send(good)).status).toBe(200);
      const raw = Buffer.from(signature, 'hex').toString('base64');
      for (const other of [raw, signature.slice(0, 40), `${signature}00`, '']) {
        const credentials = Buffer.from([key, other, time].join(':')).toString('base64');
        const headers = { authorization: `HS256 ${credentials}` };
        expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
      }
    },
  );

  test.each<[string, Partial<V3Signing>, Parameters<typeof send>[1]]>([
    ['with another secret', { secret: 'other-secret' }, {}],
    ['by an unknown key', { key: 'nobody' }, {}],
    ['of another method', { method: 'POST' }, { method: 'GET' }],
    ['of another path', { target: '/api/3/spot/fee' }, { target: BALANCE }],
    ['of another query', { target: `${BALANCE}?a=1` }, { target: `${BALANCE}?a=2` }],
    [
      'of another body',
      { method: 'DELETE', target: '/api/3/spot/order', body: '{}' },
      { body: '{ }' },
    ],
  ])(
    'a signature %s is refused',
    { tags: ['server:trading-v3.auth.hs256-wrong-signature'] },
    async (_, signing, sent) => {
      expect(await send({ ...good, ...signing }, sent)).toMatchObject(REJECTED);
    },
  );

  test(
    'the path is signed with its prefix',
    { tags: ['server:trading-v3.auth.hs256-path-full'] },
    async () => {
      expect(await send({ ...good, target: '/spot/balance' }, { target: BALANCE })).toMatchObject(
        REJECTED,
      );
      const { authorization } = v3({ ...good, target: '/3/spot/balance' });
      const answer = await venue().call('GET', BALANCE, { headers: { authorization } });
      expect(answer).toMatchObject(REJECTED);
      expect((await send(good)).status).toBe(200);
    },
  );

  test(
    'a query is signed as it is sent, or decoded',
    { tags: ['server:trading-v3.auth.hs256-raw-query'] },
    async () => {
      const target =
        '/api/3/spot/history/order?from=2026-01-05T10%3A00%3A00.000Z&symbol=BTCUSDT%2CETHBTC';
      expect((await send({ target, timestamp: NOW })).status).toBe(200);
      const plain = { target: decodeURIComponent(target), timestamp: NOW };
      expect((await send(plain, { target })).status).toBe(200);
      const other = target.replaceAll('%3A', '%3a');
      expect(await send({ target: other, timestamp: NOW }, { target })).toMatchObject(REJECTED);
    },
  );

  test.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    'the body of a %s is signed byte for byte',
    { tags: ['server:trading-v3.auth.hs256-raw-body'] },
    async (method) => {
      const target = {
        PUT: '/api/3/margin/account/isolated/BTCUSDT',
        PATCH: '/api/3/spot/order/no-such-order',
        DELETE: '/api/3/spot/order',
        POST: '/api/3/spot/order',
      }[method];
      if (target === undefined) throw new Error(method);
      for (const body of ['{}', '{ "a" : 1,  "ü": "é" }\n', 'a=1&b=%20+']) {
        const { status } = await send({ method, target, body, timestamp: NOW });
        expect([status, [200, 400].includes(status)]).toEqual([status, true]);
        const reported = await send({ method, target, body, timestamp: NOW }, { body: ` ${body}` });
        expect(reported).toMatchObject(REJECTED);
      }
    },
  );

  test('a body of a GET is signed too, though nothing is read from it', async () => {
    const { authorization } = v3({ ...good, body: '{}' });
    const lines = [`GET ${BALANCE} HTTP/1.1`, 'Host: here', `Authorization: ${authorization}`];
    const { port } = venue().venue;
    const whole = await ask(port, [...lines, 'Content-Length: 2'], '{}');
    expect(whole.status).toBe(200);
    const other = await ask(port, [...lines, 'Content-Length: 3'], '{ }');
    expect(other.status).toBe(401);
  });

  test.each([
    [10_000, undefined, true],
    [10_001, undefined, false],
    [-10_000, undefined, true],
    [-10_001, undefined, false],
    [60_000, 60_000, true],
    [60_001, 60_000, false],
    [1, 1, true],
    [2, 1, false],
    [0, 60_001, false],
    [0, 0, false],
    [0, -1, false],
    [0, 1.5, false],
    [0, '', true],
    [0, 'ten', false],
  ])(
    'a time %d ms old in a window of %s ms: %s',
    { tags: ['server:trading-v3.auth.hs256-window-unit'] },
    async (age, window, taken) => {
      const windowed = window === undefined ? {} : { window };
      const { status } = await send({ ...good, timestamp: NOW - age, ...windowed });
      expect(status).toBe(taken ? 200 : 401);
    },
  );

  test(
    'what is outside the window is refused with 1002',
    { tags: ['server:trading-v3.auth.hs256-window-expired'] },
    async () => {
      const { status, body } = await send({ ...good, timestamp: NOW - 10_001 });
      expect([status, body]).toMatchObject([
        401,
        { error: { code: 1002, description: expect.stringContaining('window') } },
      ]);
    },
  );

  test('a wrong signature gets no message about a wrong clock', async () => {
    const { body } = await send({ ...good, secret: 'wrong', timestamp: 1 });
    expect(JSON.stringify(body)).not.toMatch(/window|clock|timestamp is/);
  });
});

const decoded = (authorization: string): string =>
  Buffer.from(authorization.replace(/^\w+ /, ''), 'base64').toString();
