import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import emaCross from '../../strategies/ema-cross.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { openSeries, type RecordingSeries } from '../../src/feeds/series.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { CANDLE, GAP, LAST, LEVEL, RESET, TRADE } from '../../src/model/events.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import { candlesMeta, eventsMeta } from '../kit/metas.ts';
import { rowsOf, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = 1_704_067_200_000_000;
const at = (minute: number): number => START + minute * US_PER_MINUTE;

/** Closes go up and down, so that averages cross. */
const candle = (minute: number): Row => {
  const close = 6_000_000 + Math.round(50_000 * Math.sin(minute / 9));
  const [high, low] = [close + 500, close - 500];
  return [at(minute + 1), at(minute), CANDLE, LAST, 0, close, 1_000_000, high, low, close];
};
const candles = (from: number, till: number): Row[] =>
  Array.from({ length: till - from }, (_, i) => candle(from + i));

const trade = (minute: number): Row => [
  at(minute),
  at(minute),
  TRADE,
  LAST,
  minute,
  10,
  1,
  0,
  0,
  0,
];
const level = (minute: number): Row => [at(minute), at(minute), LEVEL, LAST, minute, 9, 1, 0, 0, 0];
const reset = (minute: number): Row => [at(minute), at(minute), RESET, 0, minute, 0, 0, 0, 0, 0];

function read(series: RecordingSeries): Row[] {
  return [...series.batches()].flatMap((columns) => rowsOf(columns));
}

function one(paths: readonly string[]): { readonly series: RecordingSeries; readonly rows: Row[] } {
  const [series, ...others] = openSeries(paths);
  try {
    expect(others).toEqual([]);
    return { series, rows: read(series) };
  } finally {
    series.close();
  }
}

function errorOf(paths: readonly string[]): MillraceError {
  try {
    for (const each of openSeries(paths)) each.close();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('they were opened');
}

describe('recordings of one symbol', () => {
  test('backtest as one recording does, in whatever order they are given, or as a folder', async () => {
    const folder = temporaryFolder();
    const whole = writeRecording(
      join(temporaryFolder(), 'w.arrow'),
      candles(0, 300),
      candlesMeta(),
    );
    const parts = [candles(0, 100), candles(100, 101), candles(101, 300)].map((rows, index) =>
      writeRecording(join(folder, `p${index}.arrow`), rows, candlesMeta()),
    );
    const results = [];
    for (const recordings of [[whole], parts.toReversed(), [folder]]) {
      const plan = { parameters: { period: 'M1', fast: 3, slow: 8 }, balances: { USDT: '100000' } };
      results.push(await runBacktest({ strategy: emaCross, recordings, ...plan }));
    }
    const [expected, ...joined] = results;
    expect(expected.orders.filled).toBeGreaterThan(4);
    for (const result of joined) {
      expect(result.fills).toEqual(expected.fills);
      expect(result.metrics).toEqual(expected.metrics);
      expect(result.recordings).toMatchObject([{ symbol: 'BTCUSDT', rows: 300, candles: 300 }]);
      expect(result.recordings[0].notes[0]).toContain('Joined of 3 recordings');
      expect(result.warnings.join()).not.toContain('nothing is recorded');
    }
    // The same rows in other files are other recordings.
    expect(joined[0].hash).not.toBe(expected.hash);
    expect(joined[0].hash).toBe(joined[1].hash);
  });

  test('with time between them say so as a warning', async () => {
    const folder = temporaryFolder();
    writeRecording(join(folder, 'a.arrow'), candles(0, 100), candlesMeta());
    writeRecording(join(folder, 'b.arrow'), candles(160, 200), candlesMeta());
    const { warnings } = await runBacktest({
      strategy: emaCross,
      parameters: { period: 'M1', fast: 3, slow: 8 },
      recordings: [folder],
      balances: { USDT: '100000' },
    });
    expect(warnings[0]).toMatch(
      /^Between a\.arrow and b\.arrow of BTCUSDT nothing is recorded from 2024-01-01T01:40:00\S* to 2024-01-01T02:41:00/,
    );
  });

  test('that overlap are refused by both names, also the same one twice', () => {
    const folder = temporaryFolder();
    const a = writeRecording(join(folder, 'a.arrow'), candles(0, 10), candlesMeta());
    const b = writeRecording(join(folder, 'b.arrow'), candles(9, 20), candlesMeta());
    const error = errorOf([b, a]);
    expect(error.code).toBe('recording-invalid');
    expect(error.message).toMatch(/b\.arrow cannot follow .*a\.arrow: .*at the same time/);
    expect(errorOf([a, a]).message).toContain('recorded at the same time');
  });

  test('on different terms are refused', () => {
    const folder = temporaryFolder();
    const a = writeRecording(join(folder, 'a.arrow'), [trade(0)]);
    const { instrument } = eventsMeta();
    const other = eventsMeta({ instrument: { ...instrument, tickSize: '0.5' } });
    const b = writeRecording(join(folder, 'b.arrow'), [trade(1)], other);
    expect(errorOf([a, b]).message).toContain('its tickSize is another');
    const c = writeRecording(join(folder, 'c.arrow'), candles(2, 3), candlesMeta());
    expect(errorOf([a, c]).message).toContain('events or all hold candles');
  });

  test('keep no book from the one before, unless they begin with their own', () => {
    const folder = temporaryFolder();
    const a = writeRecording(join(folder, 'a.arrow'), [reset(0), level(0), trade(1)]);
    const b = writeRecording(join(folder, 'b.arrow'), [reset(1), level(1)]);
    const c = writeRecording(join(folder, 'c.arrow'), [level(2)]);
    const { rows, series } = one([a, b, c]);
    expect(rows.map((row) => row[2])).toEqual([RESET, LEVEL, TRADE, RESET, LEVEL, GAP, LEVEL]);
    expect(series.summary).toMatchObject({ rows: 6, firstAt: at(0), lastAt: at(2) });
    expect(series.holes).toEqual([]);
  });

  test('that hold nothing are passed over', () => {
    const folder = temporaryFolder();
    const a = writeRecording(join(folder, 'a.arrow'), [trade(0)]);
    const empty = writeRecording(join(folder, 'b.arrow'), []);
    const { rows, series } = one([a, empty]);
    expect(rows).toHaveLength(1);
    expect(series.summary.firstAt).toBe(at(0));
  });
});

describe('a folder of recordings', () => {
  test('is refused when one of its files is unfinished or damaged', () => {
    const folder = join(temporaryFolder(), 'catalog');
    mkdirSync(folder);
    expect(errorOf([folder]).message).toContain('no recordings');
    writeRecording(join(folder, 'a.arrow'), [trade(0)]);
    writeFileSync(join(folder, 'b.arrow.part'), '');
    expect(errorOf([folder]).code).toBe('recording-truncated');
  });

  test('gives one series for each symbol', () => {
    const folder = temporaryFolder();
    const { instrument } = eventsMeta();
    const eth = eventsMeta({
      instrument: { ...instrument, symbol: 'ETHUSDT', baseCurrency: 'ETH' },
    });
    writeRecording(join(folder, 'b1.arrow'), [trade(0)]);
    writeRecording(join(folder, 'e.arrow'), [trade(0)], eth);
    writeRecording(join(folder, 'b2.arrow'), [trade(1)]);
    const series = openSeries([folder]);
    expect(series.map(({ meta, summary }) => [meta.instrument.symbol, summary.rows])).toEqual([
      ['BTCUSDT', 2],
      ['ETHUSDT', 1],
    ]);
    for (const each of series) each.close();
  });
});
