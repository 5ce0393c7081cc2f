import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execArgv, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BotAnswer, BotQuestion, BotUsage, Stations } from './latency/bot.ts';
import type { MarketAnswer, MarketOrder } from './latency/market.ts';

const MARKET = fileURLToPath(new URL('./latency/market.ts', import.meta.url));
const BOT = fileURLToPath(new URL('./latency/bot.ts', import.meta.url));
const BARE = fileURLToPath(new URL('./latency/bare.ts', import.meta.url));

/** As many as the service takes of an account in a second, with room to spare. */
const ORDERS_PER_SECOND = 200;
const FLOOD_PER_SECOND = 50_000;
/** So that code is compiled before anything counts; few, as in a test, are not worth more than their number. */
const WARM_UP_ORDERS = 600;
/** A folder that is memory, where a commit costs no disk. */
const MEMORY = '/dev/shm';

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

interface LatencyFigures {
  /** From the frame of the market to the frame of the order, as the venue sees it, in microseconds. */
  readonly outside: Quantiles;
  /** Medians of what the stations within the bot take. */
  readonly stations: Stations;
}

interface FloodFigures {
  readonly perSecond: number;
  readonly seconds: number;
  /** Messages that were sent and not dealt with when the time was over. */
  readonly behind: number;
  /** The part of one processor that the bot needed. */
  readonly share: number;
  /** Memory after a tenth of the time and at the end, in bytes. */
  readonly heldEarly: number;
  readonly heldLate: number;
  readonly rssLate: number;
  /** Of all frames the longest time from receipt to the end of what it led to. */
  readonly worstUs: number;
}

/**
 * How fast a live bot is: from a message of the market on its socket to the message of the order on its
 * socket, its journal written to the disk before and, for comparison, to memory; and how many messages of the
 * market it bears. Market and venue are in a process of their own, the bot in another; what is
 * measured outside holds the way through both sockets and the kernel, both ways.
 */
export async function latencyBench(options: readonly string[]): Promise<void> {
  const { orders, seconds, json } = read(options);
  const durable = await measured(tmpdir(), (pair) => latencies(pair, orders));
  const inMemory = existsSync(MEMORY)
    ? await measured(MEMORY, (pair) => latencies(pair, orders))
    : undefined;
  const floor = await measured(tmpdir(), (pair) => outside(pair, orders), BARE);
  const flood = await measured(tmpdir(), (pair) => flooded(pair, seconds));
  show(durable, inMemory, floor, flood);
  if (json) {
    const figures = { bench: 'latency', orders, durable, inMemory, floor, flood };
    stdout.write(`${JSON.stringify(figures)}\n`);
  }
}

interface Pair {
  market(order: MarketOrder): Promise<MarketAnswer>;
  bot(question: BotQuestion): Promise<BotAnswer>;
}

/** Runs a market and a bot, or another client, for one measurement; the journal stands below `base`. */
async function measured<T>(
  base: string,
  work: (pair: Pair) => Promise<T>,
  client = BOT,
): Promise<T> {
  const data = mkdtempSync(join(base, 'millrace-bench-'));
  const market = fork(MARKET, ['market'], { execArgv });
  let bot: ChildProcess | undefined;
  try {
    const listening = await answer<MarketAnswer>(market);
    if (listening.kind !== 'listening') throw new Error('the market did not open');
    const what = client === BOT ? 'bot' : 'bare';
    bot = fork(client, [what, String(listening.port), data], { execArgv });
    const own = bot;
    await answer<BotAnswer>(own);
    return await work({
      market: (order) => {
        market.send(order);
        return answer<MarketAnswer>(market);
      },
      bot: (question) => {
        own.send(question);
        return answer<BotAnswer>(own);
      },
    });
  } finally {
    await ended(bot);
    await ended(market);
    rmSync(data, { recursive: true, force: true });
  }
}

async function answer<T>(child: ChildProcess): Promise<T> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('a process of the bench ended before it answered');
  });
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [T];
  return message;
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  if (child.connected) child.disconnect();
  await gone;
}

