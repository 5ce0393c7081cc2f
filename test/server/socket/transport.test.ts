import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { NO_FAULTS } from '../../../src/server/faults/plan.ts';
import { openVenue, type TestVenue } from '../kit.ts';
import { ask, BUY } from '../streams/trading-markets.ts';

const PATH = '/api/3/ws/trading';
const LOGIN = {
  method: 'login',
  params: { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' },
  id: 1,
};

interface Rejected {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The answer to a request for a socket that is refused. */
const rejectedUpgrade = (venue: TestVenue, path: string): Promise<Rejected> =>
  new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port: venue.venue.port,
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    asked.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, body: JSON.parse(text), headers });
      });
    });
    asked.on('upgrade', () => {
      reject(new Error('a socket was opened'));
    });
    asked.on('error', reject);
    asked.end();
  });

describe('opening a socket', () => {
  test.each(['/api/3/ws/nothing', '/api/3/ws', '/', '/api/3/public/symbol'])(
    'at %s is answered with 404 in the shape of the service',
    async (path) => {
      const venue = await openVenue();
      const { status, body } = await rejectedUpgrade(venue, path);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: { code: 800 }, path });
    },
  );

  test('a slash at the end and a query change nothing', async () => {
    const venue = await openVenue();
    const socket = await venue.socket(`${PATH}/?a=b`);
    socket.send(LOGIN);
    await socket.settle();
    expect(socket.frames).toEqual([{ jsonrpc: '2.0', result: true, id: 1 }]);
  });

  test('too many are answered with 429 and when to try again', async () => {
    const venue = await openVenue({ limits: true });
    for (let i = 0; i < 20; i += 1) await venue.socket(PATH);
    const { status, body, headers } = await rejectedUpgrade(venue, PATH);
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: { code: 429, message: 'Too many requests' } });
    expect(headers['retry-after']).toBe('1');
  });

  test('any subprotocol, any origin and other headers are taken', async () => {
    const venue = await openVenue();
    const raw = new WebSocket(`ws://127.0.0.1:${venue.venue.port}${PATH}`, ['json', 'v3'], {
      origin: 'https://elsewhere.example',
    });
    const received = new Promise<string>((resolve) => {
      raw.once('message', (data: Buffer) => {
        resolve(data.toString());
      });
    });
    await new Promise((resolve, reject) => raw.once('open', resolve).once('error', reject));
    raw.send(JSON.stringify(LOGIN));
    expect(JSON.parse(await received)).toMatchObject({ result: true });
    raw.terminate();
  });

  test('during maintenance it is answered with 503, and open sockets are closed', async () => {
    const venue = await openVenue({ faults: {} });
    const socket = await venue.tradingSocket('demo');
    venue.faults?.play({ ...NO_FAULTS, maintenance: true });
    expect(await rejectedUpgrade(venue, PATH)).toMatchObject({
      status: 503,
      body: { error: { code: 503 } },
    });
    socket.send({ method: 'spot_get_orders', id: 9 });
    expect(await socket.closed).toMatchObject({ code: 1012 });
  });
});

