import { describe, expect, test } from 'vitest';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import { OPENED, sharedVenue, type HttpAnswer } from '../kit.ts';
import { basic, hmac, v2, v3, type V3Signing } from './signer.ts';

const venue = sharedVenue();
const NOW = OPENED / 1_000_000;
const BALANCE = '/api/2/trading/balance';

async function send(
  signing: V3Signing,
  sent: { readonly method?: string; readonly target?: string; readonly body?: string } = {},
): Promise<HttpAnswer> {
  const { method = signing.method ?? 'GET', target = signing.target, body = signing.body } = sent;
  return venue().call(method, target, {
    headers: { ...v2(signing), 'content-type': 'application/json' },
    text: body,
  });
}

const good = { target: BALANCE, timestamp: NOW };
const REJECTED = {
  status: 401,
  body: { error: { code: 1002, message: 'Authorization is required or has been failed' } },
};

const paths = Object.values(V2_CALLS).map(({ method, path }) => ({
  method,
  path: `/api/2${path.replace(/\{\w+\}/g, '1')}`,
}));

describe('who needs to say who he is', () => {
  test(
    'nobody does for public calls',
    { tags: ['server:trading-v2.auth.public-no-auth'] },
    async () => {
      const calls = paths.filter(({ path }) => path.startsWith('/api/2/public/'));
      expect(calls).toHaveLength(12);
      for (const { method, path } of calls) {
        const { status } = await venue().call(method, path);
        expect([path, [200, 400].includes(status)]).toEqual([path, true]);
      }
    },
  );

  test(
    'everybody does for all others',
    { tags: ['server:trading-v2.auth.others-need-auth'] },
    async () => {
      const calls = paths.filter(({ path }) => !path.startsWith('/api/2/public/'));
      expect(calls.length).toBeGreaterThan(40);
      for (const { method, path } of calls) {
        const { status } = await venue().call(method, path);
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    },
  );

  test(
    'sub-accounts are shown to nobody who has not',
    { tags: ['server:trading-v2.error.1002'] },
    async () => {
      const calls = paths.filter(({ path }) => path.startsWith('/api/2/sub-acc'));
      expect(calls).toHaveLength(8);
      for (const { method, path } of calls) {
        const headers = basic('nobody', 'nothing');
        expect(await venue().call(method, path, { headers })).toMatchObject(REJECTED);
      }
    },
  );
});

describe('Basic', () => {
  test(
    'public and secret key open the account',
    { tags: ['server:trading-v2.auth.basic'] },
    async () => {
      const { status } = await venue().call('GET', BALANCE, {
        headers: basic('demo', 'demo-secret'),
      });
      expect(status).toBe(200);
    },
  );

  test.each([
    ['an unknown key', basic('nobody', 'demo-secret')],
    ['a wrong secret', basic('demo', 'wrong')],
  ])(
    '%s is refused',
    { tags: ['server:trading-v2.auth.basic-wrong-secret'] },
    async (_, headers) => {
      expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
    },
  );
});

describe('HS256', () => {
  test(
    'key, time and signature open the account in this order',
    { tags: ['server:trading-v2.auth.hs256-credentials'] },
    async () => {
      const { authorization } = v2(good);
      const parts = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
      expect(parts).toEqual(['demo', String(NOW), expect.stringMatching(/^[0-9a-f]{64}$/)]);
      expect((await send(good)).status).toBe(200);
      const [key = '', time = '', signature = ''] = parts;
      for (const other of [
        [key, signature, time],
        [time, key, signature],
        [key, time, signature, '10000'],
        [key, time],
      ]) {
        const headers = {
          authorization: `HS256 ${Buffer.from(other.join(':')).toString('base64')}`,
        };
        expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
      }
    },
  );

  test(
    'method, time, path, query and body are signed in this order',
    { tags: ['server:trading-v2.auth.hs256-message'] },
    async () => {
      const target = '/api/2/order?a=1';
      const body = '{"symbol":"BTCUSDT"}';
      const all = { method: 'DELETE', target, body, timestamp: NOW };
      expect((await send(all)).status).toBe(200);
      expect(
        (await send({ method: 'DELETE', target: '/api/2/order', timestamp: NOW })).status,
      ).toBe(200);
      for (const message of [
        `DELETE${target}${body}${NOW}`,
        `DELETE${target}${NOW}${body}`,
        `${NOW}DELETE${target}${body}`,
        `DELETE${NOW}${body}${target}`,
        `DELETE${NOW}${target.replace('?', '')}${body}`,
      ]) {
        const credentials = `demo:${NOW}:${hmac('demo-secret', message)}`;
        const authorization = `HS256 ${Buffer.from(credentials).toString('base64')}`;
        const headers = { authorization, 'content-type': 'application/json' };
        const answer = await venue().call('DELETE', target, { headers, text: body });
        expect(answer).toMatchObject(REJECTED);
      }
    },
  );

  test(
    'the signature is HMAC SHA-256 in hex with the secret key',
    { tags: ['server:trading-v2.auth.hs256-signature'] },
    async () => {
      expect((await send(good)).status).toBe(200);
      const digest = Buffer.from(hmac('demo-secret', `GET${NOW}${BALANCE}`), 'hex').toString(
        'base64',
      );
      const credentials = Buffer.from(`demo:${NOW}:${digest}`).toString('base64');
      const headers = { authorization: `HS256 ${credentials}` };
      expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
      expect(await send({ ...good, secret: 'other-secret' })).toMatchObject(REJECTED);
    },
  );

  test.each([
    [0, true],
    [10, true],
    [-10, true],
    [11, false],
    [-11, false],
  ])(
    'a time %d seconds old: %s',
    { tags: ['server:trading-v2.auth.hs256-timestamp-seconds'] },
    async (age, taken) => {
      const { status } = await send({ ...good, timestamp: NOW - age });
      expect(status).toBe(taken ? 200 : 401);
    },
  );

  test(
    'a time in milliseconds is none',
    { tags: ['server:trading-v2.auth.hs256-timestamp-seconds'] },
    async () => {
      expect(await send({ ...good, timestamp: NOW * 1_000 })).toMatchObject(REJECTED);
    },
  );

  test.each<[string, Partial<V3Signing>, Parameters<typeof send>[1]]>([
    ['of another method', { method: 'POST' }, { method: 'GET' }],
    ['of another path', { target: '/api/2/order' }, { target: BALANCE }],
    ['of another query', { target: `${BALANCE}?a=1` }, { target: `${BALANCE}?a=2` }],
    ['of another body', { method: 'DELETE', target: '/api/2/order', body: '{}' }, { body: '' }],
    ['with another secret', { secret: 'other-secret' }, {}],
  ])(
    'a signature %s is refused',
    { tags: ['server:trading-v2.auth.hs256-wrong'] },
    async (_, signing, sent) => {
      expect(await send({ ...good, ...signing }, sent)).toMatchObject(REJECTED);
    },
  );

  test(
    'a signature of another time is refused',
    { tags: ['server:trading-v2.auth.hs256-wrong'] },
    async () => {
      const signature = hmac('demo-secret', `GET${NOW - 1}${BALANCE}`);
      const credentials = Buffer.from(`demo:${NOW}:${signature}`).toString('base64');
      const headers = { authorization: `HS256 ${credentials}` };
      expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
    },
  );

  test('a signature of version 3 opens nothing of version 2', async () => {
    const headers = v3({ target: BALANCE, timestamp: NOW * 1_000 });
    expect(await venue().call('GET', BALANCE, { headers })).toMatchObject(REJECTED);
  });
});
