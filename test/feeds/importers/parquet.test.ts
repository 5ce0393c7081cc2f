import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';
import type { ColumnSource } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import type { ImportOptions } from '../../../src/feeds/importers/contract.ts';
import { CANDLE, LAST, SELL, TRADE } from '../../../src/model/events.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { filesOf, importPaths, rejectionOf } from './imported.ts';

/** 2022-01-01T00:00:00Z. */
const START_MS = 1_640_995_200_000;
const START = START_MS * 1_000;

function parquetOf(
  columnData: ColumnSource[],
  schema?: readonly SchemaElement[],
  name = 'BTCUSDT-trades.parquet',
): string {
  const filename = join(temporaryFolder(), name);
  const root = { name: 'root', num_children: columnData.length };
  parquetWriteFile({
    filename,
    columnData,
    rowGroupSize: 2,
    ...(schema === undefined ? {} : { schema: [root, ...schema] }),
  });
  return filename;
}

const times = { name: 'timestamp', data: [START_MS, START_MS + 1, START_MS + 2].map(BigInt) };
const price = { name: 'price', data: ['61837.63', '61837.64', '61837.60'] };
const amount = { name: 'amount', data: ['0.5', '2', '0.25'] };
const side = { name: 'side', data: ['buy', 'SELL', ''] };
const id = { name: 'id', data: [7n, 8n, 9n] };

const expected = [
  [START, START, TRADE, LAST, 7, 6_183_763, 50, 0, 0, 0],
  [START + 1_000, START + 1_000, TRADE, SELL | LAST, 8, 6_183_764, 200, 0, 0, 0],
  [START + 2_000, START + 2_000, TRADE, LAST, 9, 6_183_760, 25, 0, 0, 0],
];

const imported = async (path: string, options: ImportOptions = {}) =>
  importPaths('parquet', [path], options);

