import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execArgv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { LatencyFigures, RateFigures } from './matching/child.ts';
import { writeOperations } from './matching/file.ts';
import { writeJavaScript } from './matching/javascript.ts';
import { drawOperations, type Filling } from './matching/operations.ts';
import type { Outcome } from './matching/outcome.ts';

const SOURCE = fileURLToPath(new URL('./matching/child.ts', import.meta.url));

/** Young objects have a room of one size, so that no process is judged by how V8 lets it grow. */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
/** A process can have its garbage collected before it is measured, and waits until V8 has. */
const COLLECTED = ['--expose-gc'];

const OPERATIONS = 1_000_000;
const ACCOUNTS = 1_000;
/** Every figure is the median of so many rounds, as the machine may be busy with other things. */
const ROUNDS = 5;
/** Fewer operations than these, as in a test, are measured once and at once: their figures say little anyway. */
const VALUE_ROUNDS = 100_000;
/** Measured operations of a file that shows how cost grows, as a part of the large file. */
const SCALING_PART = 0.2;
/** Resting orders, as parts of the large file's length: 10 thousand, 100 thousand, 1 million. */
const RESTING_PARTS = [0.01, 0.1, 1];
const ACCOUNT_NUMBERS = [1, 10_000];

/** A file of so many accounts' operations that comes upon so many resting orders. */
interface Case {
  readonly what: 'book' | 'exchange';
  readonly resting: number;
  /** True where an operation may cancel any of them. */
  readonly isCanceled: boolean;
  readonly accounts: number;
}

interface Scaling {
  readonly resting: number;
  readonly accounts: number;
  readonly nsPerOperation: number;
}

/**
 * One seeded file of operations through the book alone, through the whole exchange with accounts,
 * reserves, fees and reports, and through `nodejs-order-book`, each in a process of its own. The
 * comparison holds only while all three come to the same trades, so that is checked.
 */
