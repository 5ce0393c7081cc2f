import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { JournalReader } from '../../../src/bot/journal/reader.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { started, type RunningProcess } from '../process.ts';
import { openExample, urlOf } from '../venue/example.ts';
import { addressesOf, startVenue, type VenueProcess } from '../venue/venue-process.ts';

const CREDENTIALS = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };
const clients: TradingClient[] = [];
let work = '';
let stays: Simulation | undefined;
/** A process, to be killed. */
let goes: VenueProcess | undefined;
let bot: RunningProcess | undefined;

afterEach(async () => {
  bot?.child.kill('SIGKILL');
  goes?.child.kill('SIGKILL');
  await Promise.all([bot?.ended, goes?.ended, ...clients.map((client) => client.close())]);
  await stays?.close();
  rmSync(work, { recursive: true, force: true });
});

async function openVenues(): Promise<readonly string[]> {
  goes = startVenue(['--port', '0', '--json']);
  [stays] = await Promise.all([openExample(), goes.opened]);
  const urls = [urlOf(stays), `http://127.0.0.1:${addressesOf(goes).port}`];
  const credentials = { key: 'demo', secret: 'demo-secret', scheme: 'hs256' as const };
  for (const url of urls) clients.push(new TradingClient({ url, credentials }));
  return urls;
}

test('one bot trades on two venues: each strategy on its own, and one venue may go while the other goes on', async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-two-'));
  const urls = await openVenues();
  const account = (name: string, url: string | undefined) =>
    `  ${name}: { url: "${url ?? ''}", key: { env: VENUE_KEY }, secret: { env: VENUE_SECRET } }`;
  const strategy = (name: string, of: string, symbol: string) =>
    `  ${name}:
    strategy: market-maker
    account: ${of}
    parameters: { symbol: ${symbol}, quantity: '0.001', most: '0.004', edge: '50', refreshMs: 200 }
    budget: { USDT: 5000, BTC: 0.5, ETH: 5 }`;
  writeFileSync(
    join(work, 'bot.yaml'),
    `name: two
mode: live
data: data
accounts:
${account('here', urls[0])}
${account('there', urls[1])}
strategies:
${strategy('bitcoin', 'here', 'BTCUSDT')}
${strategy('ether', 'there', 'ETHUSDT')}
control: { port: 0 }
reconciliation: { every: 2s }
`,
  );
  bot = started(['run', join(work, 'bot.yaml')], { env: CREDENTIALS });
  const symbols = async (client: TradingClient | undefined): Promise<readonly string[]> => {
    const orders = (await client?.rest.getSpotOrders()) ?? [];
    return [...new Set(orders.map(({ symbol }) => symbol))];
  };
  await vi.waitFor(async () => {
    expect(await symbols(clients[0])).toEqual(['BTCUSDT']);
    expect(await symbols(clients[1])).toEqual(['ETHUSDT']);
  }, PATIENCE);
  goes?.child.kill('SIGKILL');
  await bot.says('Account there is disconnected');
  const newest = async (): Promise<number> =>
    Math.max(...((await clients[0]?.rest.getSpotOrders()) ?? []).map(({ id }) => id));
  const before = await newest();
  await vi.waitFor(async () => {
    expect(await newest()).toBeGreaterThan(before);
  }, PATIENCE);
  for (const [name, own] of [
    ['here', 'bitcoin'],
    ['there', 'ether'],
  ] as const) {
    const journal = JournalReader.open(join(work, 'data', `${name}.sqlite`));
    const owners = Array.from(journal.orders(micros(0)), ({ order }) => order.strategy);
    expect(new Set(owners)).toEqual(new Set([own]));
    journal.close();
  }
}, 240_000);