describe('trades in Parquet', () => {
  test('are read with prices as text', async () => {
    const { rows, report } = await imported(parquetOf([times, price, amount, side, id]));
    expect(rows).toEqual(expected);
    expect(report).toMatchObject({ trades: 3, unsidedTrades: 1 });
    expect(report.instrument).toMatchObject({
      symbol: 'BTCUSDT',
      tickSize: '0.01',
      quantityIncrement: '0.01',
    });
  });

  test('are read with prices as binary fractions, by their shortest decimal', async () => {
    const doubles = [
      { name: 'price', data: [61837.63, 61837.64, 61837.6], type: 'DOUBLE' as const },
      { name: 'qty', data: [0.5, 2, 0.25], type: 'FLOAT' as const },
    ];
    const { rows } = await imported(parquetOf([times, ...doubles, side, id]));
    expect(rows).toEqual(expected);
  });

  test('have single-precision sizes by the decimal that was meant', async () => {
    const single = { name: 'size', data: [0.1, 16777.217, 1e-7], type: 'FLOAT' as const };
    const { rows, report } = await imported(parquetOf([times, price, single]));
    expect(report.instrument.quantityIncrement).toBe('0.0000001');
    expect(rows.map((row) => row[6])).toEqual([1_000_000, 167_772_170_000, 1]);
  });

  test.each<[string, Partial<SchemaElement>]>([
    ['32-bit', { type: 'INT32', precision: 9 }],
    ['64-bit', { type: 'INT64', precision: 18 }],
    ['fixed-length', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 9, precision: 20 }],
  ])('are read with %s decimals', async (_what, physical) => {
    const decimals = { name: 'price', data: [61837.63, 61837.64, 61837.6] };
    const element: SchemaElement = {
      name: 'price',
      converted_type: 'DECIMAL',
      scale: 2,
      repetition_type: 'OPTIONAL',
      ...physical,
    };
    const text = (name: string): SchemaElement => ({
      name,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'OPTIONAL',
    });
    const whole = (name: string): SchemaElement => ({
      name,
      type: 'INT64',
      repetition_type: 'OPTIONAL',
    });
    const path = parquetOf(
      [times, decimals, amount, side, id],
      [whole('timestamp'), element, text('amount'), text('side'), whole('id')],
    );
    expect((await imported(path)).rows).toEqual(expected);
  });

  const stamps = [0, 1, 2].map((ms) => new Date(START_MS + ms));
  test.each<[string, ColumnSource, SchemaElement | undefined]>([
    ['a timestamp of milliseconds', { name: 'ts', data: stamps, type: 'TIMESTAMP' }, undefined],
    ['text', { name: 'datetime', data: stamps.map((stamp) => stamp.toISOString()) }, undefined],
    [
      'whole seconds with a fraction',
      { name: 'time', data: [0, 1, 2].map((ms) => START_MS / 1e3 + ms / 1e3), type: 'DOUBLE' },
      undefined,
    ],
    [
      'microseconds',
      { name: 'trade_time', data: [0, 1, 2].map((ms) => BigInt(START + ms * 1_000)) },
      undefined,
    ],
    [
      'nanoseconds',
      { name: 'ts_event', data: [0, 1, 2].map((ms) => BigInt(START + ms * 1_000) * 1_000n) },
      undefined,
    ],
  ])('may have their time as %s', async (_what, column) => {
    const { rows } = await imported(parquetOf([column, price, amount, side, id]));
    expect(rows).toEqual(expected);
  });

  test.each(['MICROS', 'NANOS'] as const)(
    'may have their time as a timestamp in %s',
    async (unit) => {
      const factor = unit === 'NANOS' ? 1_000n : 1n;
      const data = [START + 1, START + 2, START + 3].map((at) => BigInt(at) * factor);
      const schema: SchemaElement[] = [
        {
          name: 'timestamp',
          type: 'INT64',
          repetition_type: 'REQUIRED',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit },
        },
        ...['price', 'amount'].map((name): SchemaElement => ({
          name,
          type: 'BYTE_ARRAY',
          converted_type: 'UTF8',
          repetition_type: 'REQUIRED',
        })),
      ];
      const { rows } = await imported(
        parquetOf([{ name: 'timestamp', data }, price, amount], schema),
      );
      expect(rows.map((row) => row[0])).toEqual([START + 1, START + 2, START + 3]);
    },
  );

  test('may say who took by whether the buyer made, and when they were received', async () => {
    const path = parquetOf([
      { name: 'T', data: times.data },
      { name: 'local_timestamp', data: [START + 5, START + 1_005, START + 2_005].map(BigInt) },
      { name: 'p', data: price.data },
      { name: 'q', data: amount.data },
      { name: 'is_buyer_maker', data: [false, true, true] },
    ]);
    const { rows, report } = await imported(path);
    expect(rows.map((row) => [row[0], row[1], row[3]])).toEqual([
      [START + 5, START, LAST],
      [START + 1_005, START + 1_000, SELL | LAST],
      [START + 2_005, START + 2_000, SELL | LAST],
    ]);
    expect(report.notes.join()).not.toContain('no time of receipt');
  });

  test('of many instruments give the one that is asked for', async () => {
    const symbol = { name: 'symbol', data: ['ETHUSDT', 'BTCUSDT', 'ETHUSDT'] };
    const path = parquetOf([times, price, amount, id, symbol]);
    const { rows, report } = await imported(path, { symbol: 'ETHUSDT' });
    expect(rows.map((row) => row[4])).toEqual([7, 9]);
    expect(report.instrument.symbol).toBe('ETHUSDT');
    const error = await rejectionOf('parquet', [path]);
    expect(error.where).toMatch(/:2$/);
    expect(error.message).toContain('a row of BTCUSDT after rows of ETHUSDT');
  });

  test('may have any names when they are configured', async () => {
    const path = parquetOf([
      { name: 'when', data: times.data },
      { name: 'rate', data: price.data },
      { name: 'much', data: amount.data },
    ]);
    expect((await rejectionOf('parquet', [path])).message).toContain('--column');
    const columns = { timestamp: 'when', price: 'rate', size: 'much' };
    const { rows } = await imported(path, { columns, timeUnit: 'ms' });
    expect(rows.map((row) => row[5])).toEqual([6_183_763, 6_183_764, 6_183_760]);
  });
});