export async function matchingBench(options: readonly string[]): Promise<void> {
  const { operations, json } = read(options);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    const heap = operations < VALUE_ROUNDS ? HEAP : [...HEAP, ...COLLECTED];
    const program = { path: writeJavaScript(SOURCE, folder), heap };
    const path = join(folder, 'operations');
    draw(path, operations, { orders: 0, isCanceled: false });
    const rates = await measureRates(program, path, operations);
    const latency = await measureLatency(program, path, operations);
    const growth = await measureGrowth({ program, folder, operations });
    if (json) {
      const line = { bench: 'matching', operations, ...rates, ...latency, ...growth };
      stdout.write(`${JSON.stringify(line)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(options: readonly string[]): { operations: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { operations: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const given = values.operations;
  const operations = given === undefined ? OPERATIONS : Number(given.replaceAll('_', ''));
  if (!Number.isSafeInteger(operations) || operations < 1_000) {
    stderr.write(`--operations is ${String(given)}; give a whole number of at least 1000.\n`);
    exit(2);
  }
  return { operations, json: values.json === true };
}

/** Draws a file of so many operations that come upon resting orders; the same ones each time. */
function draw(path: string, operations: number, filling: Filling): void {
  writeOperations(path, drawOperations(operations, 1, filling));
}

const roundsOf = (operations: number): number => (operations < VALUE_ROUNDS ? 1 : ROUNDS);

interface Rates {
  readonly bookRatio: number;
  readonly exchangeRatio: number;
  readonly referencePerSecond: number;
  readonly bookPerSecond: number;
  readonly exchangePerSecond: number;
  readonly peakBytes: number;
  readonly trades: number;
  readonly tradedLots: number;
}

/** Runs the three by turns; ratios are taken within a round. */
async function measureRates(program: Program, path: string, operations: number): Promise<Rates> {
  const rounds: Record<'reference' | 'book' | 'exchange', RateFigures>[] = [];
  for (let round = 0; round < roundsOf(operations); round += 1) {
    const reference = await ask<RateFigures>(program, 'reference', path);
    const book = await ask<RateFigures>(program, 'book', path);
    const exchange = await ask<RateFigures>(program, 'exchange', path, ACCOUNTS);
    agree(reference, book, 'the book alone');
    agree(reference, exchange, 'the exchange');
    rounds.push({ reference, book, exchange });
  }
  const perSecond = (what: 'reference' | 'book' | 'exchange'): number =>
    median(rounds.map((round) => (1e9 * operations) / round[what].busyNs));
  const ratio = (what: 'book' | 'exchange'): number =>
    median(rounds.map((round) => round.reference.busyNs / round[what].busyNs));
  const { trades, tradedLots } = rounds[0].reference;
  const rates: Rates = {
    bookRatio: ratio('book'),
    exchangeRatio: ratio('exchange'),
    referencePerSecond: perSecond('reference'),
    bookPerSecond: perSecond('book'),
    exchangePerSecond: perSecond('exchange'),
    peakBytes: Math.max(...rounds.map((round) => round.exchange.peakBytes)),
    trades,
    tradedLots,
  };
  stdout.write(
    `${operations} operations, ${trades} trades of ${tradedLots} lots by all three\n` +
      `nodejs-order-book: ${millions(rates.referencePerSecond)}\n` +
      `the book alone: ${millions(rates.bookPerSecond)}, ${rates.bookRatio.toFixed(1)} times that\n` +
      `the whole exchange: ${millions(rates.exchangePerSecond)}, ${rates.exchangeRatio.toFixed(1)} times that,` +
      ` peak memory ${(rates.peakBytes / 2 ** 20).toFixed(0)} MiB\n`,
  );
  return rates;
}

function agree(one: Outcome, other: Outcome, name: string): void {
  if (one.trades === other.trades && one.tradedLots === other.tradedLots) return;
  stderr.write(
    `nodejs-order-book made ${one.trades} trades of ${one.tradedLots} lots and ${name}` +
      ` ${other.trades} of ${other.tradedLots}; they cannot be compared.\n`,
  );
  exit(1);
}

interface Latency extends LatencyFigures {
  /** The longest operation of each pass. */
  readonly longestNsOfPasses: readonly number[];
}

async function measureLatency(
  program: Program,
  path: string,
  operations: number,
): Promise<Latency> {
  const passes = await ask<LatencyFigures[]>(
    program,
    'latency',
    path,
    ACCOUNTS,
    roundsOf(operations),
  );
  const of = (name: keyof LatencyFigures): number[] => passes.map((pass) => pass[name]);
  const latency: Latency = {
    p50Ns: median(of('p50Ns')),
    p99Ns: median(of('p99Ns')),
    longestNs: median(of('longestNs')),
    longestBusyNs: median(of('longestBusyNs')),
    longestNsOfPasses: of('longestNs'),
  };
  stdout.write(
    `one operation of the exchange: half within ${latency.p50Ns.toFixed(0)} ns, 99% within` +
      ` ${latency.p99Ns.toFixed(0)} ns, the longest ${latency.longestNsOfPasses.map((ns) => (ns / 1e6).toFixed(2)).join(', ')} ms` +
      ` (${(latency.longestBusyNs / 1e6).toFixed(2)} ms without waiting for a processor)\n`,
  );
  return latency;
}

/** The program to measure, where its files go, and how long the large one is. */
interface Setup {
  readonly program: Program;
  readonly folder: string;
  readonly operations: number;
}

/** How many times what an operation costs in the first case it costs in the dearest, and what it costs in each. */
interface Growth {
  /** With so many orders resting, any of which an operation may cancel. */
  readonly restingGrowth: number;
  /** The same operations beside so many orders that rest. */
  readonly besideGrowth: number;
  /** Both for the book alone. */
  readonly bookRestingGrowth: number;
  readonly bookBesideGrowth: number;
  readonly accountsGrowth: number;
  readonly scaling: Readonly<Record<string, readonly Scaling[]>>;
}

async function measureGrowth(setup: Setup): Promise<Growth> {
  const cases = (what: 'book' | 'exchange', isCanceled: boolean): Case[] =>
    RESTING_PARTS.map((part) => {
      const resting = Math.round(part * setup.operations);
      return { what, resting, isCanceled, accounts: ACCOUNTS };
    });
  const byResting = (scaling: Scaling): number => scaling.resting;
  const resting = await measureScaling(setup, cases('exchange', true));
  showScaling('the exchange by orders resting, any of which is canceled', resting, byResting);
  const beside = await measureScaling(setup, cases('exchange', false));
  showScaling('the exchange by orders resting beside the same operations', beside, byResting);
  const bookResting = await measureScaling(setup, cases('book', true));
  showScaling('the book by orders resting, any of which is canceled', bookResting, byResting);
  const bookBeside = await measureScaling(setup, cases('book', false));
  showScaling('the book by orders resting beside the same operations', bookBeside, byResting);
  const accounts = await measureScaling(
    setup,
    ACCOUNT_NUMBERS.map((number) => ({
      what: 'exchange',
      resting: 0,
      isCanceled: false,
      accounts: number,
    })),
  );
  showScaling('the exchange by accounts', accounts, (scaling) => scaling.accounts);
  return {
    restingGrowth: growthOf(resting),
    besideGrowth: growthOf(beside),
    bookRestingGrowth: growthOf(bookResting),
    bookBesideGrowth: growthOf(bookBeside),
    accountsGrowth: growthOf(accounts),
    scaling: { resting, beside, bookResting, bookBeside, accounts },
  };
}

/** What an operation costs in each case, the cases by turns. */
async function measureScaling(
  { program, folder, operations }: Setup,
  cases: readonly Case[],
): Promise<Scaling[]> {
  const count = Math.round(SCALING_PART * operations);
  const path = ({ resting, isCanceled }: Case): string =>
    join(folder, `resting-${resting}${isCanceled ? '-canceled' : ''}`);
  for (const one of cases) {
    const { resting: orders, isCanceled } = one;
    // The book and the exchange get the same files.
    if (!existsSync(path(one))) draw(path(one), count, { orders, isCanceled });
  }
  const tookNs: number[][] = cases.map(() => []);
  for (let round = 0; round < roundsOf(operations); round += 1) {
    for (const [index, one] of cases.entries()) {
      const { busyNs } = await ask<RateFigures>(program, one.what, path(one), one.accounts);
      tookNs[index].push(busyNs / count);
    }
  }
  return cases.map(({ resting, accounts }, index) => ({
    resting,
    accounts,
    nsPerOperation: median(tookNs[index]),
  }));
}

function showScaling(
  what: string,
  scaling: readonly Scaling[],
  numberOf: (one: Scaling) => number,
): void {
  const parts = scaling.map((one) => `${numberOf(one)}: ${one.nsPerOperation.toFixed(0)} ns`);
  stdout.write(`${what}: ${parts.join(', ')}; ${growthOf(scaling).toFixed(2)} times the first\n`);
}

/** How many times the first case's cost the dearest costs. */
const growthOf = (scaling: readonly Scaling[]): number =>
  Math.max(...scaling.map((one) => one.nsPerOperation / scaling[0].nsPerOperation));

async function ask<T>(...task: Task): Promise<T> {
  return JSON.parse(await child(...task)) as T;
}

/** What is run in a process of its own, and how V8 keeps its memory. */
interface Program {
  readonly path: string;
  readonly heap: readonly string[];
}

/** The program, what it does, the file that it does it with, and numbers that the task needs. */
type Task = readonly [program: Program, task: string, path: string, ...numbers: number[]];

async function child(...[program, task, path, ...numbers]: Task): Promise<string> {
  const { stdout: reported } = await promisify(execFile)(execPath, [
    ...execArgv,
    ...program.heap,
    program.path,
    task,
    path,
    ...numbers.map(String),
  ]);
  return reported;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const millions = (perSecond: number): string => `${(perSecond / 1e6).toFixed(2)} M operations/s`;
