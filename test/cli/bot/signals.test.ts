import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { startedHere, type RunningHere } from '../command.ts';
import { started, type RunningProcess } from '../process.ts';
import { addressesOf, startVenue, type VenueProcess } from '../venue/venue-process.ts';

const CREDENTIALS = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };

let work = '';
let tests = 0;
/** A process, so that it can be stopped as one. */
let venue: VenueProcess;
let url = '';
let client: TradingClient;
/** Ends whatever bots a test has started. */
let ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  venue = startVenue(['--port', '0', '--json']);
  await venue.opened;
  url = `http://127.0.0.1:${addressesOf(venue).port}`;
  client = new TradingClient({
    url,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });
});

afterAll(async () => {
  await client.close();
  venue.child.kill('SIGTERM');
  await venue.ended;
});

beforeEach(() => {
  tests += 1;
  work = mkdtempSync(join(tmpdir(), 'millrace-signals-'));
});

afterEach(async () => {
  venue.child.kill('SIGCONT');
  await Promise.all(ends.map((end) => end()));
  ends = [];
  await client.rest.cancelSpotOrders();
  rmSync(work, { recursive: true, force: true });
});

/** Each test has a strategy of its own name, since names of orders are held for a while. */
const maker = (): string => `maker${tests}`;

/** Writes the configuration of a live bot that quotes on that service, and gives its path. */
function configured(service: string, within = '60s'): string {
  const path = join(work, 'bot.yaml');
  writeFileSync(
    path,
    `name: signals
mode: live
data: data
accounts:
  main:
    url: ${service}
    key: { env: VENUE_KEY }
    secret: { env: VENUE_SECRET }
strategies:
  ${maker()}:
    strategy: market-maker
    account: main
    parameters: { symbol: BTCUSDT, quantity: '0.001', most: '0.004', edge: '50', refreshMs: 200 }
    budget: { USDT: 5000, BTC: 0.5 }
control: { port: 0 }
shutdown: { orders: cancel, within: ${within} }
`,
  );
  return path;
}

/** Such a bot as a process of its own. */
function run(service: string, within?: string): RunningProcess {
  const bot = started(['run', configured(service, within)], { env: CREDENTIALS });
  ends.push(() => {
    bot.child.kill('SIGKILL');
    return bot.ended;
  });
  return bot;
}

/** Such a bot in this process. */
function runHere(service: string): RunningHere {
  const bot = startedHere(['run', configured(service)], CREDENTIALS);
  ends.push(() => {
    bot.signal('SIGTERM');
    return bot.ended;
  });
  return bot;
}

const quoting = (): Promise<void> =>
  vi.waitFor(async () => {
    expect((await client.rest.getSpotOrders()).length).toBeGreaterThan(0);
  }, PATIENCE);

test('SIGTERM cancels what is open, and the bot ends well', async () => {
  const { child, ended } = run(url);
  await quoting();
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(await client.rest.getSpotOrders()).toEqual([]);
});

test('SIGTERM at a venue that does not answer ends in time, exits with 1 and names the open orders', async () => {
  const { child, ended, says } = run(url, '1s');
  await quoting();
  venue.child.kill('SIGSTOP');
  child.kill('SIGTERM');
  await says('could not be canceled');
  await says(`${maker()}-`);
  expect(await ended).toEqual({ code: 1, signal: null });
});

test('a second signal ends at once, and the journal is whole', async () => {
  const { child, ended, says } = run(url);
  await quoting();
  // The venue does not answer any more, so that what is open cannot be canceled.
  venue.child.kill('SIGSTOP');
  child.kill('SIGTERM');
  await says('Stopping.');
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 130, signal: null });
  venue.child.kill('SIGCONT');
  const journal = JournalReader.open(join(work, 'data', 'main.sqlite'));
  const history = await client.rest.getSpotOrderHistory({ limit: 1_000 });
  const ids = history
    .map((order) => order.client_order_id)
    .filter((id) => id.startsWith(`${maker()}-`));
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter((id) => journal.order(id) === undefined)).toEqual([]);
  journal.close();
});

test('SIGTERM while it still looks for its service ends it, and lets its journal go', async () => {
  const nowhere = runHere('http://127.0.0.1:9');
  await nowhere.says('starts signals');
  nowhere.signal('SIGTERM');
  expect((await nowhere.ended).code).toBe(0);
  const next = runHere(url);
  await quoting();
  next.signal('SIGTERM');
  expect((await next.ended).code).toBe(0);
});

test('SIGHUP takes new limits over, and says what needs a restart', async () => {
  const { signal, says, out } = runHere(url);
  await quoting();
  const path = join(work, 'bot.yaml');
  const changed = readFileSync(path, 'utf8')
    .replace('budget: { USDT: 5000, BTC: 0.5 }', 'budget: { USDT: 4000, BTC: 0.5 }')
    .concat('reconciliation: { every: 5s }\n');
  writeFileSync(path, changed);
  signal('SIGHUP');
  await says('The configuration was reloaded');
  const line = out()
    .split('\n')
    .find((one) => one.includes('reloaded'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    taken: ['reconciliation'],
    needsRestart: [`strategies.${maker()}`],
  });
});
