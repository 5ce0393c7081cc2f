import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openVenue, type TestVenue } from '../kit.ts';
import { ask } from '../streams/trading-markets.ts';

/** A client that speaks WebSocket by hand, so that it can stop to read. */
async function handmade(venue: TestVenue): Promise<Socket> {
  const raw = connect(venue.venue.port, '127.0.0.1');
  raw.on('error', () => undefined);
  onTestFinished(() => {
    raw.destroy();
  });
  raw.write(
    'GET /api/3/ws/trading HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await new Promise((resolve) => raw.once('data', resolve));
  return raw;
}

/** A text frame with a mask of zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([
    0x81,
    0x80 | 126,
    payload.length >> 8,
    payload.length & 255,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([head, payload]);
}

const login = {
  method: 'login',
  params: { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' },
};

test('a reader who stops to read is dropped with a notice, and keeps no memory of the venue', async () => {
  const venue = await openVenue();
  const feeder = await venue.tradingSocket('demo');
  const slow = await handmade(venue);
  slow.write(frame(JSON.stringify(login)));
  await new Promise((resolve) => slow.once('data', resolve));
  slow.write(frame(JSON.stringify({ method: 'spot_subscribe' })));
  await new Promise((resolve) => slow.once('data', resolve));
  slow.pause();
  // Some 400 bytes each: far more than the bound and the buffers of the system together.
  const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '1000' };
  for (let round = 0; round < 18; round += 1) {
    for (let i = 0; i < 1_000; i += 1) feeder.send({ method: 'spot_new_order', params: order });
    feeder.send({ method: 'spot_cancel_orders' });
    await feeder.settle();
  }
  let read = 0;
  const tail: Buffer[] = [];
  const ended = new Promise((resolve) => slow.once('end', resolve));
  slow.on('data', (chunk: Buffer) => {
    read += chunk.length;
    tail.push(chunk);
    if (tail.length > 2) tail.shift();
    // The close of the venue is answered, as a client does.
    if (chunk.includes('does not fit')) slow.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
  });
  slow.resume();
  await ended;
  const text = Buffer.concat(tail).toString('latin1');
  expect(text).toContain('The socket is read too slowly');
  expect(text.slice(text.indexOf('The socket') - 2, text.indexOf('The socket'))).toBe('\x03\xf5');
  expect(read).toBeLessThan(15_000_000);
  expect(await ask(feeder, 'spot_get_orders', { symbol: 'ETHBTC' })).toEqual([]);
});

test('who asks for much at once waits for the answers, which all come', async () => {
  const venue = await openVenue();
  const socket = await venue.tradingSocket('demo');
  for (let i = 0; i < 2_000; i += 1) {
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '1000' };
    socket.send({ method: 'spot_new_order', params: order });
  }
  for (let i = 0; i < 20; i += 1) socket.send({ method: 'spot_get_orders', id: `${i}` });
  await socket.settle();
  expect(socket.frames.filter(({ id }) => typeof id === 'string')).toHaveLength(20);
  expect(await ask(socket, 'spot_cancel_orders')).toHaveLength(2_000);
});
