import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basicHeader,
  readAuthorization,
  v2Header,
  v3Header,
  verifyCredentials,
  type SignedRequest,
} from '../../../src/wire/trading/signing/authorization.ts';
import {
  readV2Login,
  readV3Login,
  v2BasicLoginParams,
  v2LoginParams,
  v3BasicLoginParams,
  v3LoginParams,
  verifyLogin,
} from '../../../src/wire/trading/signing/login.ts';
import { macHex, macMatches, sameText } from '../../../src/wire/trading/signing/mac.ts';
import { authFault, type AuthReason } from '../../../src/wire/trading/signing/reasons.ts';

const PAIR = { key: 'demo', secret: 'demo-secret' };
const NOW = 1_700_000_000_123;

/** HMAC by its definition in RFC 2104, from the bare hash. */
function macByDefinition(secret: string, message: string): string {
  const hash = (...parts: readonly Buffer[]): Buffer =>
    createHash('sha256').update(Buffer.concat(parts)).digest();
  const bytes = Buffer.from(secret, 'utf8');
  const key = Buffer.alloc(64);
  (bytes.length > 64 ? hash(bytes) : bytes).copy(key);
  const pad = (byte: number): Buffer => Buffer.from(key.map((one) => one ^ byte));
  return hash(pad(0x5c), hash(pad(0x36), Buffer.from(message, 'utf8'))).toString('hex');
}

const ORDER_BODY = '{"symbol":"BTCUSDT","side":"buy","quantity":"0.0015","price":"16731.00"}';
const HISTORY_QUERY = 'symbol=BTCUSDT&from=2023-11-14T22%3A13%3A20.000Z';

/**
 * Made with Python's hmac and base64 modules, the first checked with
 * `printf 'GET/api/3/spot/balance1700000000123' | openssl dgst -sha256 -hmac demo-secret`.
 */
const V3_GOLDEN: readonly (readonly [string, SignedRequest, number | undefined, string])[] = [
  [
    'a GET without a query',
    { method: 'GET', path: '/api/3/spot/balance' },
    undefined,
    'ZGVtbzowMzY1ZjMzOWY0ZGMwNGY4ZTAyZWQ0YTJjZjYyMDg4NDMwNTg4MGI2ZWIyNDI5MmIxMDc4ZmEzODVhYmQyMWIwOjE3MDAwMDAwMDAxMjM=',
  ],
  [
    'a GET with a percent-encoded query and a window',
    { method: 'GET', path: '/api/3/spot/history/order', query: HISTORY_QUERY },
    30_000,
    'ZGVtbzpjODcyNzc2ZGFiYmRjNTc2YTk1MWRmNWEzMjcwZjU5NTkyZGQxYTAyZjFmOGIwMjZiYzQxMTg2MGYwOTBjMWQzOjE3MDAwMDAwMDAxMjM6MzAwMDA=',
  ],
  [
    'a POST with a JSON body and a window',
    { method: 'POST', path: '/api/3/spot/order', body: ORDER_BODY },
    10_000,
    'ZGVtbzoyOWVmMDA4YjE5NzcyNjdhZTdjZDc0NTMyZTdjNzY5ZGYwM2I3OGRjMWQ1ZGUxZTI0ZjA5Y2VkZmFkMjYyODk2OjE3MDAwMDAwMDAxMjM6MTAwMDA=',
  ],
  [
    'a DELETE with an empty object as body',
    { method: 'DELETE', path: '/api/3/spot/order', body: '{}' },
    undefined,
    'ZGVtbzowYTk2N2ZmYjA4ZjU3MmNkMjM3MjRjNDI4MDNjMzRmOGE3Yjg1YjM4M2JhY2JkMmJmZTVmZTY3YmUwNGFlZTc4OjE3MDAwMDAwMDAxMjM=',
  ],
  [
    'a PUT with a query and a body',
    { method: 'PUT', path: '/api/3/wallet/crypto/withdraw/5', query: 'a=b', body: 'x=y' },
    undefined,
    'ZGVtbzplZDlhOTk5ZDlhMzkwOGU1MGYyZThiM2JhYjMxYWJiNjYwMmY2MTg4N2FiZDA3MTI1OThmYzA2Mzk1ZDE4ZmZjOjE3MDAwMDAwMDAxMjM=',
  ],
];

