import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execArgv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { generateRecording } from '../src/feeds/generator.ts';
import { SAMPLE } from '../src/feeds/synthetic/sample.ts';
import { MARGIN_MODES, type MarginTerms } from '../src/model/margin-terms.ts';
import { periodOf } from '../src/model/period.ts';
import { US_PER_SECOND } from '../src/platform/time.ts';
import type { Cost, Figures, Task } from './orders/child.ts';
import type { Pattern } from './orders/requests.ts';

const CHILD = fileURLToPath(new URL('./orders/child.ts', import.meta.url));
/** The young generation has one size, so that a longer run is not taken for a larger one. */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** Rows of a second of the generated market, to begin with. */
const ROWS_PER_SECOND = 15;
/** What a size of 1 means. */
const FULL = { bars: 1_000_000, rows: 10_700_000, orderRows: 600_000 };
/** How much of it is measured where nothing is said: about a minute. */
const SIZE = 0.1;
/** A recording of which the memory is compared with that of all. */
const MEMORY_PART = 0.1;
const MEMORY_ROWS = 1_000_000;
const SYMBOLS = 20;
const ROUNDS = 3;

const ONE = 'BTCUSDT';
/** Terms by which a symbol could be traded on margin, beside spot. */
const MARGIN: readonly MarginTerms[] = MARGIN_MODES.map((marginMode) => ({
  marginMode,
  maxInitialLeverage: '10',
  marginCallLeverageMul: '1.50',
  liquidationLeverageMul: '2.00',
  forceCloseFee: '0.05',
  enabled: true,
  active: true,
}));
const IDLE: Pattern = { what: 'nothing', every: 1 };

/** A row of the table; ratios are within one process. */
interface Row {
  readonly name: string;
  /** What there is so many of. */
  readonly unit: string;
  readonly count: number;
  /** Of the main thread, which the ratios are of. */
  readonly us: number;
  /** Of all threads: what collects garbage and compiles beside it counts. */
  readonly processorUs: number;
  /** Times what the exchange alone takes for the same. */
  readonly ofExchange?: number;
  /** Times what the bare scan takes for a row of the recording. */
  readonly ofScan: number;
  readonly peakMiB: number;
}

/**
 * What an order costs on its way from the strategy to the results, beside the exchange alone that is
 * asked for the same, and beside a bare scan of the recording. The cost of an order is what a run with
 * orders takes longer than one whose strategy sees the same and asks for nothing.
 */
