import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRecording, type CheckOptions, type QualityReport } from '../../src/feeds/check.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import type { CheckName } from '../../src/feeds/quality/checks.ts';
import type { CheckResult } from '../../src/feeds/quality/findings.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { CANDLE, GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { periodEnd, type Period } from '../../src/model/period.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { candlesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

function reportOf(
  rows: readonly Row[],
  meta: RecordingMeta = eventsMeta(),
  options?: CheckOptions,
): QualityReport {
  const path = writeRecording(join(temporaryFolder(), 'checked.arrow'), rows, meta);
  const recording = openRecording(path);
  try {
    return checkRecording(recording, options);
  } finally {
    recording.close();
  }
}

/** The checks that found something. */
function foundIn(...args: Parameters<typeof reportOf>): Map<CheckName, CheckResult> {
  const found = reportOf(...args).checks.filter((check) => check.count > 0);
  return new Map(found.map((check) => [check.name, check]));
}

const trade = (at: number, id: number, price = 100, size = 1): Row => [
  ...([at, at, TRADE, LAST, id] as const),
  ...([price, size, 0, 0, 0] as const),
];
const level = (at: number, sequence: number, flags: number, price: number, size: number): Row => [
  ...([at, at, LEVEL, flags, sequence] as const),
  ...([price, size, 0, 0, 0] as const),
];
const quote = (at: number, bid: number, bidSize: number, ask: number, askSize: number): Row => [
  ...([at, at, QUOTE, LAST, 0] as const),
  ...([bid, bidSize, ask, askSize, 0] as const),
];
const mark = (at: number, kind: number, sequence = 0, flags = LAST): Row => [
  ...([at, at, kind, flags, sequence] as const),
  ...([0, 0, 0, 0, 0] as const),
];
/** A book of 99 to 101 at time 0 under the sequence 1. */
const BOOK: readonly Row[] = [
  mark(0, RESET, 1, 0),
  level(0, 1, 0, 99, 5),
  level(0, 1, SELL | LAST, 101, 5),
];
const candle = (start: number, open: number, high: number, low: number, close: number): Row => [
  ...([start + US_PER_MINUTE, start, CANDLE, LAST, 0] as const),
  ...([close, 1, high, low, open] as const),
];

describe('a sound recording', () => {
  test('has every check and no finding', () => {
    const path = join(temporaryFolder(), 'sound.arrow');
    const market = { quotes: true };
    generateRecording(path, { ...SAMPLE, durationUs: 600 * US_PER_SECOND, market });
    const recording = openRecording(path);
    const report = checkRecording(recording);
    recording.close();
    expect(report).toMatchObject({ path, rows: recording.summary.rows, faults: 0, notices: 0 });
    expect(report.checks.length).toBe(25);
    expect(report.checks.every((check) => check.count === 0 && check.means !== '')).toBe(true);
  });

  test('may have two messages at one time, an emptied side, and trades without ids', () => {
    const found = foundIn([
      ...BOOK,
      level(1, 2, SELL | LAST, 101, 0),
      level(1, 3, LAST, 105, 1),
      trade(1, 0),
      trade(1, 0),
      quote(2, 0, 0, 101, 1),
      quote(3, 0, 0, 0, 0),
    ]);
    expect([...found.keys()]).toEqual([]);
  });
});

describe('of planted faults it finds', () => {
  test('a gap, and how long the book was stale after it', () => {
    const rows = [...BOOK, mark(10, GAP, 7), level(15, 9, LAST, 98, 1), mark(40, RESET, 20)];
    const found = foundIn(rows);
    expect([...found.keys()]).toEqual(['gap', 'stale']);
    expect(found.get('gap')).toMatchObject({ count: 1, examples: [{ row: 3, at: 10 }] });
    expect(found.get('stale')).toMatchObject({
      count: 1,
      extent: { value: 30, unit: 'us' },
      examples: [{ row: 3, at: 10, detail: '30 µs, to the next snapshot' }],
    });
  });

  test('a book without snapshot, stale from its first level to the end', () => {
    const found = foundIn([trade(0, 1), level(5, 1, LAST, 99, 1), level(25, 2, LAST, 99, 2)]);
    expect([...found.keys()]).toEqual(['stale']);
    expect(found.get('stale')).toMatchObject({
      extent: { value: 20 },
      examples: [{ row: 1, at: 5, detail: '20 µs, to the end' }],
    });
  });

  test('receipt that goes backwards', () => {
    const found = foundIn([
      [10, 1, TRADE, LAST, 1, 100, 1, 0, 0, 0],
      [7, 1, TRADE, LAST, 2, 100, 1, 0, 0, 0],
      [9, 1, TRADE, LAST, 3, 100, 1, 0, 0, 0],
      [8, 1, TRADE, LAST, 4, 100, 1, 0, 0, 0],
    ]);
    expect([...found.keys()]).toEqual(['received-backwards']);
    expect(found.get('received-backwards')).toMatchObject({
      count: 2,
      examples: [
        { row: 1, at: 7, detail: '3 µs back' },
        { row: 3, at: 8, detail: '1 µs back' },
      ],
    });
  });

  test('stamps that go backwards within a kind, but not between kinds', () => {
    const found = foundIn([
      ...BOOK,
      [1, 50, TRADE, LAST, 1, 100, 1, 0, 0, 0],
      [2, 40, LEVEL, LAST, 2, 99, 4, 0, 0, 0],
      [3, 45, TRADE, LAST, 2, 100, 1, 0, 0, 0],
      [4, 48, TRADE, LAST, 3, 100, 1, 0, 0, 0],
    ]);
    expect([...found.keys()]).toEqual(['stamped-backwards']);
    expect(found.get('stamped-backwards')).toMatchObject({
      count: 2,
      examples: [{ row: 5, detail: '5 µs back' }, { row: 6 }],
    });
  });

  test('no backwards stamps in a snapshot and in what comes again behind it', () => {
    const stamped = (at: number, stamp: number, kind: number, flags: number, id: number): Row => [
      ...([at, stamp, kind, flags, id] as const),
      ...([kind === RESET ? 0 : 99, 1, 0, 0, 0] as const),
    ];
    const snapshot = [
      ...BOOK,
      stamped(1, 90, LEVEL, LAST, 2),
      stamped(2, 80, RESET, 0, 3),
      stamped(2, 70, TRADE, LAST, 1),
      stamped(2, 80, LEVEL, LAST, 3),
      stamped(3, 60, LEVEL, LAST, 4),
    ];
    expect(foundIn(snapshot).size).toBe(0);
    const found = foundIn([...snapshot, stamped(4, 59, LEVEL, LAST, 5)]);
    expect(found.get('stamped-backwards')?.count).toBe(1);
  });

  test('trades that come twice and trades that are left out', () => {
    const found = foundIn([trade(1, 5), trade(2, 5), trade(3, 4), trade(4, 6), trade(5, 10)]);
    expect([...found.keys()]).toEqual(['duplicate-trade', 'trade-jump']);
    expect(found.get('duplicate-trade')).toMatchObject({ count: 2, examples: [{ row: 1 }, {}] });
    expect(found.get('trade-jump')).toMatchObject({
      count: 1,
      extent: { value: 3, unit: 'trades' },
      examples: [{ row: 4, at: 5, detail: 'from trade 6 to 10' }],
    });
  });

  test('levels that are older than the book', () => {
    const found = foundIn([...BOOK, level(1, 1, LAST, 98, 1), level(2, 0, LAST, 98, 1)]);
    expect([...found.keys()]).toEqual(['old-level']);
    expect(found.get('old-level')).toMatchObject({ count: 1, examples: [{ row: 3 }] });
  });

  test('crossed and locked books, after whole messages only', () => {
    const found = foundIn([
      ...BOOK,
      level(1, 2, 0, 102, 1), // crossed inside a message
      level(1, 2, LAST, 102, 0),
      level(2, 3, LAST, 101, 1), // locked
      level(3, 4, LAST, 103, 1), // crossed
      level(4, 5, LAST, 97, 1), // still
      mark(5, GAP),
      level(6, 7, LAST, 104, 1), // not judged while stale
      mark(7, RESET, 8),
    ]);
    expect([...found.keys()]).toEqual(['gap', 'stale', 'crossed-book', 'locked-book']);
    expect(found.get('locked-book')).toMatchObject({ count: 1, examples: [{ row: 5 }] });
    expect(found.get('crossed-book')).toMatchObject({
      count: 2,
      examples: [{ row: 6, detail: 'bid 103, ask 101 ticks' }, { row: 7 }],
    });
  });

  test('crossed and locked quotes', () => {
    const found = foundIn([
      quote(1, 99, 1, 101, 1),
      quote(2, 101, 1, 101, 1),
      quote(3, 9, 1, 8, 1),
    ]);
    expect([...found.keys()]).toEqual(['crossed-quote', 'locked-quote']);
    expect(found.get('crossed-quote')?.examples[0].row).toBe(2);
    expect(found.get('locked-quote')?.examples[0].row).toBe(1);
  });

  test('prices and sizes that can not be', () => {
    const found = foundIn([
      mark(0, RESET, 1),
      trade(1, 1, 0, 1),
      trade(2, 2, 100, 0),
      trade(3, 3, 100, -4),
      level(4, 2, LAST, -1, 1),
      level(5, 3, LAST, 99, -1),
      level(6, 4, LAST, 99, 0),
      quote(7, -5, 1, 101, 1),
      quote(8, 99, -1, 101, 1),
    ]);
    expect([...found.keys()]).toEqual(['bad-price', 'bad-size']);
    expect(found.get('bad-price')?.examples.map(({ row }) => row)).toEqual([1, 4, 7]);
    expect(found.get('bad-size')).toMatchObject({ count: 4 });
  });

  test('prices that stand alone, not moves of the market', () => {
    const prices = Array.from({ length: 400 }, (_, i) => 100_000 + 10 * i + (i % 7));
    for (let i = 0; i < 200; i += 1) prices.push(130_000 + (i % 5));
    prices[60] = 1_000; // one digit too few
    prices[61] = 10_000_000; // two too many, right behind
    prices[5] = 5; // too early for a verdict
    const found = foundIn(
      prices.map((price, i) => trade(i, i + 1, price)),
      eventsMeta(),
      { examples: 2 },
    );
    expect([...found.keys()]).toEqual(['outlier']);
    const outlier = found.get('outlier');
    expect(outlier?.examples.map(({ row }) => row)).toEqual([60, 61]);
    expect(outlier?.examples[0].detail).toMatch(/^1000 ticks, the median before it is 1003\d\d$/);
    // The jump to 130,000 is one until half of the window is of it.
    expect(outlier?.count).toBeLessThan(2 + 60);
  });

  test('silence that lasts longer than was asked for', () => {
    const rows = [trade(0, 1), trade(US_PER_MINUTE, 2), trade(3 * US_PER_MINUTE, 3)];
    expect(foundIn(rows).get('silence')).toMatchObject({
      count: 1,
      extent: { value: 2 * US_PER_MINUTE, unit: 'us' },
      examples: [{ row: 2, at: 3 * US_PER_MINUTE }],
    });
    expect(foundIn(rows, eventsMeta(), { silenceUs: 10 }).get('silence')?.count).toBe(2);
    expect(foundIn(rows, eventsMeta(), { silenceUs: 2 * US_PER_MINUTE }).size).toBe(0);
  });

  test('a message that was cut off at the end', () => {
    const found = foundIn(BOOK.slice(0, 2));
    expect([...found.keys()]).toEqual(['cut-message']);
    expect(found.get('cut-message')?.examples[0].row).toBe(1);
  });

  test('candles of a wrong shape, at wrong times, and left out', () => {
    const m = US_PER_MINUTE;
    const found = foundIn(
      [
        candle(0, 100, 105, 95, 101),
        candle(m, 100, 99, 95, 98), // high below open
        candle(2 * m, 100, 105, 101, 103), // low above open
        candle(5 * m, 100, 105, 95, 101), // two left out
        candle(5 * m, 100, 105, 95, 101), // again
        candle(6 * m + 1, 100, 105, 95, 101), // not aligned
        candle(8 * m, 0, 105, 0, 101),
      ],
      candlesMeta(),
    );
    expect([...found.keys()]).toEqual(['bad-price', 'candle-shape', 'candle-time', 'candle-hole']);
    expect(found.get('candle-shape')?.examples.map(({ row }) => row)).toEqual([1, 2]);
    expect(found.get('candle-time')?.examples.map(({ row }) => row)).toEqual([4, 5]);
    expect(found.get('candle-hole')).toMatchObject({
      count: 2,
      extent: { value: 3, unit: 'candles' },
      examples: [{ row: 3, detail: '2 left out before it' }, { row: 6 }],
    });
    expect(found.get('bad-price')?.examples[0].row).toBe(6);
  });

  test('months left out, whose lengths differ', () => {
    const month = (at: number): Row => {
      const start = micros(at * 1_000);
      return [periodEnd('1M', start), start, CANDLE, LAST, 0, 100, -1, 100, 100, 100];
    };
    const meta = { ...candlesMeta(), period: '1M' as Period };
    const found = foundIn([month(Date.UTC(2024, 0)), month(Date.UTC(2024, 5))], meta);
    expect(found.get('candle-hole')?.extent?.value).toBe(4);
    expect(found.get('bad-size')?.count).toBe(2);
  });

  test('a candle with a bad tick in it', () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      candle(i * US_PER_MINUTE, 10_000 + i, 10_005 + i, 9_995 + i, 10_000 + i),
    );
    rows[50] = candle(50 * US_PER_MINUTE, 10_050, 10_055, 500, 10_050);
    const found = foundIn(rows, candlesMeta());
    expect([...found.keys()]).toEqual(['outlier']);
    expect(found.get('outlier')?.examples[0]).toMatchObject({ row: 50 });
  });
});

test('a report keeps a few examples and counts the rest', () => {
  const rows = Array.from({ length: 50 }, (_, i) => trade(i, i + 1, 100, 0));
  const report = reportOf(rows, eventsMeta(), { examples: 5 });
  expect(report.faults).toBe(50);
  const sizes = report.checks.find((check) => check.name === 'bad-size');
  expect(sizes?.examples.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4]);
});
