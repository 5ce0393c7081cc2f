import { expect, test } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { basic } from '../accounts/signer.ts';
import { openVenue } from '../kit.ts';
import { RawClient } from './raw.ts';

const { authorization } = basic('demo', 'demo-secret');

const BODY = JSON.stringify({
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '1',
  price: '10.5',
  type: 'limit',
  expire_time: '2026-01-06T00:00:00Z',
  strict_validate: true,
  orders: [{ a: null }],
});

/** Sound requests, from which noise is made. */
const SOUND = [
  `GET /api/3/public/symbol?symbols=BTCUSDT%2CETHBTC HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET /api/3/spot/history/order?from=2026-01-05T10%3A00%3A00Z&limit=10 HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`,
  `DELETE /api/3/spot/order/an-order-id HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`,
  `POST /api/3/spot/order HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  `POST /api/2/order HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na=1&\r\n3\r\nb=%\r\n0\r\n\r\n`,
];

/** Changes, doubles, drops and adds bytes. */
function noisy(sound: string, random: Random): Buffer {
  const bytes = [...Buffer.from(sound)];
  for (let changes = random.integer(1, 6); changes > 0; changes -= 1) {
    const at = random.integer(0, bytes.length - 1);
    const kind = random.integer(0, 3);
    const byte = random.chance(0.5) ? random.integer(0, 255) : random.integer(32, 126);
    if (kind === 0) bytes[at] = byte;
    else if (kind === 1) bytes.splice(at, random.integer(1, 5));
    else if (kind === 2) bytes.splice(at, 0, byte);
    else bytes.splice(at, 0, ...bytes.slice(at, at + random.integer(1, 20)));
  }
  return Buffer.from(bytes);
}

test('noise is answered with an error of the caller, or not at all, and never with 500', async () => {
  const logged: unknown[] = [];
  const venue = await openVenue({ setup: { log: (error) => logged.push(error) } });
  const random = new Random(20_260_105);
  const statuses = new Set<number>();
  for (let round = 0; round < 30; round += 1) {
    const clients = Array.from({ length: 20 }, () => {
      const client = new RawClient(venue.venue.port);
      client.write(noisy(SOUND[random.integer(0, SOUND.length - 1)] ?? '', random));
      client.end();
      return client;
    });
    await Promise.all(clients.map((client) => client.closed()));
    for (const { status, text, body } of clients.flatMap(({ answers }) => answers)) {
      statuses.add(status);
      expect(text).not.toMatch(/node_modules|\.ts\b/);
      if (status !== 200) expect(body).toMatchObject({ error: { code: expect.any(Number) } });
    }
  }
  expect(logged).toEqual([]);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(statuses).toContain(200);
  expect(statuses).toContain(400);
  expect((await venue.call('GET', '/api/3/public/symbol')).status).toBe(200);
});
