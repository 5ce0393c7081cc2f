import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeFooter } from '../../src/feeds/arrow/decode.ts';
import { checkRecording } from '../../src/feeds/check.ts';
import { fileEnd, TAIL_LENGTH } from '../../src/feeds/frame.ts';
import { arrowSchema } from '../../src/feeds/layout.ts';
import { describe as textsOf, KEY, understand } from '../../src/feeds/metadata.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { recover } from '../../src/feeds/recovery.ts';
import { joined } from '../../src/feeds/series.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../../src/model/events.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { candlesMeta, derivativesMeta, eventsMeta, FUTURES } from '../kit/metas.ts';
import { readRecording, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const H8 = 8 * US_PER_HOUR;

const mark = (at: number, ticks = 100, parts = 0, kind = MARK): Row => [
  ...([at, at, kind, LAST, 0, ticks, parts, 0, 0, 0] as const),
];
const funding = (at: number, paidAt: number, nextAt = 0, rate = 100_000, rest = 0): Row => [
  ...([at, at, FUNDING, LAST, 0, rate, rest, paidAt, nextAt, 0] as const),
];
const openInterest = (at: number, lots: number, parts = 0): Row => [
  ...([at, at, OPEN_INTEREST, LAST, 0, parts, lots, 0, 0, 0] as const),
];
const trade = (at: number, id: number, price = 100): Row => [
  ...([at, at, TRADE, LAST, id, price, 1, 0, 0, 0] as const),
];
const quote = (at: number, bid: number, ask: number): Row => [
  ...([at, at, QUOTE, LAST, 0, bid, 1, ask, 1, 0] as const),
];

const ROWS: readonly Row[] = [
  trade(1, 1),
  mark(2, 100, 123_456_789_012_345),
  mark(2, 101, 0, INDEX),
  funding(3, H8, 2 * H8, -183_473, -92_423_284),
  openInterest(4, 80_000, 250_000_000_000_000),
  trade(5, 2),
];

function written(rows: readonly Row[], meta: RecordingMeta = derivativesMeta()): string {
  return writeRecording(join(temporaryFolder(), 'perpetual.arrow'), rows, meta);
}

/** A recording with other words in its footer than it was written with. */
function relabeled(path: string, change: (texts: Map<string, string>) => void): string {
  const bytes = readFileSync(path);
  const length = bytes.readInt32LE(bytes.length - TAIL_LENGTH);
  const start = bytes.length - TAIL_LENGTH - length;
  const { schema, blocks } = decodeFooter(bytes.subarray(start, start + length));
  const texts = new Map(schema.metadata);
  change(texts);
  const layout = texts.get(KEY.layout) === 'candles' ? 'candles' : 'events';
  const end = fileEnd(arrowSchema(layout, texts), blocks);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, start - 8), end]));
  return path;
}

describe('a recording of a derivative', () => {
  test('holds mark and index prices, funding and open interest, and counts them', () => {
    const path = written(ROWS);
    expect(readRecording(path)).toEqual(ROWS);
    const recording = openRecording(path);
    recording.close();
    expect(recording.meta.derivatives).toBe(true);
    expect(recording.summary).toMatchObject({
      rows: 6,
      trades: 2,
      derivatives: { marks: 1, indexes: 1, fundings: 1, openInterests: 1 },
    });
  });

  test('is of version 2, which a release that knows version 1 alone refuses when it opens it', () => {
    const texts = textsOf(derivativesMeta());
    expect(texts.get(KEY.format)).toBe('2');
    expect(texts.get(KEY.legend)).toContain('funding rate: price / 1e9 + size / 1e18');
  });

  test('is read back after a crash, up to its last whole batch', () => {
    const path = join(temporaryFolder(), 'crashed.arrow');
    const writer = RecordingWriter.create(path, derivativesMeta());
    for (const row of ROWS) writer.row(...row);
    writer.flush();
    const { summary } = recover(`${path}.part`);
    expect(summary.derivatives).toEqual({ marks: 1, indexes: 1, fundings: 1, openInterests: 1 });
    expect(readRecording(path)).toEqual(ROWS);
  });

  test('joins with those before it, whether they could hold such rows or not', () => {
    const folder = temporaryFolder();
    const paths = [
      writeRecording(join(folder, 'a.arrow'), [trade(0, 1)], eventsMeta({ instrument: FUTURES })),
      writeRecording(join(folder, 'b.arrow'), [mark(1), mark(2)], derivativesMeta()),
      writeRecording(join(folder, 'c.arrow'), [mark(3), funding(4, H8)], derivativesMeta()),
    ];
    const series = joined(paths.map((path) => openRecording(path)));
    expect(series.meta.derivatives).toBe(true);
    expect(series.summary.derivatives).toEqual({
      marks: 3,
      indexes: 0,
      fundings: 1,
      openInterests: 0,
    });
    series.close();
  });
});

