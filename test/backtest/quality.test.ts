import { join } from 'node:path';
import { map, timer } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reportPage } from '../../src/backtest/report.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { CANDLE, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { lots } from '../../src/model/units.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { candlesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;
const H1: RecordingMeta = { ...candlesMeta(), period: 'H1' };

/** A candle of the hour `hour`: open and close are one price, the range is a tick either way. */
const candle = (hour: number, price: number, volume: number, high = price + 1): Row => {
  const openedAt = START + hour * US_PER_HOUR;
  const prices = [price, volume, high, price - 1, price] as const;
  return [openedAt + US_PER_HOUR, openedAt, CANDLE, LAST, 0, ...prices];
};

/** Buys 10 lots at market so many minutes after the first row. */
const buyer = (minutes: number): Strategy =>
  defineStrategy({
    name: 'buyer',
    summary: 'For tests.',
    parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
    run: ({ parameters: { symbol } }) =>
      timer((minutes * US_PER_MINUTE) / 1_000).pipe(
        map(() =>
          place(symbol, { type: 'market', side: 'buy', lots: lots(10), timeInForce: 'IOC' }),
        ),
      ),
  });

async function run(
  rows: readonly Row[],
  meta: RecordingMeta,
  minutes: number,
): Promise<BacktestResult> {
  const path = writeRecording(join(temporaryFolder(), 'rows.arrow'), rows, meta);
  return runBacktest({
    strategy: buyer(minutes),
    parameters: {},
    recordings: [path],
    balances: { USDT: '1000000' },
  });
}

/** The warnings that have these words in them. */
const warnings = (result: BacktestResult, words: string): readonly string[] =>
  result.warnings.filter((one) => one.includes(words));

const HOLE = [candle(0, 100, 50), candle(1, 100, 50), candle(8, 150, 50), candle(9, 150, 50)];

test('an order in a hole of the candles is not filled at the close before it, and the run says so', async () => {
  const result = await run(HOLE, H1, 240);
  expect(result.fills.total).toBe(0);
  expect(result.orders).toMatchObject({ sent: 1, expired: 1 });
  expect(warnings(result, 'in a hole of the candles')).toHaveLength(1);
  expect(warnings(result, 'candle-hole')).toEqual([
    'The recording of BTCUSDT has 1 notice of candle-hole (6 candles in all), the first at 2024-01-01 09:00:00 UTC: candles missing; normal for periods without a trade.',
  ]);
});

test('an order before the next candle is due takes the close, without a warning', async () => {
  const result = await run(HOLE, H1, 90);
  expect(result.fills.rows).toMatchObject([{ price: '1', at: '2024-01-01T02:30:00.020Z' }]);
  expect(warnings(result, 'expired')).toEqual([]);
});

test('an order on a candle without volume expires, and the run says why', async () => {
  const result = await run([candle(0, 100, 50), candle(1, 90, 0), candle(2, 80, 5)], H1, 90);
  expect(result.fills.total).toBe(0);
  expect(warnings(result, 'the last candle had no volume')).toHaveLength(1);
  expect(warnings(result, '1 notice of no-volume')).toHaveLength(1);
});

test('a recording without any volume is reported as such', async () => {
  const result = await run([candle(0, 100, 0), candle(1, 90, 0)], H1, 90);
  expect(warnings(result, 'No candle of BTCUSDT has a volume')).toHaveLength(1);
});

test('a candle whose high is below its close is a fault in the warnings, in numbers and on the page', async () => {
  const result = await run([candle(0, 100, 5), candle(1, 100, 5, 98), candle(2, 100, 5)], H1, 0);
  const [warning] = warnings(result, '1 fault of candle-shape');
  expect(warning).toContain('the first at 2024-01-01 02:00:00 UTC');
  expect(reportPage(result)).toContain('1 fault of candle-shape');
  expect(result.recordings[0].quality).toEqual([
    { name: 'candle-shape', severity: 'fault', count: 1, firstAt: '2024-01-01T02:00:00.000Z' },
  ]);
});

const at = (seconds: number): number => START + seconds * US_PER_SECOND;
const level = (seconds: number, sequence: number, flags: number, price: number): Row => [
  ...([at(seconds), at(seconds), LEVEL, flags, sequence] as const),
  ...([price, 5, 0, 0, 0] as const),
];
const BOOK: readonly Row[] = [
  [at(0), at(0), RESET, 0, 1, 0, 0, 0, 0, 0],
  level(0, 1, 0, 99),
  level(0, 1, SELL | LAST, 101),
];

test('books and quotes that cross are counted, by the book that the run itself keeps', async () => {
  const quote = (seconds: number, bid: number, ask: number): Row => [
    ...([at(seconds), at(seconds), QUOTE, LAST, 0] as const),
    ...([bid, 5, ask, 5, 0] as const),
  ];
  const rows = [
    ...BOOK,
    level(1, 2, LAST, 102),
    level(2, 3, LAST, 98),
    quote(3, 100, 99),
    quote(4, 99, 101),
    quote(5, 100, 100),
  ];
  const result = await run(rows, eventsMeta(), 0);
  expect(result.recordings[0].quality.map(({ name, count }) => [name, count])).toEqual([
    ['crossed-book', 2],
    ['crossed-quote', 1],
    ['locked-quote', 1],
  ]);
  expect(warnings(result, '2 faults of crossed-book')).toHaveLength(1);
});

test('a fill by a price that was silent for long says its age', async () => {
  const trade = (seconds: number, id: number): Row => [
    ...([at(seconds), at(seconds), TRADE, LAST, id] as const),
    ...([100, 50, 0, 0, 0] as const),
  ];
  const rows = [trade(0, 1), trade(4 * 3_600, 2)];
  const old = await run(rows, eventsMeta(), 120);
  expect(old.fills.total).toBe(1);
  expect(warnings(old, 'took a price')).toEqual([
    '1 fill of BTCUSDT took a price that was older than 1 min, the oldest 2 h: the feed was silent, and the market may have been elsewhere.',
  ]);
  expect(warnings(old, 'silence')).toHaveLength(1);
  const fresh = await run(rows, eventsMeta(), 0.5);
  expect(fresh.fills.total).toBe(1);
  expect(warnings(fresh, 'took a price')).toEqual([]);
});

test('a sound recording has no findings', async () => {
  const result = await run([...BOOK, level(1, 2, LAST, 100)], eventsMeta(), 0);
  expect(result.recordings[0].quality).toEqual([]);
});
