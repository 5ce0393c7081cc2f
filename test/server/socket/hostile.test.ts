import { expect, test } from 'vitest';
import { ask } from '../http/raw.ts';
import { openVenue } from '../kit.ts';

const PATH = '/api/3/ws/trading';
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = 'Sec-WebSocket-Version: 13';

test.each([
  ['without a key', 'GET', [VERSION]],
  ['with a key that is none', 'GET', [VERSION, 'Sec-WebSocket-Key: x']],
  ['of another version', 'GET', [KEY, 'Sec-WebSocket-Version: 99']],
  ['with subprotocols that are none', 'GET', [KEY, VERSION, 'Sec-WebSocket-Protocol: a,,b']],
  ['by another method than GET', 'POST', [KEY, VERSION]],
])('a handshake %s is refused in the shape of the service', async (_what, method, headers) => {
  const venue = await openVenue();
  const upgrade = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket'];
  const {
    status,
    body,
    headers: sent,
  } = await ask(venue.venue.port, [`${method} ${PATH} HTTP/1.1`, ...upgrade, ...headers]);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: 10001 }, path: PATH, status: 400 });
  expect(sent['sec-websocket-version']).toBe('13');
});

test('what else than 100-continue is expected is passed over', async () => {
  const venue = await openVenue();
  const { status, body } = await ask(venue.venue.port, [
    'GET /api/3/public/symbol/NOTHING HTTP/1.1',
    ...['Host: a', 'Expect: something'],
  ]);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: 2001 } });
});

test.each([
  ['/api/3/ws/trading', 'type'],
  ['/api/3/ws/wallet', 'type'],
  ['/api/2/ws/trading', 'algo'],
  ['/api/2/ws/account', 'algo'],
])('a scheme at %s that is no text and cannot become any is refused', async (path, member) => {
  const logged: unknown[] = [];
  const venue = await openVenue({ setup: { log: (error) => logged.push(error) } });
  const socket = await venue.socket(path);
  const reply = await socket.request('login', { [member]: { toString: 1 } });
  expect(reply).toMatchObject({ error: { code: 1002 } });
  expect(logged).toEqual([]);
});