/** How long orders take as the market sees it, once code is compiled. */
async function outside(
  pair: Pair,
  orders: number,
  warm: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Quantiles> {
  const perSecond = ORDERS_PER_SECOND;
  await pair.market({ kind: 'asking', perSecond, count: Math.min(WARM_UP_ORDERS, orders) });
  await warm();
  const asked = await pair.market({ kind: 'asking', perSecond, count: orders });
  if (asked.kind !== 'asked') throw new Error('an odd answer came');
  const lost = orders - asked.latenciesUs.length;
  if (lost > 0) throw new Error(`${lost} of ${orders} orders never came; the figures say nothing`);
  return quantilesOf(asked.latenciesUs);
}

async function latencies(pair: Pair, orders: number): Promise<LatencyFigures> {
  const quantiles = await outside(pair, orders, () => pair.bot('stations'));
  const reported = await pair.bot('stations');
  if (reported.kind !== 'stations') throw new Error('an odd answer came');
  const median = (name: keyof Stations): number =>
    quantile(
      reported.stations.map((one) => one[name]),
      0.5,
    );
  return {
    outside: quantiles,
    stations: {
      read: median('read'),
      strategy: median('strategy'),
      limits: median('limits'),
      journal: median('journal'),
      send: median('send'),
    },
  };
}

async function flooded(pair: Pair, seconds: number): Promise<FloodFigures> {
  const perSecond = FLOOD_PER_SECOND;
  const usage = async (): Promise<BotUsage> => {
    const reported = await pair.bot('usage');
    if (reported.kind !== 'usage') throw new Error('an odd answer came');
    return reported;
  };
  const part = seconds / 10;
  await pair.market({ kind: 'flood', perSecond, seconds: part });
  const early = await usage();
  await pair.market({ kind: 'flood', perSecond, seconds: seconds - part });
  const late = await usage();
  const wanted = perSecond * (seconds - part);
  // Two rows a frame: the level that goes and the one that comes.
  const frames = (late.rows - early.rows) / 2;
  const elapsed = late.elapsedNs - early.elapsedNs;
  return {
    perSecond: (frames / elapsed) * 1e9,
    behind: wanted - frames,
    seconds,
    share: (late.busyNs - early.busyNs) / elapsed,
    heldEarly: early.heldBytes,
    heldLate: late.heldBytes,
    rssLate: late.rssBytes,
    worstUs: late.worstUs,
  };
}

const quantile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
};

const quantilesOf = (values: readonly number[]): Quantiles => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
  p999: quantile(values, 0.999),
});

function read(options: readonly string[]): { orders: number; seconds: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: {
      orders: { type: 'string', default: '4000' },
      seconds: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
    },
  });
  return { orders: Number(values.orders), seconds: Number(values.seconds), json: values.json };
}

function show(
  durable: LatencyFigures,
  inMemory: LatencyFigures | undefined,
  floor: Quantiles,
  flood: FloodFigures,
): void {
  const us = (value: number): string => `${value.toFixed(0)} µs`;
  const all = ({ p50, p99, p999 }: Quantiles): string =>
    `p50 ${us(p50)}, p99 ${us(p99)}, p99.9 ${us(p999)}`;
  const row = (name: string, { outside: seen, stations }: LatencyFigures): string => {
    const { read: reading, strategy, limits, journal, send } = stations;
    const shares = [
      ...[`reading ${us(reading)}`, `strategy ${us(strategy)}`, `limits ${us(limits)}`],
      ...[`journal ${us(journal)}`, `sending ${us(send)}`],
    ];
    const more = us(seen.p50 - floor.p50);
    return `${name}  ${all(seen)}\n    p50 less that of a bare client ${more}; ${shares.join(', ')}\n`;
  };
  stderr.write(row('market message to order message, journal on disk  ', durable));
  if (inMemory !== undefined) {
    stderr.write(row('market message to order message, journal in memory', inMemory));
  }
  stderr.write(`bare client without rules, limits, state and journal       ${all(floor)}\n`);
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  stderr.write(
    `${flood.perSecond.toFixed(0)} market messages a second for ${flood.seconds} s took ${(100 * flood.share).toFixed(0)} % of a processor; held ${mib(flood.heldEarly)} early, ${mib(flood.heldLate)} late (resident ${mib(flood.rssLate)}); the longest took ${us(flood.worstUs)}${flood.behind > 0 ? `; ${flood.behind} were not dealt with in time` : ''}\n`,
  );
}