describe('messages', () => {
  test('binary messages are read as text', async () => {
    const venue = await openVenue();
    const socket = await venue.socket(PATH);
    socket.raw.send(Buffer.from(JSON.stringify(LOGIN)), { binary: true });
    await socket.settle();
    expect(socket.frames).toEqual([{ jsonrpc: '2.0', result: true, id: 1 }]);
  });

  test('a message in several frames is read as one', async () => {
    const venue = await openVenue();
    const socket = await venue.socket(PATH);
    const text = JSON.stringify(LOGIN);
    socket.raw.send(text.slice(0, 20), { fin: false });
    socket.raw.send(text.slice(20, 50), { fin: false });
    socket.raw.send(text.slice(50), { fin: true });
    await socket.settle();
    expect(socket.frames).toEqual([{ jsonrpc: '2.0', result: true, id: 1 }]);
  });

  test('a message that is too long closes its socket with 1009, and no other', async () => {
    const venue = await openVenue();
    const long = await venue.socket(PATH);
    const other = await venue.tradingSocket('demo');
    long.send(`{"method":"${'x'.repeat(1 << 20)}"}`);
    expect(await long.closed).toMatchObject({ code: 1009 });
    expect(await ask(other, 'spot_get_orders')).toEqual([]);
  });

  test('text that is not UTF-8 closes its socket with 1007', async () => {
    const venue = await openVenue();
    const socket = await venue.socket(PATH);
    socket.raw.send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), { binary: false });
    expect(await socket.closed).toMatchObject({ code: 1007 });
  });

  test('bytes that are no frames end the connection, and no other', async () => {
    const venue = await openVenue();
    const other = await venue.tradingSocket('demo');
    const raw = connect(venue.venue.port, '127.0.0.1');
    const ended = new Promise((resolve) => raw.once('close', resolve));
    raw.on('error', () => undefined);
    raw.write(
      `GET ${PATH} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    raw.once('data', () => raw.write(Buffer.alloc(64, 0xff)));
    raw.resume();
    await ended;
    expect(await ask(other, 'spot_get_orders')).toEqual([]);
  });

  test('long frames of all lengths arrive whole', async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    for (const length of [1, 20, 60, 61, 62, 63, 64, 65_000, 65_450, 65_460, 65_470, 70_000]) {
      const id = 'ä'.repeat(length % 7) + 'x'.repeat(length);
      socket.send({ method: 'spot_get_orders', id });
      const reply = await socket.until((frame) => frame['id'] === id);
      expect(reply).toEqual({ jsonrpc: '2.0', result: [], id });
    }
  });
});

describe('staying open', () => {
  test('a client that answers pings stays', async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    let pings = 0;
    socket.raw.on('ping', () => (pings += 1));
    for (let i = 1; i <= 4; i += 1) {
      venue.pass(25_000_000);
      await socket.settle();
    }
    expect(pings).toBe(4);
    expect(await ask(socket, 'spot_get_orders')).toEqual([]);
  });

  test('one that answers nothing is dropped at the next ping', async () => {
    const venue = await openVenue();
    const silent = new WebSocket(`ws://127.0.0.1:${venue.venue.port}${PATH}`, { autoPong: false });
    await new Promise((resolve) => silent.once('open', resolve));
    const gone = new Promise((resolve) => silent.once('close', resolve));
    const pinged = new Promise((resolve) => silent.once('ping', resolve));
    venue.pass(25_000_000);
    await pinged;
    expect(silent.readyState).toBe(silent.OPEN);
    venue.pass(25_000_000);
    expect(await gone).toBe(1006);
  });

  test('the venue says goodbye when it closes', async () => {
    const venue = await openVenue();
    const socket = await venue.socket(PATH);
    await venue.venue.close();
    expect(await socket.closed).toMatchObject({ code: 1001 });
  });

  test('what is followed ends with the socket', async () => {
    const venue = await openVenue();
    const gone = await venue.tradingSocket('demo');
    await ask(gone, 'spot_subscribe');
    await ask(gone, 'spot_balance_subscribe', { mode: 'batches' });
    const socket = await venue.tradingSocket('demo');
    gone.raw.close();
    await gone.closed;
    await ask(socket, 'spot_new_order', { ...BUY, symbol: 'BTCUSDT' });
    venue.pass(1_000_000);
    expect(gone.received('spot_order')).toEqual([]);
  });
});

test('an internal error closes its socket with 1011 and no details, and is logged', async () => {
  const logged: unknown[] = [];
  const venue = await openVenue({
    setup: {
      log: (error, where) => {
        logged.push([error, where]);
      },
    },
  });
  const unlucky = await venue.tradingSocket('demo');
  const other = await venue.tradingSocket('other');
  const mistake = new Error('a secret detail');
  const broken = vi.spyOn(venue.trading, 'act').mockImplementation(() => {
    throw mistake;
  });
  unlucky.send({ method: 'spot_get_orders', id: 5 });
  expect(await unlucky.closed).toEqual({ code: 1011, reason: 'Internal Server Error' });
  expect(logged).toEqual([[mistake, PATH]]);
  broken.mockRestore();
  expect(await ask(other, 'spot_get_orders')).toEqual([]);
});