export async function ordersBench(options: readonly string[]): Promise<void> {
  const { size, memoryRows, json } = read(options);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    const rows: Row[] = [];
    const add = (...more: readonly Row[]): void => {
      for (const row of more) show(row);
      rows.push(...more);
    };
    add(...(await smaCross(folder, size)));
    const path = market(join(folder, ONE), ONE, size * FULL.orderRows);
    const filled = { what: 'market', every: 1 } as const;
    const plain = await orders('market order filled', 'order', folder, [path], filled);
    const marginPath = market(join(folder, 'margin'), ONE, size * FULL.orderRows, MARGIN);
    const name = 'market order filled, spot beside margin terms';
    const besideMargin = await orders(name, 'order', folder, [marginPath], filled);
    add(plain, besideMargin);
    add(
      await orders('limit order placed or canceled', 'request', folder, [path], {
        what: 'limit',
        every: 1,
      }),
    );
    add(
      await orders('quote moved, both sides', 'quote', folder, [path], { what: 'quote', every: 2 }),
    );
    add(await events(folder, size));
    const symbols = await severalSymbols(folder, size);
    add(...symbols);
    const memory = await memoryOf(folder, memoryRows);
    add(...memory);
    const marginRatio = besideMargin.us / plain.us;
    const symbolsRatio = symbols[1].us / symbols[0].us;
    const memoryRatio = memory[1].peakMiB / memory[0].peakMiB;
    stdout.write(
      `a spot order of a symbol with margin terms: ${marginRatio.toFixed(2)} times that of one without\n` +
        `an order with ${SYMBOLS} symbols: ${symbolsRatio.toFixed(2)} times that with one\n` +
        `peak memory of ${(memory[1].count / memory[0].count).toFixed(1)} times the rows, with requests: ${memoryRatio.toFixed(2)} times\n`,
    );
    if (json) {
      stdout.write(
        `${JSON.stringify({ bench: 'orders', size, marginRatio, symbolsRatio, memoryRatio, rows })}\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sizes {
  /** A part of what `FULL` says. */
  readonly size: number;
  /** Rows of the longer recording by which memory is judged. */
  readonly memoryRows: number;
  readonly json: boolean;
}

function read(options: readonly string[]): Sizes {
  const { values } = parseArgs({
    args: [...options],
    options: {
      size: { type: 'string' },
      'memory-rows': { type: 'string' },
      json: { type: 'boolean' },
    },
    strict: true,
  });
  const size = values.size === undefined ? SIZE : Number(values.size);
  if (!(size >= 0.001 && size <= 1)) wrong('size', values.size, 'a number from 0.001 to 1');
  const rows = values['memory-rows'];
  const memoryRows = rows === undefined ? MEMORY_ROWS : Number(rows.replaceAll('_', ''));
  if (!Number.isSafeInteger(memoryRows) || memoryRows < 10_000) {
    wrong('memory-rows', rows, 'a whole number of at least 10000');
  }
  return { size, memoryRows, json: values.json === true };
}

function wrong(option: string, given: string | undefined, wanted: string): never {
  stderr.write(`--${option} is ${String(given)}; give ${wanted}.\n`);
  exit(2);
}

/** A mean cross on candles of a minute: the replay alone, and the process with its report. */
async function smaCross(folder: string, size: number): Promise<readonly Row[]> {
  const path = join(folder, 'bars.arrow');
  const { instrument, startAt } = SAMPLE;
  const count = Math.round(size * FULL.bars);
  const bars = { stepTicks: 2_000, reachTicks: 2_000_000, volumeLots: 100_000 };
  generateRecording(path, { seed: 5, instrument, startAt, period: periodOf('M1'), count, bars });
  const figures = await ask({
    kind: 'whole',
    paths: [path],
    symbols: [ONE],
    pattern: IDLE,
    rounds: 1,
    out: folder,
  });
  rmSync(path);
  const { rows, fills, run, whole, scan } = figures;
  const what = `SMA 10/30 on ${rows} bars, ${fills} orders filled`;
  const row = (name: string, cost: Cost): Row => ({
    name: `${what}: ${name}`,
    unit: 'bar',
    count: rows,
    ...each(cost, rows),
    ofScan: cost.busyNs / scan.busyNs,
    peakMiB: mebibytes(figures),
  });
  return [row('replay alone', run), row('process with report', whole)];
}

/** What requests cost, without what the rows cost around them. */
async function orders(
  name: string,
  unit: string,
  folder: string,
  paths: readonly string[],
  pattern: Pattern,
  symbols: readonly string[] = [ONE],
): Promise<Row> {
  const figures = await ask({
    kind: 'orders',
    paths,
    symbols,
    pattern,
    rounds: ROUNDS,
    out: folder,
  });
  // Both sides of a quote move with one command.
  const count = pattern.what === 'quote' ? figures.requests / 2 : figures.requests;
  const cost = difference(figures.run, figures.idle);
  const exchange = difference(figures.exchange, figures.exchangeIdle);
  return {
    name,
    unit,
    count,
    ...each(cost, count),
    ofExchange: cost.busyNs / exchange.busyNs,
    ofScan: cost.busyNs / count / (figures.scan.busyNs / figures.rows),
    peakMiB: mebibytes(figures),
  };
}

const difference = (one: Cost, other: Cost): Cost => ({
  busyNs: one.busyNs - other.busyNs,
  processorNs: one.processorNs - other.processorNs,
});

const each = ({ busyNs, processorNs }: Cost, count: number): Pick<Row, 'us' | 'processorUs'> => ({
  us: busyNs / count / 1_000,
  processorUs: processorNs / count / 1_000,
});

/** What an event costs a strategy that listens to book and trades. */
async function events(folder: string, size: number): Promise<Row> {
  const path = market(join(folder, 'long'), ONE, size * FULL.rows);
  const task = { kind: 'events', paths: [path], symbols: [ONE], pattern: IDLE } as const;
  const figures = await ask({ ...task, rounds: 1, out: folder });
  rmSync(path);
  const { rows, run, exchange, scan } = figures;
  return {
    name: 'event of a deep book, book and trades listened to',
    unit: 'event',
    count: rows,
    ...each(run, rows),
    ofExchange: run.busyNs / exchange.busyNs,
    ofScan: run.busyNs / scan.busyNs,
    peakMiB: mebibytes(figures),
  };
}

/** The same orders with one symbol in the run and with many, of as many rows together. */
async function severalSymbols(folder: string, size: number): Promise<readonly [Row, Row]> {
  const rows = size * FULL.orderRows;
  const names = Array.from({ length: SYMBOLS }, (_, index) => `C${index}USDT`);
  const paths = names.map((symbol) => market(join(folder, symbol), symbol, rows / SYMBOLS));
  const pattern: Pattern = { what: 'market', every: 1 };
  const [path] = [market(join(folder, 'one'), names[0], rows)];
  const one = await orders('market order, one symbol', 'order', folder, [path], pattern, [
    names[0],
  ]);
  const many = await orders(
    `market order, ${SYMBOLS} symbols`,
    'order',
    folder,
    paths,
    pattern,
    names,
  );
  return [one, many];
}

/** Peak memory of a run with requests, and of one that is ten times as long. */
async function memoryOf(folder: string, rows: number): Promise<readonly [Row, Row]> {
  const measured = async (count: number): Promise<Row> => {
    const path = market(join(folder, 'memory'), ONE, count);
    const pattern: Pattern = { what: 'quote', every: 2 };
    const task = { kind: 'memory', paths: [path], symbols: [ONE], pattern, rounds: 1 } as const;
    const figures = await ask({ ...task, out: folder });
    rmSync(path);
    return {
      name: `memory with ${figures.requests} requests`,
      unit: 'event',
      count: figures.rows,
      ...each(figures.run, figures.rows),
      ofScan: figures.run.busyNs / figures.scan.busyNs,
      peakMiB: mebibytes(figures),
    };
  };
  return [await measured(MEMORY_PART * rows), await measured(rows)];
}

/** Makes a recording of about so many rows; the same number gives the same bytes. */
function market(
  to: string,
  symbol: string,
  rows: number,
  margin: readonly MarginTerms[] = [],
): string {
  const path = `${to}.arrow`;
  const durationUs = Math.round((rows / ROWS_PER_SECOND) * US_PER_SECOND);
  const baseCurrency = symbol.replace(/USDT$/, '');
  const instrument = { ...SAMPLE.instrument, symbol, baseCurrency, margin };
  generateRecording(path, { ...SAMPLE, instrument, durationUs });
  return path;
}

async function ask(task: Task): Promise<Figures> {
  const { stdout: answer } = await promisify(execFile)(execPath, [
    ...execArgv,
    ...HEAP,
    CHILD,
    JSON.stringify(task),
  ]);
  return JSON.parse(answer) as Figures;
}

const mebibytes = ({ peakBytes }: Figures): number => peakBytes / 2 ** 20;

function show({ name, unit, count, us, ofExchange, ofScan, ...row }: Row): void {
  const exchange =
    ofExchange === undefined ? '' : `${ofExchange.toFixed(1)} times the exchange alone, `;
  stdout.write(
    `${name}: ${exchange}${ofScan.toFixed(0)} times a row's bare scan` +
      ` (${us.toFixed(us < 10 ? 2 : 1)} µs for each of ${Math.round(count)} ${unit}s,` +
      ` ${row.processorUs.toFixed(us < 10 ? 2 : 1)} µs by all threads,` +
      ` ${((us * count) / 1e6).toFixed(2)} s in all, peak memory ${row.peakMiB.toFixed(0)} MiB)\n`,
  );
}
