import { expect, test } from 'vitest';
import { basicHeader } from '../../../src/wire/trading/signing/authorization.ts';
import { openVenue } from '../kit.ts';
import { RawClient } from './raw.ts';

const HOST = 'Host: here';
const AS_DEMO = `Authorization: ${basicHeader({ key: 'demo', secret: 'demo-secret' })}`;

test(
  'a connection serves one request after another',
  { tags: ['server:trading-v3.conv.keep-alive'] },
  async () => {
    const venue = await openVenue();
    const client = new RawClient(venue.venue.port);
    for (let count = 1; count <= 5; count += 1) {
      client.send(['GET /api/3/public/symbol/BTCUSDT HTTP/1.1', HOST]);
      const answers = await client.until(count);
      expect(answers.at(-1)?.status).toBe(200);
      expect(client.ended).toBe(false);
    }
  },
);

test('a connection stays open after errors too', async () => {
  const venue = await openVenue();
  const client = new RawClient(venue.venue.port);
  client.send(['GET /api/3/nothing HTTP/1.1', HOST]);
  client.send(['GET /api/3/spot/balance HTTP/1.1', HOST]);
  client.send(['GET /api/3/public/symbol/NONE HTTP/1.1', HOST]);
  client.send(['GET /api/3/public/symbol/BTCUSDT HTTP/1.1', HOST]);
  const answers = await client.until(4);
  expect(answers.map(({ status }) => status)).toEqual([404, 401, 400, 200]);
});

test(
  'HTTP 1.0 with Connection: Keep-Alive keeps its connection',
  { tags: ['server:trading-v3.conv.http10-keep-alive'] },
  async () => {
    const venue = await openVenue();
    const client = new RawClient(venue.venue.port);
    for (let count = 1; count <= 3; count += 1) {
      client.send(['GET /api/3/public/symbol/BTCUSDT HTTP/1.0', 'Connection: Keep-Alive']);
      const answer = (await client.until(count)).at(-1);
      expect(answer?.status).toBe(200);
      expect(answer?.headers['connection']?.toLowerCase()).toBe('keep-alive');
      expect(answer?.headers['content-length']).toMatch(/^\d+$/);
    }
    expect(client.ended).toBe(false);
  },
);

test('HTTP 1.0 without it, and 1.1 with close, end the connection with the answer', async () => {
  const venue = await openVenue();
  const old = new RawClient(venue.venue.port);
  old.send(['GET /api/3/public/symbol/BTCUSDT HTTP/1.0']);
  await old.closed();
  const once = new RawClient(venue.venue.port);
  once.send(['GET /api/3/public/symbol/BTCUSDT HTTP/1.1', HOST, 'Connection: close']);
  await once.closed();
  expect([...old.answers, ...once.answers].map(({ status }) => status)).toEqual([200, 200]);
});

test('requests that are sent before the answers come are done in their order', async () => {
  const venue = await openVenue();
  const client = new RawClient(venue.venue.port);
  const id = 'pipelined-order-1';
  const order = { client_order_id: id, symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '9' };
  const body = JSON.stringify(order);
  const post = [
    ...['POST /api/3/spot/order HTTP/1.1', HOST, AS_DEMO],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`],
  ];
  const all =
    `${post.join('\r\n')}\r\n\r\n${body}` +
    `GET /api/3/spot/order/${id} HTTP/1.1\r\n${HOST}\r\n${AS_DEMO}\r\n\r\n` +
    `DELETE /api/3/spot/order/${id} HTTP/1.1\r\n${HOST}\r\n${AS_DEMO}\r\n\r\n` +
    `GET /api/3/spot/order HTTP/1.1\r\n${HOST}\r\n${AS_DEMO}\r\n\r\n`;
  client.write(all);
  const answers = await client.until(4);
  expect(answers.map(({ status, body: record }) => [status, record])).toEqual([
    [200, expect.objectContaining({ status: 'new' })],
    [200, expect.objectContaining({ status: 'new' })],
    [200, expect.objectContaining({ status: 'canceled' })],
    [200, []],
  ]);
});

test('a request waits for the one before it on its connection, however long that takes', async () => {
  const venue = await openVenue({
    faults: { http: [{ method: 'POST', fault: { kind: 'delay', delayMs: 5_000 } }] },
  });
  const client = new RawClient(venue.venue.port);
  const id = 'pipelined-order-2';
  const order = { client_order_id: id, symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '9' };
  const body = JSON.stringify(order);
  client.send(
    [
      ...['POST /api/3/spot/order HTTP/1.1', HOST, AS_DEMO],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
    ],
    body,
  );
  client.send([`GET /api/3/spot/order/${id} HTTP/1.1`, HOST, AS_DEMO]);
  await expect.poll(() => venue.faults?.waiting, { timeout: 20_000 }).toBe(1);
  const elsewhere = await venue.call('GET', `/api/3/spot/order/${id}`, { as: 'demo' });
  expect(elsewhere.status).toBe(400);
  venue.pass(5_000_000);
  const answers = await client.until(2);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a client that goes away before its answer harms nobody', async () => {
  const logged: unknown[] = [];
  const venue = await openVenue({ setup: { log: (error) => logged.push(error) } });
  for (let i = 0; i < 20; i += 1) {
    const client = new RawClient(venue.venue.port);
    client.send(['POST /api/3/spot/order HTTP/1.1', HOST, AS_DEMO, 'Content-Length: 100'], '{"a"');
    client.end();
    await client.closed();
  }
  const { status } = await venue.call('GET', '/api/3/public/symbol');
  expect(status).toBe(200);
  expect(logged).toEqual([]);
});
