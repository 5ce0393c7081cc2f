import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GUESS_ROWS,
  type Format,
  type ImportOptions,
} from '../../../src/feeds/importers/contract.ts';
import type { FormatName } from '../../../src/feeds/importers/formats.ts';
import { ImportGrid } from '../../../src/feeds/importers/grid.ts';
import { loadFormat } from '../../../src/feeds/importers/load.ts';
import { ohlcvCsv } from '../../../src/feeds/importers/ohlcv-csv.ts';
import { CellReader } from '../../../src/feeds/importers/parquet-cell.ts';
import { PlainRows } from '../../../src/feeds/importers/plain-rows.ts';
import { importFiles } from '../../../src/feeds/importers/run.ts';
import { tardisCsv } from '../../../src/feeds/importers/tardis-csv.ts';
import { readTime } from '../../../src/feeds/importers/timestamp.ts';
import { sequenceOf } from '../../../src/feeds/importers/trades.ts';
import { RecordingWriter } from '../../../src/feeds/writer.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { runs, seed } from '../../kit/size.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { filesOf, importPaths } from './imported.ts';

/** Text that no importer should take for another number than it is. */
const dirt = fc.constantFrom(
  ...['', ' 1', '1 ', '+1', '-1', '1e2', '1E-3', '.5', '5.', '1.0050', '007.10', 'abc', '1.2.3'],
  ...['9007199254740991', '9007199254740993', '90071992547409.93', '0.000000000000000001', '1_0'],
  ...['1\r', 'é', '∞', 'NaN', '0x10', '1.'],
);
const digits = (fraction: number) =>
  fc
    .tuple(fc.nat(99_999), fc.nat(10 ** fraction - 1))
    .map(([whole, rest]) => `${whole}.${String(rest).padStart(fraction, '0')}`);
const mostly = (plain: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: plain, weight: 60 }, { arbitrary: dirt, weight: 1 });
const price = mostly(fc.oneof(digits(2), digits(1), digits(4), fc.nat(99_999).map(String)));
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n');

/** What an import comes to: its rows and what was counted, or its error; quotation marks do not count. */
async function outcome(format: FormatName, path: string, options: ImportOptions): Promise<unknown> {
  const plain = (text: string): string =>
    text.replaceAll(path, 'FILE').replaceAll(basename(path), 'FILE').replaceAll('"', '');
  try {
    const { rows, report } = await importPaths(format, [path], options);
    return { rows, report: plain(JSON.stringify(report)) };
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return { code: error.code, message: plain(error.message) };
  }
}

