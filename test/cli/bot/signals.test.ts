import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { addressesOf, startVenue, type VenueProcess } from '../venue/venue-process.ts';
import { started, type Running } from './process.ts';

let work = '';
let venue: VenueProcess;
let url = '';
let client: TradingClient;
let bot: Running | undefined;

beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-signals-'));
  venue = startVenue(['--port', '0', '--json']);
  await venue.started;
  url = `http://127.0.0.1:${addressesOf(venue).port}`;
  client = new TradingClient({
    url,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });
}, 60_000);

afterEach(async () => {
  bot?.child.kill('SIGKILL');
  await client.close();
  venue.child.kill('SIGCONT');
  venue.child.kill('SIGTERM');
  await venue.ended;
  rmSync(work, { recursive: true, force: true });
});

/** A live bot that quotes, on that service. */
function run(service: string, more = ''): Running {
  writeFileSync(
    join(work, 'bot.yaml'),
    `name: signals
mode: live
data: data
accounts:
  main:
    url: ${service}
    key: { env: VENUE_KEY }
    secret: { env: VENUE_SECRET }
strategies:
  maker:
    strategy: market-maker
    account: main
    parameters: { symbol: BTCUSDT, lots: 100, maxLots: 400, edgeTicks: 5000, refreshMs: 200 }
    budget: { USDT: 5000, BTC: 0.5 }
control: { port: 0 }
shutdown: { orders: cancel, within: 10s }
${more}`,
  );
  bot = started(['run', 'bot.yaml'], {
    cwd: work,
    env: { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' },
  });
  return bot;
}

const quoting = (): Promise<void> =>
  vi.waitFor(
    async () => {
      expect((await client.rest.getSpotOrders()).length).toBeGreaterThan(0);
    },
    { timeout: 30_000, interval: 100 },
  );

test('SIGTERM cancels what is open, and the bot ends well', async () => {
  const { child, ended } = run(url);
  await quoting();
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(await client.rest.getSpotOrders()).toEqual([]);
}, 60_000);

test('a second signal ends at once, and the journal is whole', async () => {
  const { child, ended, says } = run(url);
  await quoting();
  // The venue does not answer any more, so that what is open cannot be canceled.
  venue.child.kill('SIGSTOP');
  child.kill('SIGTERM');
  await says('Told to stop');
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 130, signal: null });
  venue.child.kill('SIGCONT');
  const journal = JournalReader.open(join(work, 'data', 'main.sqlite'));
  const history = await client.rest.getSpotOrderHistory({ limit: 1_000 });
  const ids = history.map((order) => order.client_order_id);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter((id) => journal.order(id) === undefined)).toEqual([]);
  journal.close();
}, 60_000);

test('SIGTERM while it still looks for its service ends it, and lets its journal go', async () => {
  const nowhere = run('http://127.0.0.1:9');
  await nowhere.says('starts signals');
  nowhere.child.kill('SIGTERM');
  expect(await nowhere.ended).toEqual({ code: 0, signal: null });
  const { child, ended } = run(url);
  await quoting();
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
}, 60_000);

test('SIGHUP takes new limits over, and says what needs a restart', async () => {
  const { child, says } = run(url);
  await quoting();
  const path = join(work, 'bot.yaml');
  const changed = readFileSync(path, 'utf8')
    .replace('budget: { USDT: 5000, BTC: 0.5 }', 'budget: { USDT: 4000, BTC: 0.5 }')
    .concat('reconciliation: { every: 5s }\n');
  writeFileSync(path, changed);
  child.kill('SIGHUP');
  await says('The configuration was read anew');
  const line = (bot?.out() ?? '').split('\n').find((one) => one.includes('read anew')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    taken: ['reconciliation'],
    needsRestart: ['strategies.maker'],
  });
}, 60_000);
