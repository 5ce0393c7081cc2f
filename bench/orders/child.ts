import { argv, resourceUsage, stdout } from 'node:process';
import { writeRun } from '../../src/backtest/output.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { openSeries } from '../../src/feeds/series.ts';
import { inlineMore } from '../../src/platform/compiler.ts';
import { busyNs } from '../../src/platform/stopwatch.ts';
import { micros } from '../../src/platform/time.ts';
import type { Strategy } from '../../src/strategy/define.ts';
import { exchangeAlone } from './exchange-alone.ts';
import type { Pattern } from './requests.ts';
import { smaCross } from './sma-cross.ts';
import { asking, watching } from './strategies.ts';

/** What one process is to measure. */
export interface Task {
  readonly kind: 'orders' | 'events' | 'whole' | 'memory';
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
  readonly pattern: Pattern;
  /** Each figure is the median of so many rounds. */
  readonly rounds: number;
  /** Where a whole run writes its result. */
  readonly out: string;
}

/** What a pass over the recordings took: the main thread, and all threads, as those that collect garbage. */
export interface Cost {
  readonly busyNs: number;
  readonly processorNs: number;
}

/** Each cost is the median of the rounds. */
export interface Figures {
  readonly rows: number;
  /** Requests that reached the exchange, and fills. */
  readonly requests: number;
  readonly fills: number;
  /** Reading the columns and adding up sizes, with nothing else. */
  readonly scan: Cost;
  /** The exchange alone, without requests and with them. */
  readonly exchangeIdle: Cost;
  readonly exchange: Cost;
  /** The backtest whose strategy asks for nothing, and the one that asks. */
  readonly idle: Cost;
  readonly run: Cost;
  /** The whole process from its start, the bare scan left out. */
  readonly whole: Cost;
  /** Peak resident memory of the process. */
  readonly peakBytes: number;
}

/** Passes of the exchange alone in a round: they are short, and their difference is shorter still. */
const EXCHANGE_PASSES = 5;

async function work({ kind, paths, symbols, pattern, rounds, out }: Task): Promise<Figures> {
  const idle = { ...pattern, what: 'nothing' } as const;
  const balances = balancesOf(symbols);
  const took: Partial<Record<keyof Figures, Cost[]>> = {};
  const time = async <T>(name: keyof Figures, run: () => T | Promise<T>): Promise<T> => {
    const [busy, processor] = [busyNs(), processorNs()];
    const result = await run();
    const cost = { busyNs: busyNs() - busy, processorNs: processorNs() - processor };
    (took[name] ??= []).push(cost);
    return result;
  };
  const strategyOf = (what: Pattern): Strategy => {
    if (kind === 'events') return watching(symbols[0]);
    return kind === 'whole' ? smaCross : asking(what, symbols);
  };
  let rows = 0;
  let [requests, fills] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    rows = await time('scan', () => scan(paths));
    if (kind === 'orders' || kind === 'events') {
      for (let pass = 0; pass < EXCHANGE_PASSES; pass += 1) {
        await time('exchangeIdle', () => exchangeAlone(paths, idle, balances));
        await time('exchange', () => exchangeAlone(paths, pattern, balances));
      }
    }
    if (kind === 'orders') await time('idle', () => run(strategyOf(idle), paths, balances));
    const result = await time('run', () => run(strategyOf(pattern), paths, balances));
    if (kind === 'whole') writeRun(result, out);
    check(kind, result);
    requests = requestsOf(result);
    ({ fills } = result.orders);
  }
  const of = (name: keyof Figures): Cost => median(took[name] ?? []);
  return {
    rows,
    requests,
    fills,
    scan: of('scan'),
    exchangeIdle: of('exchangeIdle'),
    exchange: of('exchange'),
    idle: of('idle'),
    run: of('run'),
    whole: whole(of('scan')),
    peakBytes: resourceUsage().maxRSS * 1_024,
  };
}

/** The process up to now, without its bare scan. */
const whole = (scanned: Cost): Cost => ({
  busyNs: busyNs() - scanned.busyNs,
  processorNs: processorNs() - scanned.processorNs,
});

/** Processor time of all threads. */
function processorNs(): number {
  const { user, system } = process.cpuUsage();
  return 1_000 * (user + system);
}

const run = (
  strategy: Strategy,
  paths: readonly string[],
  balances: Readonly<Record<string, string>>,
): Promise<BacktestResult> =>
  runBacktest({ strategy, parameters: {}, recordings: paths, balances, from: micros(0) });

/** A figure of orders that were refused says nothing. */
function check(kind: Task['kind'], { orders, failure }: BacktestResult): void {
  const { rejected, refused, refusedReplacements, refusedCancels } = orders;
  const lost = rejected + refused + refusedReplacements + refusedCancels;
  if (failure === undefined && (lost === 0 || kind === 'whole')) return;
  throw new Error(failure?.message ?? `of the requests ${lost} were refused`);
}

const requestsOf = ({ orders }: BacktestResult): number =>
  orders.sent + orders.replacements + orders.cancels;

/** Enough of everything that nothing is refused. */
const balancesOf = (symbols: readonly string[]): Readonly<Record<string, string>> => ({
  USDT: '100000000',
  ...Object.fromEntries(symbols.map((symbol) => [symbol.replace(/USDT$/, ''), '1000'])),
});

/** Gives the number of rows. */
function scan(paths: readonly string[]): number {
  let rows = 0;
  let sum = 0;
  for (const recording of openSeries(paths)) {
    for (const { length, kind, size } of recording.batches()) {
      for (let row = 0; row < length; row += 1) if (kind[row] > 0) sum += size[row];
      rows += length;
    }
    recording.close();
  }
  if (sum <= 0) throw new RangeError('the recordings hold no sizes');
  return rows;
}

function median(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted((a, b) => a.busyNs - b.busyNs);
  return sorted.at(Math.floor(sorted.length / 2)) ?? { busyNs: 0, processorNs: 0 };
}

// As the command does.
inlineMore();
stdout.write(JSON.stringify(await work(JSON.parse(argv[2]) as Task)));