describe('candles in Parquet', () => {
  test('are known by their four prices', async () => {
    const path = parquetOf(
      [
        {
          name: 'date',
          data: [0, 300_000, 600_000].map((ms) => new Date(START_MS + ms)),
          type: 'TIMESTAMP',
        },
        { name: 'open', data: [1.5, 2, 2.5], type: 'DOUBLE' },
        { name: 'high', data: [2, 3, 4], type: 'DOUBLE' },
        { name: 'low', data: [1, 1, 1], type: 'DOUBLE' },
        { name: 'close', data: [2, 2.5, 3], type: 'DOUBLE' },
        { name: 'volume', data: [10.25, 0, 1], type: 'DOUBLE' },
      ],
      undefined,
      'ETH_USDT-5m.parquet',
    );
    const { rows, report, meta } = await imported(path);
    expect(rows[0]).toEqual([START + 300_000_000, START, CANDLE, LAST, 0, 20, 1025, 20, 10, 15]);
    expect(report).toMatchObject({ candles: 3, gaps: [], period: 'M5' });
    expect(meta).toMatchObject({ layout: 'candles', period: 'M5' });
    expect(report.instrument).toMatchObject({ baseCurrency: 'ETH', quoteCurrency: 'USDT' });
  });
});

describe('a Parquet file that does not fit', () => {
  test.each<[string, ColumnSource[], number, string]>([
    [
      'a price that is no number',
      [times, { name: 'price', data: [1, Number.NaN, 1], type: 'DOUBLE' }, amount],
      2,
      '"NaN"',
    ],
    [
      'a price that is missing',
      [times, { name: 'price', data: ['1', null, '1'] }, amount],
      2,
      'price ""',
    ],
    [
      'a time that is missing',
      [{ name: 'timestamp', data: [1n, null, 2n] }, price, amount],
      2,
      'the time ""',
    ],
    [
      'a time that goes back',
      [{ name: 'timestamp', data: [3n, 2n, 1n] }, price, amount],
      2,
      'before that of the row',
    ],
    [
      'a side that is none',
      [times, price, amount, { name: 'side', data: ['buy', 'sell', 'x'] }],
      3,
      'the side "x"',
    ],
    [
      'a maker that is none',
      [times, price, amount, { name: 'm', data: ['true', 'x', 'x'] }],
      2,
      'is_buyer_maker "x"',
    ],
  ])('is refused at the row of %s', async (_what, columns, row, says) => {
    const error = await rejectionOf('parquet', [parquetOf(columns)]);
    expect(error.code).toBe('import-invalid');
    expect(error.where).toMatch(new RegExp(`:${row}$`));
    expect(error.message).toContain(says);
  });

  test('is refused when it is cut off, or is no Parquet file', async () => {
    const whole = readFileSync(parquetOf([times, price, amount]));
    for (const bytes of [whole.subarray(0, -20), Buffer.from('no parquet'), Buffer.alloc(0)]) {
      const error = await rejectionOf('parquet', filesOf({ 'x.parquet': bytes }));
      expect(error.code).toBe('import-invalid');
      expect(error.message).toContain('a whole Parquet file');
    }
  });

  test('is refused when its data is damaged behind a good footer', async () => {
    const bytes = readFileSync(parquetOf([times, price, amount]));
    bytes.fill(0xff, 4, 200);
    const error = await rejectionOf('parquet', filesOf({ 'x.parquet': bytes }));
    expect(error.code).toBe('import-invalid');
  });
});
