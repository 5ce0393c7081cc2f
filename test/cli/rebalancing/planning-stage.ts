import { readFileSync, writeFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { rebalance, type RebalanceFlags } from '../../../src/cli/actions/rebalance.ts';
import type { Scheduler } from '../../../src/platform/scheduler.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import { folder } from '../../bot/rig.ts';

const EXAMPLE = readFileSync('config/rebalancing.yaml', 'utf8');
/** Nothing listens there. */
export const CLOSED = 'http://127.0.0.1:9';

/** So little that it takes few offers, and a venue that was just opened need have no prices. */
export const PORTFOLIO = `prices: { USDC: 1 }
targets:
  USDC@ethereum: { weight: 0.6, band: 0.02 }
  USDC@tron: { weight: 0.4, band: 0.02 }
`;

/** Addresses of what a portfolio is reached by; those that are not named are of the venue. */
export interface Places {
  readonly account?: string;
  readonly swaps?: string;
  /** The variable with the key of the Affiliate surface, by which is swapped instead. */
  readonly affiliateKey?: string;
  readonly exchangeOrders?: string;
  readonly tron?: string;
  readonly solana?: string;
}

/** The example, before a venue and with other services at some of its addresses. */
export function configured(venue: string, sources: Places, portfolio = PORTFOLIO): string {
  const data = folder();
  const at = (from: string, marker: RegExp, url = venue): string =>
    from.replace(marker, (line) => line.replace('http://127.0.0.1:8330', url));
  let config = EXAMPLE.slice(0, EXAMPLE.indexOf('prices:')) + portfolio;
  config = config.replace('demo-keys.json', resolve('config/demo-keys.json'));
  config = config.replace('../runs/rebalancing', data);
  config = at(config, /^ {2}url: .*$/m, sources.account);
  const { affiliateKey, swaps } = sources;
  if (affiliateKey !== undefined) {
    const affiliate = `  affiliateSwaps: { url: '${venue}', apiKey: { env: ${affiliateKey} } }`;
    config = config.replace(/^ {2}swaps: .*$/m, affiliate);
  }
  config = at(config, /^ {2}swaps: .*$/m, swaps);
  config = at(config, /^ {2}exchangeOrders: .*$/m, sources.exchangeOrders);
  config = at(config, /^ {2}tron: .*$/m, sources.tron);
  config = at(config, /^ {2}solana: .*$/m, sources.solana);
  // The fewer chains, the fewer offers a plan asks for, which it may not do faster than services let it.
  if (sources.solana === undefined) config = config.replace(/^ {2}(bitcoin|solana): .*\n/gm, '');
  const path = join(data, 'rebalancing.yaml');
  writeFileSync(path, config.replaceAll('http://127.0.0.1:8330', venue));
  return path;
}

const ENVIRONMENT = {
  VENUE_KEY: 'demo',
  VENUE_SECRET: 'demo-secret',
  KEYS_PASSPHRASE: 'demo',
  AFFILIATE_KEY: 'demo-affiliate',
};

const system = new SystemScheduler();

/** The real clock, by which every wait is half as long: ten seconds for an answer are five. */
const impatient: Scheduler = {
  now: () => system.now(),
  at: (at, task) => system.at(micros((system.now() + at) / 2), task),
};

/** What the command writes; all of it goes to `lines` too, also where the command fails. */
export async function run(
  path: string,
  flags: RebalanceFlags,
  lines: string[] = [],
): Promise<{ out: string; err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const [written, reported] = [text(out), text(err)];
  for (const stream of [out, err]) stream.on('data', (data: Buffer) => lines.push(String(data)));
  try {
    const terminal = { out, err, env: ENVIRONMENT, signals: new EventEmitter() };
    await rebalance(path, flags, terminal, impatient);
  } finally {
    out.end();
    err.end();
  }
  return { out: await written, err: await reported };
}
