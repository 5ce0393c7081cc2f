import { expect, test } from 'vitest';
import { DepthFeed } from '../../src/model/depth-feed.ts';
import {
  eventColumns,
  GAP,
  LAST,
  LEVEL,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../src/model/events.ts';

interface Row {
  readonly kind: number;
  readonly flags?: number;
  readonly sequence?: number;
  readonly price?: number;
  readonly size?: number;
}

function columnsOf(rows: readonly Row[]): EventColumns {
  const columns = eventColumns(rows.length);
  columns.length = rows.length;
  rows.forEach((row, index) => {
    columns.kind[index] = row.kind;
    columns.flags[index] = row.flags ?? 0;
    columns.sequence[index] = row.sequence ?? 0;
    columns.price[index] = row.price ?? 0;
    columns.size[index] = row.size ?? 0;
  });
  return columns;
}

/** Applies all rows and gives what each said. */
function applyAll(feed: DepthFeed, rows: readonly Row[]): boolean[] {
  const columns = columnsOf(rows);
  return rows.map((_row, index) => feed.apply(columns, index));
}

const SNAPSHOT: readonly Row[] = [
  { kind: RESET, sequence: 7 },
  { kind: LEVEL, sequence: 7, price: 100, size: 5 },
  { kind: LEVEL, flags: SELL | LAST, sequence: 7, price: 101, size: 6 },
];

test('a book is stale until the first snapshot and whole at its last row', () => {
  const feed = new DepthFeed();
  expect(feed.depth.stale).toBe(true);
  expect(applyAll(feed, SNAPSHOT)).toEqual([false, false, true]);
  expect(feed.depth.stale).toBe(false);
  expect(feed.depth.sequence).toBe(7);
  expect([feed.depth.bids.ticksAt(0), feed.depth.asks.ticksAt(0)]).toEqual([100, 101]);
});

test('all levels of one message apply though they share a sequence, and its repetition does not', () => {
  const feed = new DepthFeed();
  applyAll(feed, SNAPSHOT);
  const message: readonly Row[] = [
    { kind: LEVEL, sequence: 8, price: 99, size: 1 },
    { kind: LEVEL, flags: LAST, sequence: 8, price: 98, size: 2 },
  ];
  expect(applyAll(feed, message)).toEqual([false, true]);
  expect(feed.depth.bids.length).toBe(3);
  applyAll(feed, [{ kind: LEVEL, flags: LAST, sequence: 9, price: 99, size: 0 }]);
  expect(applyAll(feed, message)).toEqual([false, false]);
  expect(feed.depth.bids.lotsOf(99)).toBe(0);
});

test('the message of the snapshot itself is old once the snapshot has ended', () => {
  const feed = new DepthFeed();
  applyAll(feed, SNAPSHOT);
  expect(applyAll(feed, [{ kind: LEVEL, flags: LAST, sequence: 7, price: 100, size: 9 }])).toEqual([
    false,
  ]);
  expect(feed.depth.bids.lotsOf(100)).toBe(5);
});

test('levels without a sequence always apply', () => {
  const feed = new DepthFeed();
  applyAll(feed, SNAPSHOT);
  expect(applyAll(feed, [{ kind: LEVEL, flags: LAST, price: 100, size: 9 }])).toEqual([true]);
  expect(feed.depth.bids.lotsOf(100)).toBe(9);
  expect(feed.depth.sequence).toBe(7);
});

test('a gap makes the book stale, later levels still apply, and a snapshot ends it', () => {
  const feed = new DepthFeed();
  applyAll(feed, SNAPSHOT);
  expect(applyAll(feed, [{ kind: GAP, flags: LAST, sequence: 8 }])).toEqual([true]);
  expect(feed.depth.stale).toBe(true);
  expect(applyAll(feed, [{ kind: GAP, flags: LAST, sequence: 8 }])).toEqual([false]);
  applyAll(feed, [{ kind: LEVEL, flags: LAST, sequence: 12, price: 100, size: 1 }]);
  expect(feed.depth.bids.lotsOf(100)).toBe(1);
  applyAll(feed, [{ kind: RESET, flags: LAST, sequence: 3 }]);
  expect(feed.depth).toMatchObject({ stale: false, sequence: 3 });
  expect(feed.depth.bids.length).toBe(0);
});

test('other rows leave the book alone', () => {
  const feed = new DepthFeed();
  applyAll(feed, SNAPSHOT);
  expect(applyAll(feed, [{ kind: TRADE, flags: LAST, sequence: 99, price: 1, size: 1 }])).toEqual([
    false,
  ]);
  expect(feed.depth.sequence).toBe(7);
});