const V2_GOLDEN: readonly (readonly [string, SignedRequest, string])[] = [
  [
    'a GET with a query',
    { method: 'GET', path: '/api/2/order', query: 'symbol=ethbtc' },
    'ZGVtbzoxNzAwMDAwMDAwOmM5OGQ4NDk0NmI4YWI4NTdlMWZiNjgxN2UyNDQ3YmY0NDI4YjJmZjNjZDYwOGVhOWRmYTk1ODIxMjczZDMyMTM=',
  ],
  [
    'a POST with a form',
    { method: 'POST', path: '/api/2/order', body: 'symbol=ethbtc&side=sell' },
    'ZGVtbzoxNzAwMDAwMDAwOmMyNGNkODRiNDgyZGI2M2YzYzFmYjhjMDllNTM1MDE5NDAzNTkzZDgzZGVkZmQ3YmU5NmZlYTFiODE3NWM3Zjg=',
  ],
];

/** What a server makes of a header; without a secret there is no such key. */
function judge(
  header: string | undefined,
  request: SignedRequest,
  options: { nowMs?: number; secret?: string | null; version?: 2 | 3 } = {},
): AuthReason | undefined {
  const { nowMs = NOW, secret = PAIR.secret, version = 3 } = options;
  const read = readAuthorization(header, version);
  if (read.kind === 'refused') return read.reason;
  return verifyCredentials(read, secret ?? undefined, request, nowMs, version);
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

describe('signatures of version 3', () => {
  test.each(V3_GOLDEN)('%s', (_, request, windowMs, credentials) => {
    const header = v3Header(PAIR, request, NOW, windowMs);
    expect(header).toBe(`HS256 ${credentials}`);
    expect(judge(header, request)).toBeUndefined();
  });

  test('every part of the request is covered', () => {
    const [, request] = V3_GOLDEN[4];
    const header = v3Header(PAIR, request, NOW);
    const others: readonly SignedRequest[] = [
      { ...request, method: 'POST' },
      { ...request, path: '/api/3/wallet/crypto/withdraw/6' },
      { ...request, query: 'a=c' },
      { ...request, query: undefined },
      { ...request, body: 'x=z' },
      { ...request, body: '' },
    ];
    expect(others.map((other) => judge(header, other))).toEqual(
      others.map(() => 'signature-wrong'),
    );
  });

  test('a window that was changed after signing is refused, and so is a timestamp', () => {
    const request = { method: 'GET', path: '/api/3/spot/balance' };
    const signature = macHex(PAIR.secret, `GET/api/3/spot/balance${NOW}10000`);
    const withParts = (...parts: readonly (string | number)[]): AuthReason | undefined =>
      judge(`HS256 ${encoded(['demo', signature, ...parts].join(':'))}`, request);
    expect(withParts(NOW, 10_000)).toBeUndefined();
    expect(withParts(NOW, 10_001)).toBe('signature-wrong');
    expect(withParts(NOW)).toBe('signature-wrong');
    expect(withParts(NOW + 1, 10_000)).toBe('signature-wrong');
  });

  test('a signature over the decoded query passes too, one over another query does not', () => {
    const path = '/api/3/spot/history/order';
    const decodedQuery = decodeURIComponent(HISTORY_QUERY);
    const header = v3Header(PAIR, { method: 'GET', path, query: decodedQuery }, NOW);
    expect(judge(header, { method: 'GET', path, query: HISTORY_QUERY })).toBeUndefined();
    expect(judge(header, { method: 'GET', path, query: `${HISTORY_QUERY}1` })).toBe(
      'signature-wrong',
    );
    expect(judge(header, { method: 'GET', path, query: 'a=%' })).toBe('signature-wrong');
  });

  const request = { method: 'GET', path: '/api/3/spot/balance' };

  test.each([
    [undefined, 10_000, undefined],
    [undefined, 10_001, 'timestamp-stale'],
    [undefined, -10_001, 'timestamp-stale'],
    [60_000, 60_000, undefined],
    [60_000, 60_001, 'timestamp-stale'],
    [60_001, 0, 'window-invalid'],
    [0, 0, 'window-invalid'],
    [1, 1, undefined],
    [1, -2, 'timestamp-stale'],
    [1.5, 0, 'window-invalid'],
  ] as const)('window %s, clocks %s ms apart: %s', (windowMs, apartMs, reason) => {
    const header = v3Header(PAIR, request, NOW, windowMs);
    expect(judge(header, request, { nowMs: NOW + apartMs })).toBe(reason);
  });

  test('a timestamp that is no number is reported to its signer', () => {
    const signature = macHex(PAIR.secret, 'GET/api/3/spot/balancenow');
    const header = `HS256 ${encoded(`demo:${signature}:now`)}`;
    expect(judge(header, request)).toBe('timestamp-invalid');
    expect(judge(header, request, { secret: 'another' })).toBe('signature-wrong');
  });
});

describe('signatures of version 2', () => {
  test.each(V2_GOLDEN)('%s', (_, request, credentials) => {
    const header = v2Header(PAIR, request, 1_700_000_000);
    expect(header).toBe(`HS256 ${credentials}`);
    expect(judge(header, request, { version: 2 })).toBeUndefined();
    expect(judge(header, { ...request, method: 'PUT' }, { version: 2 })).toBe('signature-wrong');
    expect(judge(header, request, { version: 2, nowMs: NOW + 10_000 })).toBe('timestamp-stale');
  });

  test('credentials of one version are none of the other', () => {
    const [, request] = V2_GOLDEN[0];
    expect(judge(v2Header(PAIR, request, 1_700_000_000), request)).toBe('signature-wrong');
    expect(judge(v3Header(PAIR, request, NOW), request, { version: 2 })).toBe('signature-wrong');
    expect(judge(v3Header(PAIR, request, NOW, 9), request, { version: 2 })).toBe('malformed');
  });
});

describe('Authorization headers', () => {
  const request = { method: 'GET', path: '/api/3/spot/balance' };

  test('Basic holds key and secret, which may have colons', () => {
    expect(basicHeader(PAIR)).toBe('Basic ZGVtbzpkZW1vLXNlY3JldA==');
    expect(judge(basicHeader(PAIR), request)).toBeUndefined();
    const colons = { key: 'demo', secret: 'a:b:ä' };
    expect(judge(basicHeader(colons), request, { secret: 'a:b:ä' })).toBeUndefined();
    expect(judge(basicHeader(colons), request)).toBe('secret-wrong');
  });

  test.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['Bearer abc', 'scheme-unsupported'],
    ['ZGVtbw==', 'scheme-unsupported'],
    ['Basic', 'malformed'],
    ['Basic a b', 'malformed'],
    ['Basic ***', 'malformed'],
    [`Basic ${encoded('demo')}`, 'malformed'],
    [`Basic ${encoded(':secret')}`, 'malformed'],
    ['HS256', 'malformed'],
    [`HS256 ${encoded('demo:sig')}`, 'malformed'],
    [`HS256 ${encoded(':sig:1')}`, 'malformed'],
    [`HS256 ${encoded('demo:sig:1:2:3')}`, 'malformed'],
    [`HS256 ${encoded(`demo:sig:${NOW}`)}`, 'signature-wrong'],
  ] as const)('%s is refused: %s', (header, reason) => {
    expect(judge(header, request)).toBe(reason);
  });

  test('the name of the scheme may be in any case', () => {
    const credentials = basicHeader(PAIR).slice('Basic '.length);
    expect(judge(`bAsIc ${credentials}`, request)).toBeUndefined();
  });

  test('a key that does not exist is refused, whatever its secret or signature', () => {
    expect(judge(basicHeader(PAIR), request, { secret: null })).toBe('key-unknown');
    const signed = v3Header({ key: 'x', secret: 'no key has this secret' }, request, NOW);
    expect(judge(signed, request, { secret: null })).toBe('key-unknown');
  });

  test.each([
    ['missing', 1001],
    ['scheme-unsupported', 1004],
    ['malformed', 1002],
    ['key-unknown', 1002],
    ['secret-wrong', 1002],
    ['signature-wrong', 1002],
    ['timestamp-stale', 1002],
    ['timestamp-invalid', 1002],
    ['window-invalid', 1002],
  ] as const)('%s is reported by code %i', (reason, code) => {
    expect(authFault(reason)).toMatchObject({ code, description: expect.any(String) });
  });

  test('an unknown key and a wrong secret get the same error', () => {
    expect(authFault('key-unknown')).toEqual(authFault('secret-wrong'));
  });
});

