import { onTestFinished, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { venueSettings } from '../../bot/venue-settings.ts';
import { clockAt } from '../data/folder.ts';
import { RawClient } from '../http/raw.ts';

const PATH = '/api/3/public/symbol';

/** A venue as the command opens it; gives its port. */
async function open(more: Partial<SimulationSettings> = {}): Promise<number> {
  const simulation = await Simulation.open(venueSettings(['alice'], more), clockAt());
  onTestFinished(() => simulation.close());
  return simulation.venue.port;
}

/** The status of a request with just these lines behind its first one. */
async function status(port: number, ...headers: readonly string[]): Promise<number> {
  const client = new RawClient(port);
  client.send([`GET ${PATH} HTTP/1.1`, ...headers]);
  const [answer] = await client.until(1);
  return answer?.status ?? 0;
}

test.each([
  ['127.0.0.1'],
  ['localhost'],
  ['LOCALHOST:8330'],
  ['[::1]:8330'],
  ['venue.example:8330'],
])('a venue answers under the name %s', async (name) => {
  const port = await open({ hosts: ['venue.example'] });
  expect(await status(port, `Host: ${name}`)).toBe(200);
});

test.each([
  ['a name that leads here', ['Host: evil.example'], 403],
  ['no name', ['Host:'], 403],
  ['two names', ['Host: localhost', 'Host: evil.example'], 400],
  ['a page elsewhere', ['Host: localhost', 'Origin: https://evil.example'], 403],
  ['a page of no origin', ['Host: localhost', 'Origin: null'], 403],
  ['a link on a page elsewhere', ['Host: localhost', 'Sec-Fetch-Site: cross-site'], 403],
])('a venue refuses a request from %s', async (_, headers, expected) => {
  expect(await status(await open(), ...headers)).toBe(expected);
});

test('a venue answers its own pages, and those of an origin that is configured', async () => {
  const port = await open({ origins: ['https://desk.example'] });
  const own = ['Host: localhost:8330', 'Origin: http://localhost:8330'];
  expect(await status(port, ...own, 'Sec-Fetch-Site: same-origin')).toBe(200);
  const origin = 'https://desk.example';
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { origin } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  const asked = await fetch(`http://127.0.0.1:${port}/api/3/spot/order`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-headers')).toBe('authorization');
});

test('a venue opens no socket to a page elsewhere, and one to a client without a page', async () => {
  const port = await open();
  const at = `ws://127.0.0.1:${port}/api/3/ws/public`;
  const outcome = (options: ConstructorParameters<typeof WebSocket>[2]): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(at, options);
      onTestFinished(() => {
        socket.terminate();
      });
      socket.on('open', () => {
        resolve('open');
      });
      socket.on('error', ({ message }) => {
        resolve(message);
      });
    });
  expect(await outcome({ origin: 'https://evil.example' })).toContain('403');
  expect(await outcome({ headers: { host: 'evil.example' } })).toContain('403');
  expect(await outcome({})).toBe('open');
  expect(await outcome({ origin: `http://127.0.0.1:${port}` })).toBe('open');
});