describe('what is no recording of a derivative', () => {
  test('stays of version 1, without a word of derivatives', () => {
    const texts = textsOf(eventsMeta());
    expect(texts.get(KEY.format)).toBe('1');
    expect([...texts.keys()]).not.toContain(KEY.prices);
    expect(texts.get(KEY.legend)).not.toContain('funding');
    const recording = openRecording(written([trade(0, 1)], eventsMeta()));
    recording.close();
    expect(Object.keys(recording.summary)).not.toContain('derivatives');
    expect(Object.keys(recording.meta)).not.toContain('derivatives');
  });

  test.each([MARK, INDEX, FUNDING, OPEN_INTEREST])('takes no row of kind %s', (kind) => {
    expect(() => written([mark(0, 1, 0, kind)], eventsMeta({ instrument: FUTURES }))).toThrow(
      `is of kind ${kind}, which has no place in a recording of events`,
    );
  });

  test('takes no row of a kind that is unknown, as no recording does', () => {
    expect(() => written([mark(0, 1, 0, 11)])).toThrow('is of kind 11');
    expect(() => written([[0, 0, CANDLE, LAST, 0, 1, 1, 1, 1, 1]])).toThrow('is of kind 6');
  });

  test('is never spot', () => {
    const spot = derivativesMeta({ instrument: eventsMeta().instrument });
    expect(() => written(ROWS, spot)).toThrow('Of spot there are no mark prices');
    expect(understand(textsOf(spot))).toBe('holds what only derivatives have, and is of spot');
  });

  test.each([
    ['rows of a derivative under version 1', { [KEY.format]: '1' }, 'has no valid summary'],
    ['prices of candles where there are none', { [KEY.prices]: 'mark' }, 'no known prices'],
    ['a version to come', { [KEY.format]: '3' }, 'this release reads formats 1 and 2'],
  ])('is refused: %s', (_, change, message) => {
    const path = relabeled(written(ROWS), (texts) => {
      for (const [key, text] of Object.entries(change)) texts.set(key, text);
    });
    expect(() => openRecording(path)).toThrow(message);
  });

  test('is refused where its summary counts other rows of a derivative than there are', () => {
    const path = relabeled(written(ROWS), (texts) => {
      const text = texts.get(KEY.summary) ?? '';
      texts.set(KEY.summary, text.replace('"marks":1,"indexes":1', '"marks":2,"indexes":0'));
    });
    expect(() => readRecording(path)).toThrow('other rows in batch 1 than its summary says');
  });
});

describe('candles of a mark price', () => {
  const meta: RecordingMeta = { ...candlesMeta(), instrument: FUTURES, prices: 'mark' };
  const candle = (start: number): Row => [
    ...([start + US_PER_MINUTE, start, CANDLE, LAST, 0, 101, 0, 102, 99, 100] as const),
  ];

  test('say so, and are of version 2, so that nobody takes them for trades', () => {
    const path = written([candle(0)], meta);
    const recording = openRecording(path);
    recording.close();
    expect(recording.meta.prices).toBe('mark');
    expect(textsOf(meta).get(KEY.format)).toBe('2');
    expect(textsOf({ ...meta, prices: 'index' }).get(KEY.prices)).toBe('index');
  });

  test('need no volume to be sound, and are no series with candles of trades', () => {
    const folder = temporaryFolder();
    const marks = writeRecording(join(folder, 'm.arrow'), [candle(0)], meta);
    const recording = openRecording(marks);
    expect(checkRecording(recording)).toMatchObject({ faults: 0, notices: 0 });
    const trades = { ...candlesMeta(), instrument: FUTURES };
    const other = writeRecording(join(folder, 't.arrow'), [candle(US_PER_MINUTE)], trades);
    const plain = openRecording(other);
    expect(() => joined([recording, plain])).toThrow(
      "its candles are of trades, the other's of mark",
    );
    recording.close();
    plain.close();
  });

  test('of version 2 without a word of their prices are refused', () => {
    const path = relabeled(written([candle(0)], meta), (texts) => texts.delete(KEY.prices));
    expect(() => openRecording(path)).toThrow('names no known prices of its candles');
  });
});