describe('logins of sockets', () => {
  const ofV3 = (params: unknown, nowMs = NOW) => {
    const login = readV3Login(params);
    return login.kind === 'ok' ? verifyLogin(login.value, PAIR.secret, nowMs) : login.fault;
  };
  const ofV2 = (params: unknown) => {
    const login = readV2Login(params);
    return login.kind === 'ok' ? verifyLogin(login.value, PAIR.secret, NOW) : login.fault;
  };

  test('version 3 signs timestamp and window, version 2 the nonce', () => {
    expect(v3LoginParams(PAIR, NOW)).toEqual({
      type: 'HS256',
      api_key: 'demo',
      timestamp: NOW,
      signature: 'f2090b01575e7f3ddf7ae5abe1969059667f049d05d7b253251ff7f23391bbc6',
    });
    expect(v3LoginParams(PAIR, NOW, 30_000)).toMatchObject({
      window: 30_000,
      signature: '4e9a359b730f77f92709b83f495a4cd59a68a99e47d76ff52d90d717948d0f53',
    });
    expect(v2LoginParams(PAIR, 'n0nce')).toEqual({
      algo: 'HS256',
      pKey: 'demo',
      nonce: 'n0nce',
      signature: '52bff990441c0443870e132ec1c92175881b337e43c6fcd1e93185e2c858a9ef',
    });
  });

  test('what is signed rightly passes', () => {
    expect(ofV3(v3LoginParams(PAIR, NOW))).toBeUndefined();
    expect(ofV3(v3LoginParams(PAIR, NOW, 60_000), NOW + 60_000)).toBeUndefined();
    expect(ofV3(v3BasicLoginParams(PAIR))).toBeUndefined();
    expect(ofV3({ ...v3BasicLoginParams(PAIR), type: 'Basic' })).toBeUndefined();
    expect(ofV3({ ...v3LoginParams(PAIR, NOW), timestamp: String(NOW) })).toBeUndefined();
    expect(ofV2(v2LoginParams(PAIR, 'n0nce'))).toBeUndefined();
    expect(ofV2({ ...v2BasicLoginParams(PAIR), algo: 'basic' })).toBeUndefined();
  });

  test('what is not is refused with a reason', () => {
    expect(ofV3(v3LoginParams(PAIR, NOW), NOW + 10_001)).toBe('timestamp-stale');
    expect(ofV3(v3LoginParams(PAIR, NOW, 60_001))).toBe('window-invalid');
    expect(ofV3({ ...v3LoginParams(PAIR, NOW), window: 5 })).toBe('signature-wrong');
    expect(ofV3(v3LoginParams({ ...PAIR, secret: 'x' }, NOW))).toBe('signature-wrong');
    expect(ofV3({ ...v3BasicLoginParams(PAIR), secret_key: 'x' })).toBe('secret-wrong');
    const nobody = { key: 'x', secret: 'no key has this secret' };
    const login = readV3Login(v3BasicLoginParams(nobody));
    if (login.kind === 'fault') throw new Error('it is well formed');
    expect(verifyLogin(login.value, undefined, NOW)).toBe('key-unknown');
    expect(ofV2({ ...v2LoginParams(PAIR, 'n0nce'), nonce: 'other' })).toBe('signature-wrong');
  });

  test.each([
    [{ type: 'HS256', api_key: 'demo', timestamp: NOW }, 'signature'],
    [{ type: 'HS256', api_key: 'demo', timestamp: 'now', signature: 'x' }, 'timestamp'],
    [{ type: 'BASIC', api_key: 'demo' }, 'secret_key'],
    [{ type: 'PLAIN', api_key: 'demo', timestamp: NOW, signature: 'x' }, 'type'],
    [{ api_key: 'demo', timestamp: NOW, signature: 'x' }, 'type'],
  ])('%j lacks or mistakes %s', (params, member) => {
    expect(ofV3(params)).toMatchObject({ code: 10001, member });
  });

  test.each([
    [{ algo: 'HS256', pKey: 'demo', nonce: 'n' }, 'signature'],
    [{ algo: 'BASIC', pKey: 'demo' }, 'sKey'],
    [{}, 'algo'],
    [null, ''],
  ])('%j of version 2 lacks or mistakes %s', (params, member) => {
    expect(ofV2(params)).toMatchObject({ code: 10001, member });
  });

  test('an unknown key of a signed login is refused', () => {
    const login = readV2Login(v2LoginParams(PAIR, 'n'));
    if (login.kind === 'fault') throw new Error('it is well formed');
    expect(verifyLogin(login.value, undefined, NOW)).toBe('key-unknown');
  });
});

describe('message authentication codes', () => {
  test('are HMAC SHA-256 by its definition, in lower-case hex', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 100 }),
        fc.string({ unit: 'grapheme' }),
        (key, message) => {
          expect(macHex(key, message)).toBe(macByDefinition(key, message));
          expect(macMatches(key, message, macByDefinition(key, message))).toBe(true);
        },
      ),
      { seed: 20_261_121 },
    );
  });

  test('match only whole: every shorter, longer or changed signature is refused', () => {
    const right = macHex('k', 'm');
    for (const wrong of ['', 'zz', right.slice(2), `${right}00`, `${right.slice(0, -1)}x`]) {
      expect(macMatches('k', 'm', wrong)).toBe(false);
    }
    const flipped = (at: number): string =>
      right.slice(0, at) + (right[at] === '0' ? '1' : '0') + right.slice(at + 1);
    expect([...right].some((_, at) => macMatches('k', 'm', flipped(at)))).toBe(false);
    expect(macMatches('k', 'm', '0'.repeat(64))).toBe(false);
  });

  test('texts of different lengths are compared too', () => {
    expect(sameText('a', 'a')).toBe(true);
    expect(sameText('a', 'ab')).toBe(false);
    expect(sameText('', '')).toBe(true);
  });
});
