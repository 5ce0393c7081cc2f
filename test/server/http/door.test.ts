import { expect, test } from 'vitest';
import { basicHeader } from '../../../src/wire/trading/signing/authorization.ts';
import { openVenue, sharedVenue } from '../kit.ts';
import { ask, RawClient } from './raw.ts';

const HOST = 'Host: here';
const AS_DEMO = `Authorization: ${basicHeader({ key: 'demo', secret: 'demo-secret' })}`;
const JSON_TYPE = 'Content-Type: application/json';

const ERROR = {
  error: { code: expect.any(Number), message: expect.any(String) },
  timestamp: '2026-01-05T10:00:00Z',
  status: expect.any(Number),
};

const lengthOf = (body: string | Buffer): string => `Content-Length: ${Buffer.byteLength(body)}`;
const post = (path: string, type: string, body: string | Buffer): readonly string[] => [
  `POST ${path} HTTP/1.1`,
  ...[HOST, AS_DEMO, type, lengthOf(body)],
];

/** An order that would be taken but for one byte of a member that nobody knows. */
const NO_UTF8 = Buffer.from(
  '{"symbol":"BTCUSDT","side":"buy","quantity":"1","price":"1","note":"\xff"}',
  'latin1',
);

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const venue = sharedVenue();

test.each<[string, readonly string[], string | Buffer, number, number]>([
  ['JSON that ends too early', post('/api/3/spot/order', JSON_TYPE, '{"a":'), '{"a":', 400, 10001],
  ['JSON with something behind', post('/api/3/spot/order', JSON_TYPE, '{}}'), '{}}', 400, 10001],
  ['JSON that is a list', post('/api/3/spot/order', JSON_TYPE, '[]'), '[]', 400, 10001],
  ['JSON that is null', post('/api/3/spot/order', JSON_TYPE, 'null'), 'null', 400, 10001],
  ['JSON that is text', post('/api/3/spot/order', JSON_TYPE, '"a"'), '"a"', 400, 10001],
  [
    'JSON that is nested deeply',
    post('/api/3/spot/order', JSON_TYPE, deep(200_000)),
    deep(200_000),
    400,
    10001,
  ],
  [
    'JSON that is nested deeply, with a long number',
    post('/api/3/spot/order', JSON_TYPE, `${deep(200_000)}12345678901234567890`),
    `${deep(200_000)}12345678901234567890`,
    400,
    10001,
  ],
  [
    'a long number that is nested deeply',
    post(
      '/api/3/spot/order',
      JSON_TYPE,
      `${'['.repeat(99_999)}12345678901234567890${']'.repeat(99_999)}`,
    ),
    `${'['.repeat(99_999)}12345678901234567890${']'.repeat(99_999)}`,
    400,
    10001,
  ],
  [
    'a prototype in JSON',
    post('/api/3/spot/order', JSON_TYPE, '{"__proto__":{"symbol":"BTCUSDT"}}'),
    '{"__proto__":{"symbol":"BTCUSDT"}}',
    400,
    10001,
  ],
  ['bytes that are no UTF-8', post('/api/3/spot/order', JSON_TYPE, NO_UTF8), NO_UTF8, 400, 10001],
  [
    'a form with a stray percent sign',
    post('/api/3/spot/order', 'Content-Type: application/x-www-form-urlencoded', 'symbol=%ZZ'),
    'symbol=%ZZ',
    400,
    10001,
  ],
  ['a type that is none', post('/api/3/spot/order', 'Content-Type: ;;;', '{}'), '{}', 415, 10001],
  [
    'a body that is announced too long',
    ['POST /api/3/spot/order HTTP/1.1', HOST, AS_DEMO, JSON_TYPE, 'Content-Length: 2000000'],
    '',
    413,
    10001,
  ],
  ['a path that nobody serves', ['GET /api/3/nothing HTTP/1.1', HOST], '', 404, 800],
  ['a path outside', ['GET /elsewhere HTTP/1.1', HOST], '', 404, 800],
  ['a method that a path does not take', ['PUT /api/3/spot/order HTTP/1.1', HOST], '', 404, 800],
  ['OPTIONS', ['OPTIONS /api/3/spot/order HTTP/1.1', HOST], '', 404, 800],
  ['OPTIONS of everything', ['OPTIONS * HTTP/1.1', HOST], '', 404, 800],
  ['a method of another protocol', ['PROPFIND /api/3/spot/order HTTP/1.1', HOST], '', 404, 800],
  ['TRACE', ['TRACE /api/3/spot/order HTTP/1.1', HOST], '', 404, 800],
  [
    'a path with a stray percent sign',
    ['GET /api/3/public/symbol/%ZZ HTTP/1.1', HOST],
    '',
    400,
    10001,
  ],
  ['a path that is no UTF-8', ['GET /api/3/public/symbol/%FF%FE HTTP/1.1', HOST], '', 400, 10001],
  [
    'a symbol that no line holds more of',
    [`GET /api/3/public/symbol/${'A'.repeat(10_000)} HTTP/1.1`, HOST],
    '',
    400,
    2001,
  ],
  ['a path without a host', ['GET /api/3/nothing HTTP/1.1'], '', 404, 800],
  ['a method that nobody has', ['BREW /api/3/public/symbol HTTP/1.1', HOST], '', 400, 10001],
  ['a line that is no HTTP', ['hello'], '', 400, 10001],
  [
    'headers that are too long',
    ['GET /api/3/public/symbol HTTP/1.1', HOST, `X-Long: ${'a'.repeat(70_000)}`],
    '',
    431,
    10001,
  ],
  [
    'two lengths',
    ['POST /api/3/spot/order HTTP/1.1', HOST, 'Content-Length: 2', 'Content-Length: 3'],
    '{}',
    400,
    10001,
  ],
  [
    'a length and pieces',
    [
      'POST /api/3/spot/order HTTP/1.1',
      ...[HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    '2\r\n{}\r\n0\r\n\r\n',
    400,
    10001,
  ],
  [
    'a piece without a length',
    ['POST /api/3/spot/order HTTP/1.1', HOST, AS_DEMO, 'Transfer-Encoding: chunked'],
    'ZZ\r\n',
    400,
    10001,
  ],
])('%s is answered in the shape of the service', async (_, lines, body, status, code) => {
  const answer = await ask(venue().venue.port, lines, body);
  expect(answer.body).toMatchObject({ ...ERROR, error: { code }, status });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.text).not.toMatch(/node_modules|\.ts|\bat \w+ \(/);
});

test('an error has the path, time and request id', async () => {
  const venue = await openVenue();
  const { body } = await venue.call('GET', '/api/3/nothing?secret=1');
  expect(body).toEqual({
    error: {
      code: 800,
      message: 'Not found',
      description: 'There is no GET /api/3/nothing; /docs lists what there is',
    },
    timestamp: '2026-01-05T10:00:00Z',
    path: '/api/3/nothing',
    request_id: '00000000-0000-0000-0000-000000000001',
    status: 404,
  });
});

test('HEAD of a call is answered without a body', async () => {
  const venue = await openVenue();
  const found = await fetch(`${venue.base}/api/3/public/symbol`, { method: 'HEAD' });
  expect([found.status, await found.text()]).toEqual([200, '']);
  const rejected = await fetch(`${venue.base}/api/3/spot/balance`, { method: 'HEAD' });
  expect([rejected.status, await rejected.text()]).toEqual([401, '']);
});

test('a request line with the host in it, as to a proxy, is the same call', async () => {
  const venue = await openVenue();
  const target = `http://127.0.0.1:${venue.venue.port}/api/3/public/symbol/BTCUSDT`;
  const answer = await ask(venue.venue.port, [`GET ${target} HTTP/1.1`, HOST]);
  expect(answer.status).toBe(200);
});

test('an offer to speak another protocol is passed over', async () => {
  const venue = await openVenue();
  const answer = await ask(venue.venue.port, [
    'GET /api/3/public/symbol/BTCUSDT HTTP/1.1',
    ...[HOST, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
  ]);
  expect(answer.status).toBe(200);
});

test('a body that grows too long is refused when it does', async () => {
  const venue = await openVenue();
  const client = new RawClient(venue.venue.port);
  client.send([
    'POST /api/3/spot/order HTTP/1.1',
    ...[HOST, AS_DEMO, JSON_TYPE, 'Transfer-Encoding: chunked'],
  ]);
  const piece = 'a'.repeat(65_536);
  for (let i = 0; i < 17; i += 1) client.write(`10000\r\n${piece}\r\n`);
  const [answer] = await client.until(1);
  expect(answer).toMatchObject({ status: 413, body: { error: { code: 10001 } } });
});

test('a body in pieces is read as one', async () => {
  const venue = await openVenue();
  const client = new RawClient(venue.venue.port);
  client.send([
    'POST /api/3/spot/order HTTP/1.1',
    ...[HOST, AS_DEMO, JSON_TYPE, 'Transfer-Encoding: chunked'],
  ]);
  const body = JSON.stringify({ symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '30000' });
  for (const letter of body) client.write(`1\r\n${letter}\r\n`);
  client.write('0\r\n\r\n');
  const [answer] = await client.until(1);
  expect(answer).toMatchObject({ status: 200, body: { symbol: 'BTCUSDT', status: 'new' } });
});

test('an internal error is answered without details, which go to the log of the venue', async () => {
  const logged: unknown[] = [];
  const venue = await openVenue({
    setup: { log: (error, where) => logged.push([String(error), where]) },
  });
  venue.trading.members.keysOf = () => {
    throw new Error('secret detail');
  };
  const { status, body } = await venue.call('GET', '/api/3/user/api-keys?a=1', { as: 'demo' });
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: { code: 500, message: 'Internal Server Error' } });
  expect(JSON.stringify(body)).not.toContain('secret');
  expect(logged).toEqual([['Error: secret detail', 'GET /api/3/user/api-keys']]);
});
