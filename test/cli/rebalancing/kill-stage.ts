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
import { US_PER_MS } from '../../../src/platform/time.ts';
import { amountOf } from '../../../src/swaps/tokens.ts';
import { folder } from '../../bot/rig.ts';
import { startedHere } from '../command.ts';
import { started } from '../process.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';

const ENVIRONMENT = { KEYS_PASSPHRASE: 'demo', VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };
/**
 * Prices stand still, so that nothing but what the test does decides what becomes of a transfer.
 */
const VALUE = { USDC: 1, USDT: 1, BTC: 60_000, ETH: 3_000, SOL: 150 };
const scheduler = new SystemScheduler();

/** JSON, as it comes from a file or a process. */
type Json = Readonly<Record<string, unknown>>;

/** A portfolio as a configuration says it. */
export interface Portfolio {
  readonly name: string;
  /** Parts of the example that are left out, such as `account`. */
  readonly without: readonly string[];
  readonly services: readonly ('swaps' | 'exchangeOrders')[];
  /** States at which it is killed in the usual size; in the full size it is at all that it says. */
  readonly killedAt: readonly string[];
  readonly targets: Readonly<Record<string, { readonly weight: number; readonly band: number }>>;
}

/** A transfer as its journal has it. */
export interface TransferRow {
  readonly plan: string;
  readonly route: string;
  readonly state: string;
  readonly from: string;
  readonly to: string;
  readonly send: Decimal;
  readonly arrived: Decimal;
}

/** From a payment until it arrives: so long that the command sees that it is paid before. */
const PAYOUT_US = 1_200 * US_PER_MS;

/** The venue of the example in haste, with prices that stand still; ends with the test. */
export async function openStillVenue(): Promise<string> {
  const { outside, ...settings } = hurried(example(), { payoutUs: PAYOUT_US });
  if (outside === undefined) throw new Error('the example has no chains');
  const prices = new Map(Object.entries(VALUE).map(([name, one]) => [name, new Decimal(one)]));
  const venue = await openExample({ ...settings, market: [], outside: { ...outside, prices } });
  onTestFinished(() => venue.close());
  const url = urlOf(venue);
  const other = clientOf(url, 'other');
  const offer = { symbol: 'BTCUSDC', side: 'sell', type: 'limit' } as const;
  await other.rest.createSpotOrder({ ...offer, quantity: '2', price: String(VALUE.BTC) });
  await other.close();
  return url;
}

/** Writes the configuration of a portfolio before a venue into a folder of its own. */
export function written(portfolio: Portfolio, url: string): string {
  const text = readFileSync('config/rebalancing.yaml', 'utf8');
  const example = parse(text.replaceAll('http://127.0.0.1:8330', url)) as Json;
  const { name, without, services, targets } = portfolio;
  const kept = Object.entries(example).filter(([key]) => !without.includes(key));
  const [assets, places] = [0, 1].map((part) =>
    Object.keys(targets).map((holding) => holding.split('@')[part] ?? ''),
  );
  // A plan asks for an offer or two between any two holdings that it may pass through.
  const config = {
    ...Object.fromEntries(kept),
    name,
    data: 'data',
    prices: picked(VALUE, assets),
    targets,
    chains: picked(example['chains'] as Json, places),
    services: picked(example['services'] as Json, services),
  };
  const place = folder();
  mkdirSync(join(place, 'data'));
  copyFileSync('config/demo-keys.json', join(place, 'demo-keys.json'));
  writeFileSync(join(place, 'rebalancing.yaml'), JSON.stringify(config));
  return place;
}

const picked = (all: Json, keys: readonly string[] = []): Json =>
  Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));

/** What the command prints with those flags; throws where it ends with another code. */
export async function printed(place: string, flags: readonly string[]): Promise<string> {
  const { code, out, err } = await startedHere(lineOf(place, flags), ENVIRONMENT).ended;
  if (code !== 0) throw new Error(`it ended with ${String(code)}: ${err}`);
  return out;
}

/**
 * Has a process compile what those that are killed load, and end as it reaches nobody: a killed one
 * keeps nothing of what it compiled for the next.
 */
export async function compiled(portfolio: Portfolio): Promise<void> {
  const place = written(portfolio, 'http://127.0.0.1:9');
  const { code } = await started(lineOf(place, ['--plan']), { env: ENVIRONMENT }).ended;
  if (code !== 1) throw new Error(`it ended with ${String(code)}`);
}

/** What came of one process. */
export interface Life {
  /** The state at which it was sent a kill; it may have come to its end before that reached it. */
  readonly killedAt: string | undefined;
  /** Its exit code; nothing where it was killed. */
  readonly code: number | null;
  /** What it said happened, in order. */
  readonly happened: readonly string[];
  readonly err: string;
}

const EXECUTE = ['--execute', '--yes', '--json'];

/**
 * Runs `millrace rebalance --execute --yes` and kills it as soon as it says a state of a transfer,
 * such as `approved`, that is wanted.
 */
export async function lived(place: string, isWanted: (state: string) => boolean): Promise<Life> {
  const running = started(lineOf(place, EXECUTE), { env: ENVIRONMENT });
  let killedAt: string | undefined;
  running.child.stdout?.on('data', () => {
    const states = [...running.out().matchAll(/"state":"(\w+)","late"/g)].flatMap(
      ([, state = '']) => state,
    );
    killedAt ??= states.find(isWanted);
    if (killedAt !== undefined) running.child.kill('SIGKILL');
  });
  const { code } = await running.ended;
  return {
    killedAt,
    code,
    happened: happenedIn(running.out()),
    err: running.err(),
  };
}

/** The same within this process, where nobody kills it. */
export async function livedOn(place: string): Promise<Life> {
  const { code, out, err } = await startedHere(lineOf(place, EXECUTE), ENVIRONMENT).ended;
  return { killedAt: undefined, code, happened: happenedIn(out), err };
}

const lineOf = (place: string, flags: readonly string[]): readonly string[] => [
  'rebalance',
  join(place, 'rebalancing.yaml'),
  ...flags,
];

const happenedIn = (out: string): readonly string[] =>
  [...out.matchAll(/"happened":"(\w+)"/g)].flatMap(([, what = '']) => what);

/** All transfers of all plans in the journal of a portfolio. */
export function transfersOf(place: string, { name }: Portfolio): readonly TransferRow[] {
  const database = new DatabaseSync(join(place, 'data', `${name}.sqlite`), { readOnly: true });
  const rows = database.prepare('SELECT * FROM moves ORDER BY plan, position').all();
  database.close();
  return rows.map((row) => ({
    plan: String(row['plan']),
    route: String(row['carrier']),
    state: String(row['state']),
    from: String(row['from_slot']),
    to: String(row['to_slot']),
    send: new Decimal(String(row['sent'] ?? row['send'])),
    arrived: new Decimal(String(row['arrived'] ?? 0)),
  }));
}

/** What the account and the wallets of the example hold, by holding. */
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
