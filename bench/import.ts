import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execArgv, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parquetWriteFile } from 'hyparquet-writer';
import { Random } from '../src/platform/random.ts';
import type { ImportFigures } from './import-child.ts';

const CHILD = fileURLToPath(new URL('./import-child.ts', import.meta.url));
/** The young generation has one size, so that a longer run is not taken for a larger one. */
const HEAP = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** Rows of each file where nothing is said. */
const ROWS = 1_000_000;
const ROUNDS = 3;
/** Rows that are put together before they are written. */
const BLOCK = 10_000;
/** 2022-01-01T00:00:00Z. */
const START_MS = 1_640_995_200_000;

/** A file that is imported, and how it is made. */
interface Case {
  readonly name: string;
  readonly format: string;
  readonly file: string;
  /** Million rows a second that are aimed at. */
  readonly aim: number;
  readonly make: (path: string, rows: number) => void;
}

const CASES: readonly Case[] = [
  {
    name: 'OHLCV CSV',
    format: 'ohlcv-csv',
    file: 'BTCUSDT.csv',
    aim: 2,
    make: lines('timestamp,open,high,low,close,volume', (row, price, size) => {
      const [open, high, low] = [price.toFixed(2), (price + 9).toFixed(2), (price - 9).toFixed(2)];
      const time = new Date(START_MS + row * 60_000).toISOString().slice(0, 19).replace('T', ' ');
      return `${time},${open},${high},${low},${open},${size.toFixed(5)}`;
    }),
  },
  {
    name: 'Tardis book',
    format: 'tardis-csv',
    file: 'book.csv',
    aim: 2,
    make: lines(
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      (row, price, size) => {
        const at = 1_000 * (START_MS + row);
        const side = row % 2 === 0 ? 'bid' : 'ask';
        return `binance,BTCUSDT,${at},${at + 1_234},${row < 1_000},${side},${price.toFixed(2)},${size.toFixed(5)}`;
      },
    ),
  },
  {
    name: 'Tardis trades',
    format: 'tardis-csv',
    file: 'trades.csv',
    aim: 2,
    make: lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      (row, price, size) => {
        const at = 1_000 * (START_MS + row);
        const side = row % 3 === 0 ? 'buy' : 'sell';
        return `binance,BTCUSDT,${at},${at + 1_234},${900_000_000 + row},${side},${price.toFixed(2)},${size.toFixed(5)}`;
      },
    ),
  },
  { name: 'Parquet', format: 'parquet', file: 'BTCUSDT.parquet', aim: 3, make: parquetTrades },
];

/**
 * Imports files of the formats that come by the gigabyte, each in a process of its own, and beside it the
 * bare splitting and reading of the same file, which says how fast this machine is now.
 */
export async function importBench(options: readonly string[]): Promise<void> {
  const { rows, json } = read(options);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    const runs: Record<string, ImportFigures> = {};
    for (const { name, format, file, aim, make } of CASES) {
      const path = join(folder, file);
      make(path, rows);
      const { stdout: reported } = await promisify(execFile)(execPath, [
        ...[...execArgv, ...HEAP, CHILD],
        ...[format, 'BTCUSDT', String(ROUNDS), path],
      ]);
      rmSync(path);
      const figures = JSON.parse(reported) as ImportFigures;
      runs[name] = figures;
      show(name, aim, figures);
    }
    if (json) stdout.write(`${JSON.stringify({ bench: 'import', rows, runs })}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(options: readonly string[]): { rows: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { rows: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const rows = values.rows === undefined ? ROWS : Number(values.rows.replaceAll('_', ''));
  if (Number.isSafeInteger(rows) && rows >= 1_000) return { rows, json: values.json === true };
  stderr.write(`--rows is ${String(values.rows)}; give a whole number of at least 1000.\n`);
  exit(2);
}

function show(name: string, aim: number, figures: ImportFigures): void {
  const { rowsPerSecond, bareRowsPerSecond, ratio, processorNs, peakBytes } = figures;
  stdout.write(
    `${name}: ${millions(rowsPerSecond)} M rows/s (aim ${aim}), ${ratio.toFixed(2)} times the bare` +
      ` split and parse (${millions(bareRowsPerSecond)} M rows/s), ${processorNs.toFixed(0)} ns of` +
      ` processor time a row, peak memory ${(peakBytes / 2 ** 20).toFixed(0)} MiB\n`,
  );
}

const millions = (count: number): string => (count / 1e6).toFixed(2);

type MakeLine = (row: number, price: number, size: number) => string;

/** Makes a text file of a header and so many lines; the same number gives the same bytes. */
function lines(header: string, line: MakeLine): (path: string, rows: number) => void {
  return (path, rows) => {
    const file = openSync(path, 'w');
    const market = walk();
    let block = [header];
    for (let row = 0; row < rows; row += 1) {
      const [price, size] = market();
      block.push(line(row, price, size));
      if (block.length < BLOCK && row + 1 < rows) continue;
      writeSync(file, `${block.join('\n')}\n`);
      block = [];
    }
    closeSync(file);
  };
}

/** A price that walks about, and a size. */
function walk(): () => readonly [number, number] {
  const random = new Random(1);
  let price = 40_000;
  return () => {
    price += Math.round(200 * (random.unit() - 0.5)) / 100;
    return [price, Math.ceil(1e5 * 3 * random.unit() ** 4) / 1e5];
  };
}

function parquetTrades(filename: string, rows: number): void {
  const market = walk();
  const [times, prices, sizes, sides, ids] = [[], [], [], [], []] as [
    ...[bigint[], number[], number[], string[], bigint[]],
  ];
  for (let row = 0; row < rows; row += 1) {
    const [price, size] = market();
    times.push(1_000n * BigInt(START_MS + row));
    prices.push(Number(price.toFixed(2)));
    sizes.push(Number(size.toFixed(5)));
    sides.push(row % 3 === 0 ? 'buy' : 'sell');
    ids.push(BigInt(900_000_000 + row));
  }
  parquetWriteFile({
    filename,
    columnData: [
      { name: 'timestamp', data: times, type: 'INT64' },
      { name: 'price', data: prices, type: 'DOUBLE' },
      { name: 'size', data: sizes, type: 'DOUBLE' },
      { name: 'side', data: sides, type: 'STRING' },
      { name: 'id', data: ids, type: 'INT64' },
    ],
    rowGroupSize: 122_880,
  });
}