describe('of planted faults the check finds', () => {
  function foundIn(rows: readonly Row[]): Record<string, number> {
    const recording = openRecording(written(rows));
    const { checks } = checkRecording(recording);
    recording.close();
    return Object.fromEntries(
      checks.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]),
    );
  }
  const book = (at: number, bid: number, ask: number): readonly Row[] => [
    [at, at, RESET, 0, at + 1, 0, 0, 0, 0, 0],
    [at, at, LEVEL, 0, at + 1, bid, 1, 0, 0, 0],
    [at, at, LEVEL, SELL | LAST, at + 1, ask, 1, 0, 0, 0],
  ];

  test('nothing in a sound one', () => {
    expect(foundIn(ROWS)).toEqual({});
    const rates = [0, 1, 2, 3].map((n) => funding(n * H8, (n + 1) * H8, (n + 2) * H8));
    expect(foundIn(rates)).toEqual({});
  });

  test('a mark or an index far from the middle of the book, of the quote, or the last trade', () => {
    expect(foundIn([...book(0, 999, 1_001), mark(1, 1_020), mark(2, 1_021)])).toEqual({
      'mark-far': 1,
    });
    expect(foundIn([quote(0, 999, 1_001), mark(1, 979, 0, INDEX)])).toEqual({ 'mark-far': 1 });
    expect(foundIn([trade(0, 1, 1_000), mark(1, 500)])).toEqual({ 'mark-far': 1 });
    // After a gap nobody knows where the market is.
    const gap: Row = [1, 1, GAP, LAST, 0, 0, 0, 0, 0, 0];
    expect(foundIn([quote(0, 999, 1_001), gap, mark(2, 500)])).toEqual({ gap: 1, stale: 1 });
    expect(foundIn([mark(0, 1), mark(1, 1_000)])).toEqual({});
  });

  test('time without a mark price, and without a market while there were marks', () => {
    const quiet = [0, 50, 100, 150, 211].map((s) => mark(s * US_PER_SECOND));
    expect(foundIn(quiet)).toEqual({ 'mark-gap': 1 });
    expect(foundIn([trade(0, 1), mark(50e6), mark(100e6), trade(150e6, 2)])).toEqual({
      silence: 1,
    });
  });

  test('funding out of order, a payment that was left out, and what cannot be a rate', () => {
    expect(foundIn([funding(0, 2 * H8), funding(1, H8)])).toEqual({ 'funding-backwards': 1 });
    expect(foundIn([funding(0, H8, 2 * H8), funding(1, 3 * H8)])).toEqual({ 'funding-hole': 1 });
    const rates = [H8, 2 * H8, 4 * H8].map((at) => funding(at, at));
    expect(foundIn(rates)).toEqual({ 'funding-hole': 1 });
    expect(foundIn([funding(0, H8, H8)])).toEqual({ 'bad-funding': 1 });
    expect(foundIn([funding(0, H8, 0, 1_000_000_000)])).toEqual({ 'bad-funding': 1 });
    expect(foundIn([funding(0, H8, 0, 5, -5)])).toEqual({ 'bad-funding': 1 });
  });

  test('an interval that becomes shorter is none', () => {
    const rates = [H8, 2 * H8, 2.5 * H8, 3 * H8].map((at) => funding(at, at));
    expect(foundIn(rates)).toEqual({});
  });

  test('prices and quantities that cannot be, and times that run backwards', () => {
    expect(foundIn([mark(0, 0)])).toEqual({ 'bad-price': 1 });
    expect(foundIn([mark(0, 1, 1e15)])).toEqual({ 'bad-price': 1 });
    expect(foundIn([openInterest(0, -1)])).toEqual({ 'bad-size': 1 });
    expect(foundIn([mark(5), mark(4)])).toEqual({
      'received-backwards': 1,
      'stamped-backwards': 1,
    });
    expect(foundIn([trade(5, 1), mark(4)])).toEqual({ 'received-backwards': 1 });
  });
});
