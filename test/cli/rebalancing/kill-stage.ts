import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { amountOf } from '../../../src/swaps/tokens.ts';
import { folder } from '../../bot/rig.ts';
import { started } from '../bot/process.ts';
import { addressesOf, startVenue } from '../venue/venue-process.ts';

const ENVIRONMENT = {
  ...{ KEYS_PASSPHRASE: 'demo', VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' },
  // What a killed process covers cannot be counted, and counting would slow it down.
  NODE_V8_COVERAGE: undefined,
};
/** Prices stand still, so that nothing but what the test does decides what becomes of a move. */
const WORTH = { USDC: 1, USDT: 1, BTC: 60_000, ETH: 3_000, SOL: 150 };
const scheduler = new SystemScheduler();

/** JSON, as it comes from a file or a process. */
type Json = Readonly<Record<string, unknown>>;

/** A portfolio as a configuration says it. */
export interface Portfolio {
  readonly name: string;
  /** Parts of the example that are left out, such as `account`. */
  readonly without: readonly string[];
  readonly services: readonly ('swaps' | 'exchangeOrders')[];
  readonly targets: Readonly<Record<string, { readonly weight: number; readonly band: number }>>;
}

/** A move as its journal has it. */
export interface MoveRow {
  readonly plan: string;
  readonly carrier: string;
  readonly state: string;
  readonly from: string;
  readonly to: string;
  readonly send: Decimal;
  readonly arrived: Decimal;
}

/** The venue of the example as a process, with prices that stand still; ends with the test. */
export async function openStillVenue(): Promise<string> {
  const { market: _, ...example } = parse(readFileSync('config/venue.yaml', 'utf8')) as Json;
  const outside = { ...(example['outside'] as Json), worth: WORTH };
  const path = join(folder(), 'venue.yaml');
  writeFileSync(path, JSON.stringify({ ...example, outside }));
  const venue = startVenue([path, '--port', '0', '--json']);
  onTestFinished(async () => {
    venue.child.kill('SIGTERM');
    await venue.ended;
  });
  await venue.started;
  const url = `http://127.0.0.1:${addressesOf(venue).port}`;
  const other = clientOf(url, 'other');
  const offer = { symbol: 'BTCUSDC', side: 'sell', type: 'limit' } as const;
  await other.rest.createSpotOrder({ ...offer, quantity: '2', price: String(WORTH.BTC) });
  await other.close();
  return url;
}

/** Writes the configuration of a portfolio before a venue into a folder of its own. */
export function written(portfolio: Portfolio, url: string): string {
  const text = readFileSync('config/rebalancing.yaml', 'utf8');
  const example = parse(text.replaceAll('http://127.0.0.1:8330', url)) as Json;
  const { name, without, services, targets } = portfolio;
  const kept = Object.entries(example).filter(([key]) => !without.includes(key));
  const all = Object.entries(example['services'] as Json);
  const config = {
    ...Object.fromEntries(kept),
    ...{ name, data: 'data', worth: WORTH, targets },
    services: Object.fromEntries(all.filter(([key]) => services.some((one) => one === key))),
  };
  const place = folder();
  mkdirSync(join(place, 'data'));
  copyFileSync('config/demo-keys.json', join(place, 'demo-keys.json'));
  writeFileSync(join(place, 'rebalancing.yaml'), JSON.stringify(config));
  return place;
}

/** What the command prints with those flags; throws where it ends with another code. */
export async function printed(place: string, flags: readonly string[]): Promise<string> {
  const running = started(['rebalance', 'rebalancing.yaml', ...flags], {
    ...{ cwd: place, env: ENVIRONMENT },
  });
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`it ended with ${String(code)}: ${running.err()}`);
  return running.out();
}

/** What came of one process. */
export interface Life {
  /** The state at which it was killed, nothing where it came to its end. */
  readonly killedAt: string | undefined;
  readonly code: number | null;
  /** What it said happened, in order. */
  readonly happened: readonly string[];
  readonly err: string;
}

/**
 * Runs `millrace rebalance --execute --yes` and kills it as soon as it says a state of a move, such as
 * `approved`, at which none was killed yet.
 */
export async function lived(place: string, known: ReadonlySet<string>): Promise<Life> {
  const running = started(['rebalance', 'rebalancing.yaml', '--execute', '--yes', '--json'], {
    ...{ cwd: place, env: ENVIRONMENT },
  });
  let killedAt: string | undefined;
  running.child.stdout?.on('data', () => {
    const states = [...running.out().matchAll(/"state":"(\w+)","late"/g)].map(([, state]) => state);
    killedAt ??= states.find((state) => state !== undefined && !known.has(state));
    if (killedAt !== undefined) running.child.kill('SIGKILL');
  });
  const { code, signal } = await running.ended;
  const told = running.out().matchAll(/"happened":"(\w+)"/g);
  return {
    killedAt: signal === 'SIGKILL' ? killedAt : undefined,
    code,
    happened: [...told].flatMap(([, what = '']) => what),
    err: running.err(),
  };
}

/** All moves of all plans in the journal of a portfolio. */
export function movesOf(place: string, { name }: Portfolio): readonly MoveRow[] {
  const database = new DatabaseSync(join(place, 'data', `${name}.sqlite`), { readOnly: true });
  const rows = database.prepare('SELECT * FROM moves ORDER BY plan, position').all();
  database.close();
  return rows.map((row) => ({
    ...{ plan: String(row['plan']), carrier: String(row['carrier']), state: String(row['state']) },
    ...{ from: String(row['from_slot']), to: String(row['to_slot']) },
    send: new Decimal(String(row['sent'] ?? row['send'])),
    arrived: new Decimal(String(row['arrived'] ?? 0)),
  }));
}

/** What the account and the wallets of the example hold, by slot. */
export async function ledgerOf(url: string): Promise<ReadonlyMap<string, Decimal>> {
  const { outside } = parse(readFileSync('config/venue.yaml', 'utf8')) as {
    readonly outside: { readonly wallets: { readonly demo: Readonly<Record<string, Wallet>> } };
  };
  const node = new SimulatedNode({ url, scheduler, random: new Random(6) });
  const client = clientOf(url, 'demo');
  try {
    const [tokens, spot, wallet] = await Promise.all([
      node.tokens(),
      client.rest.getSpotBalances(),
      client.rest.getWalletBalances(),
    ]);
    const there = tokens.map(async ({ id, asset, network, decimals }) => {
      const lots = await node.balance(id, outside.wallets.demo[network]?.address ?? '');
      return [`${asset}@${network}`, amountOf(lots, decimals)] as const;
    });
    const here = ['USDC', 'BTC'].map((asset) => {
      const own = [...spot, ...wallet].filter(({ currency }) => currency === asset);
      const parts = own.flatMap(({ available, reserved }) => [available, reserved]);
      return [`${asset}@trading`, Decimal.sum(ZERO, ...parts)] as const;
    });
    return new Map([...(await Promise.all(there)), ...here]);
  } finally {
    await Promise.all([node.close(), client.close()]);
  }
}

interface Wallet {
  readonly address: string;
}

const clientOf = (url: string, key: 'demo' | 'other'): TradingClient =>
  new TradingClient({ url, credentials: { key, secret: `${key}-secret`, scheme: 'hs256' } });