/** The same file with a quotation mark in each row, so that it is read field by field as text. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line, index) =>
      index === 0 || !line.includes(',') ? line : line.replace(/^([^,]*),/, '"$1",'),
    )
    .join('\n');

const grids = fc.constantFrom<ImportOptions>(
  {},
  { tickSize: '0.01' },
  { tickSize: '0.5', quantityIncrement: '0.25' },
);

async function readAlike(format: FormatName, text: string, options: ImportOptions): Promise<void> {
  const paths = filesOf({ 'BTCUSDT-a.csv': text, 'BTCUSDT-b.csv': quoted(text) });
  const [plain, slow] = await Promise.all(paths.map((path) => outcome(format, path, options)));
  expect(plain).toEqual(slow);
}

describe('a row that is read from its bytes', () => {
  test('comes to the same as its fields read as text: candles', async () => {
    const times = fc.constantFrom('iso', 'T', 'ms', 's', 'us', 'ns');
    const row = fc.tuple(price, price, price, price, price, fc.nat(30), lineEnd);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 2, maxLength: 30 }),
        times,
        grids,
        (rows, kind, options) => {
          let minute = 27_348_480;
          const lines = rows.map(([open, high, low, close, volume, odd, end]) => {
            // Some candles are missing, and some come again.
            minute += odd === 0 ? 3 : odd === 1 ? 0 : 1;
            return `${timeText(minute * 60_000, kind)},${open},${high},${low},${close},${volume}${end}`;
          });
          const text = `timestamp,open,high,low,close,volume\n${lines.join('')}`;
          return readAlike('ohlcv-csv', text, { period: 'M1', ...options });
        },
      ),
      { numRuns: runs(500), seed: seed(12) },
    );
  });

  test('comes to the same as its fields read as text: files of Tardis', async () => {
    const row = fc.tuple(
      ...[fc.nat(40), price, price, price, price],
      ...[mostly(fc.constantFrom('buy', 'sell', 'bid', 'ask', 'unknown')), lineEnd],
    ) as fc.Arbitrary<[number, string, string, string, string, string, string]>;
    const types = fc.constantFrom('trades', 'book', 'quotes');
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 30 }),
        types,
        grids,
        (rows, type, options) => {
          let at = 1_640_995_200_000_000;
          const lines = rows.map(([odd, a, b, c, d, word, end]) => {
            at += odd % 4;
            const symbol = odd === 40 ? 'ETHUSDT' : 'BTCUSDT';
            const start = `binance,${symbol},${at},${at + 5},`;
            if (type === 'quotes') return `${start}${a},${b},${c},${d}${end}`;
            const side = word.replace('buy', type === 'book' ? 'bid' : 'buy');
            const first = type === 'book' ? String(odd % 3 === 0) : a;
            return `${start}${first},${side},${b},${c}${end}`;
          });
          return readAlike('tardis-csv', `${HEADERS[type]}\n${lines.join('')}`, options);
        },
      ),
      { numRuns: runs(500), seed: seed(13) },
    );
  });

  test('is left to others where it is not plain, and is never another number', () => {
    const field = fc.oneof(
      dirt,
      fc.stringMatching(/^[\d.\-:TZ ]{0,24}$/),
      fc.nat().map(String),
      digits(3),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const steps = fc.constantFrom('1', '0.001', '0.25', '5', '0.000000000000001');
    fc.assert(
      fc.property(fc.tuple(field, field, field), steps, ([time, number, id], step) => {
        const grid = new ImportGrid(step);
        const rows = PlainRows.of(',', 3, [
          [0, { kind: 'time', unit: undefined }],
          [1, { kind: 'steps', grid }],
          [2, { kind: 'id' }],
        ]);
        const bytes = Buffer.from(`${time},${number},${id}\n`);
        if (rows === undefined || rows.read(bytes, 0) < 0) return;
        expect([...rows.values]).toEqual([readTime(time), grid.count(number), sequenceOf(id)]);
      }),
      { numRuns: runs(5_000), seed: seed(11) },
    );
  });
});

describe('a cell of Parquet that is a number', () => {
  test('comes to the same as its shortest text', () => {
    const value = fc.oneof(
      fc.double(),
      fc.nat(10_000_000).map((n) => n / 100),
      fc.maxSafeNat().map((n) => n / 1e8),
      fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
      fc.integer(),
    );
    const steps = fc.constantFrom('1', '0.01', '0.25', '5', '0.00000001');
    const units = fc.constantFrom(undefined, 's', 'ms', 'us', 'ns');
    fc.assert(
      fc.property(value, steps, units, (given, step, unit) => {
        const grid = new ImportGrid(step);
        const cells = new CellReader({ name: 'any', type: 'DOUBLE' });
        const text = String(given);
        expect(cells.steps(given, grid)).toBe(grid.count(text));
        expect(cells.time(given, unit)).toBe(readTime(text, unit));
        expect(cells.sequence(given)).toBe(sequenceOf(text));
      }),
      { numRuns: runs(5_000), seed: seed(14) },
    );
  });
});

const HEADERS = {
  trades: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
  book: 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
  quotes: 'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
} as const;

function timeText(ms: number, kind: string): string {
  const iso = new Date(ms).toISOString();
  const texts: Readonly<Record<string, string>> = {
    iso: iso.slice(0, 19).replace('T', ' '),
    T: iso.replace('.000Z', 'Z'),
    ms: String(ms),
    s: String(ms / 1_000),
    us: `${ms}000`,
    ns: `${ms}000000`,
  };
  return texts[kind] ?? '';
}

/** The bytes of the recording, or the message of the error. */
async function made(
  format: Format,
  paths: readonly string[],
  options: ImportOptions,
): Promise<string> {
  const target = join(temporaryFolder(), 'it.arrow');
  try {
    await importFiles(format, paths, options, (meta) => RecordingWriter.create(target, meta));
    return readFileSync(target, 'base64');
  } catch (error) {
    return String(error);
  }
}

