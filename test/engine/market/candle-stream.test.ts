import { ignoreElements, tap } from 'rxjs';
import { expect, test } from 'vitest';
import type { FeedContents } from '../../../src/engine/market/feed-contents.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { CANDLE, eventColumns, GAP, LAST } from '../../../src/model/events.ts';
import type { Period } from '../../../src/model/period.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { rig, type Rig } from '../rig.ts';

/** Start, end, when it was shown, high and volume; times in minutes. */
type Seen = readonly [number, number, number, number, number];

/** An engine whose strategy listens to the candles of a period, and what it was shown. */
function listening(
  period: Period,
  contents: Partial<FeedContents>,
): Rig & { readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const nothing = { trades: false, levels: false, quotes: false };
  const parts = rig(
    ({ market, clock }) =>
      market.candles('BTCUSDT', period).pipe(
        tap(({ openedAt, closedAt, highTicks, volumeLots }) => {
          const [start, end, shown] = [openedAt, closedAt, clock.now()].map(
            (at) => at / US_PER_MINUTE,
          );
          seen.push([start, end, shown, highTicks, volumeLots]);
        }),
        ignoreElements(),
      ),
    { period: 'M1', feeds: new Map([['BTCUSDT', { ...nothing, ...contents }]]) },
  );
  parts.engine.start();
  return { ...parts, seen };
}

const M1 = { candlePeriod: 'M1' } as const;

/** A candle of a minute that ends at `at`, of 10 lots. */
const candle = (at: string, high: number): TestEvent => ({
  at,
  candle: { open: high, high, low: high, close: high, volume: 0.01 },
});

/** Plays a bare row; of a candle the one of the minute `minute`, of 9 lots. */
function row({ engine, clock }: Rig, kind: number, at: number, minute = 0): void {
  const columns = eventColumns(1);
  columns.kind[0] = kind;
  columns.flags[0] = LAST;
  columns.stampedAt[0] = minute * US_PER_MINUTE;
  columns.size[0] = kind === CANDLE ? 9 : 0;
  clock.advanceTo(micros(at));
  engine.market(0, columns, 0);
}

test('a longer candle whose start was not seen is not shown', () => {
  const { play, seen } = listening('M3', M1);
  play([candle('00:02', 10), candle('00:03', 20), candle('00:05', 30), candle('00:06', 40)]);
  expect(seen).toEqual([[3, 6, 6, 4_000, 20]]);
});

test('the clock ends a longer candle two seconds late where its last shorter one is missing', () => {
  const { play, clock, seen } = listening('M3', M1);
  play([candle('00:01', 10), candle('00:02', 20)]);
  clock.advanceTo(micros(10 * US_PER_MINUTE));
  expect(seen).toEqual([[0, 3, 3 + 2 / 60, 2_000, 20]]);
});

test('candles of trades that came when more than a hundredth of the period was over are not shown', () => {
  const shownAfter = (firstAt: number): unknown => {
    const { play, clock, seen } = listening('M1', { trades: true, firstAt: micros(firstAt) });
    play([
      { at: '00:00:30', trade: 10 },
      { at: '00:01:30', trade: 20 },
    ]);
    clock.advanceTo(micros(2 * US_PER_MINUTE));
    return seen.map(([start]) => start);
  };
  expect(shownAfter(600_000)).toEqual([0, 1]);
  expect(shownAfter(600_001)).toEqual([1]);
});

test('after a gap of the feed a longer candle waits for the shorter ones that were missed', () => {
  const parts = listening('M3', M1);
  parts.play([candle('00:01', 10), candle('00:02', 20)]);
  row(parts, GAP, 2.5 * US_PER_MINUTE);
  parts.clock.advanceTo(micros(5 * US_PER_MINUTE));
  expect(parts.seen).toEqual([]);
  row(parts, CANDLE, 5 * US_PER_MINUTE, 2);
  expect(parts.seen).toEqual([[0, 3, 5, 2_000, 29]]);
});

test('a feed that shows its candles late is waited for as long', () => {
  const parts = listening('M3', M1);
  for (const minute of [0, 1, 2]) {
    row(parts, CANDLE, (minute + 1) * US_PER_MINUTE + 40 * US_PER_SECOND, minute);
  }
  expect(parts.seen).toEqual([[0, 3, 3 + 40 / 60, 0, 27]]);
});

test('a shorter candle that comes when its longer one was shown is in no other', () => {
  const parts = listening('M3', M1);
  parts.play([candle('00:01', 10), candle('00:02', 20)]);
  row(parts, CANDLE, 3 * US_PER_MINUTE + 5 * US_PER_SECOND, 2);
  parts.play([candle('00:04', 30), candle('00:06', 40)]);
  expect(parts.seen).toEqual([
    [0, 3, 3 + 2 / 60, 2_000, 20],
    [3, 6, 6, 4_000, 20],
  ]);
});