describe('terms that were guessed from the first rows', () => {
  const candles = (...more: readonly string[]): string => {
    const lines = Array.from({ length: GUESS_ROWS }, (_, index) => `${60 * index + 6e8},1,1,1,1,1`);
    return ['timestamp,open,high,low,close,volume', ...lines, ...more].join('\n');
  };
  const next = 60 * GUESS_ROWS + 6e8;
  const trades = (...more: readonly string[]): string => {
    const lines = Array.from(
      { length: GUESS_ROWS },
      (_, n) => `binance,BTCUSDT,${n},${n},,buy,1,1`,
    );
    return [HEADERS.trades, ...lines, ...more].join('\n');
  };
  const ticker = (...rates: readonly string[]): string => {
    const lines = rates.map((rate, n) => `binance,BTCUSDT,${n},${n},,${rate},,5,1.5,1,1`);
    return [TICKER, ...lines].join('\n');
  };

  test.each<[string, Format, Readonly<Record<string, string>>, ImportOptions]>([
    ['a finer price', ohlcvCsv, { a: candles(`${next},1,1.5,1,1.25,1`) }, {}],
    ['a finer volume', ohlcvCsv, { a: candles(`${next},1,1,1,1,0.001`) }, {}],
    [
      'a finer volume of a candle that came before',
      ohlcvCsv,
      { a: candles(`${next - 60},1,1,1,1,1.5`) },
      {},
    ],
    [
      'volumes that are too many for the increment',
      ohlcvCsv,
      { a: candles(`${next},1,1,1,1,0.25`, `${next + 60},1,1,1,1,900719925474099`) },
      {},
    ],
    ['a shorter period', ohlcvCsv, { a: candles(`${next + 1},1,1,1,1,1`) }, {}],
    ['a line that is no row', ohlcvCsv, { a: candles('nothing') }, {}],
    [
      'prices that are rounded',
      ohlcvCsv,
      { a: candles(`${next},1,1.26,1,1,1`) },
      { tickSize: '0.25' },
    ],
    [
      'a finer price of a trade',
      tardisCsv,
      { a: trades('binance,BTCUSDT,99999,99999,,buy,1.5,1') },
      {},
    ],
    [
      'a row of another symbol',
      tardisCsv,
      { a: trades('binance,ETHUSDT,99999,99999,,buy,1,1') },
      {},
    ],
    [
      'another exchange',
      tardisCsv,
      { a: trades('binance-futures,BTCUSDT,99999,99999,,buy,1,1') },
      {},
    ],
    [
      ...(['a funding rate', tardisCsv] as const),
      { a: trades(), b: ticker(...Array.from({ length: GUESS_ROWS }, () => ''), '0.0001') },
      {},
    ],
  ])('give way to %s, as if all rows had been looked at', async (_what, format, files, options) => {
    const paths = filesOf(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`BTCUSDT-${name}.csv`, text]),
      ),
    );
    const { guess: _guess, ...scanning } = format;
    expect(await made(format, paths, options)).toBe(await made(scanning, paths, options));
  });

  test('are those of all rows where nothing finer follows', async () => {
    const format = await loadFormat('ohlcv-csv');
    let scans = 0;
    const watched: Format = {
      ...format,
      scan: (...given) => {
        scans += 1;
        return format.scan(...given);
      },
    };
    const paths = filesOf({ 'BTCUSDT.csv': candles(`${next},1,2,1,1,3`) });
    const { guess: _guess, ...scanning } = format;
    expect(await made(watched, paths, {})).toBe(await made(scanning, paths, {}));
    expect(scans).toBe(0);
  });
});

const TICKER =
  'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price';
