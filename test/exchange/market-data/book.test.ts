import { describe, expect, test } from 'vitest';
import type { ExchangeOptions } from '../../../src/exchange/exchange.ts';
import { BookLog } from '../../../src/exchange/market-data/book-log.ts';
import { type PublicBook, forVolume } from '../../../src/exchange/market-data/public-book.ts';
import { BUY, SELL } from '../../../src/exchange/orders/side.ts';
import { DepthSide } from '../../../src/model/depth.ts';
import { LEVEL, RESET, eventColumns } from '../../../src/model/events.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { Floor, instrumentOf } from '../kit.ts';

function open(marketData: NonNullable<ExchangeOptions['marketData']> = {}): {
  floor: Floor;
  book: PublicBook;
  account: number;
} {
  const floor = new Floor([instrumentOf()], { marketData });
  const book = floor.exchange.marketData?.books[0];
  if (book === undefined) throw new Error('There is no market data.');
  return { floor, book, account: floor.account({ USDT: '500000', BTC: '1000' }) };
}

/** A book in short: bids and asks, each `lots@ticks`, best first. */
function shown(book: PublicBook, depth = 0): string {
  const { bids, asks } = book.snapshot(depth);
  const text = (levels: typeof bids): string => levels.map((l) => `${l.lots}@${l.ticks}`).join(' ');
  return `${text(bids)} | ${text(asks)}`;
}

describe('the published book', () => {
  test(
    'is the recorded market and own orders together, in levels; size 0 removes a level',
    { tags: ['server:trading-v3.stream-public.book-zero-deletes'] },
    () => {
      const { floor, book, account } = open();
      floor.snapshot([
        ['bid', 98, 5],
        ['ask', 103, 5],
      ]);
      floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
      floor.place(account, 'b', { side: 'buy', ticks: 99, lots: 1 });
      expect(shown(book)).toBe('1@99 7@98 | 5@103');
      floor.cancel(account, 'b');
      expect(book.updatesSince(3)).toEqual([
        { sequence: 4, at: 0, bids: [{ ticks: 99, lots: 0 }], asks: [] },
      ]);
    },
  );

  test(
    'updates are numbered one by one from the snapshot on',
    { tags: ['server:trading-v3.stream-public.book-sequence'] },
    () => {
      const { floor, book, account } = open();
      floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
      const { sequence } = book.snapshot();
      expect(sequence).toBe(1);
      floor.at = 7;
      floor.place(account, 'b', { side: 'sell', ticks: 99, lots: 1 });
      floor.place(account, 'c', { side: 'sell', ticks: 98, lots: 2 });
      floor.place(account, 'd', { side: 'sell', ticks: 98, lots: 1 });
      expect(book.updatesSince(sequence)?.map((u) => u.sequence)).toEqual([2, 3, 4]);
      expect(book.updatesSince(4)).toEqual([]);
      expect(book.snapshot().at).toBe(7);
    },
  );

  test('an operation that changes nothing in the end is no update', () => {
    const { floor, book, account } = open();
    floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
    floor.replace(account, 'a', 'b', { lots: 3 });
    expect(book.sequence).toBe(2);
    floor.place(account, 'fok', { side: 'sell', ticks: 98, lots: 9, timeInForce: 'FOK' });
    floor.place(account, 'post', { side: 'sell', ticks: 98, lots: 9, postOnly: true });
    floor.depth([['bid', 98, 5]]);
    expect(book.sequence).toBe(2);
  });

  test('levels that a message changes are one update, best first', () => {
    const { floor, book } = open();
    floor.snapshot([
      ['bid', 97, 1],
      ['bid', 98, 2],
      ['ask', 104, 4],
      ['ask', 103, 3],
    ]);
    expect(book.updatesSince(0)).toEqual([
      {
        sequence: 1,
        at: 0,
        bids: [
          { ticks: 98, lots: 2 },
          { ticks: 97, lots: 1 },
        ],
        asks: [
          { ticks: 103, lots: 3 },
          { ticks: 104, lots: 4 },
        ],
      },
    ]);
  });

  test('what orders took from a level of the tape is not shown there', () => {
    const { floor, book, account } = open();
    floor.snapshot([['ask', 103, 5]]);
    floor.place(account, 'a', { side: 'buy', ticks: 103, lots: 2 });
    expect(shown(book)).toBe(' | 3@103');
    floor.place(account, 'b', { side: 'buy', ticks: 103, lots: 9 });
    expect(shown(book)).toBe('6@103 | ');
  });

  test('a quote hides the levels beyond it until the depth is as new', () => {
    const { floor, book } = open();
    const levels = [
      ['bid', 98, 5],
      ['bid', 97, 4],
      ['ask', 103, 5],
    ] as const;
    floor.snapshot(levels, 10);
    floor.quote([97, 1], [102, 3], 12);
    expect(shown(book)).toBe('1@97 | 3@102 5@103');
    floor.depth([['bid', 96, 2]], 13);
    expect(shown(book)).toBe('5@98 4@97 2@96 | 5@103');
  });

  test('a print shows nothing: it is over, and orders at its price stay in sight', () => {
    const { floor, book, account } = open();
    floor.place(account, 'a', { side: 'buy', ticks: 100, lots: 3 });
    floor.trade('buy', 100, 5);
    floor.place(account, 'b', { side: 'buy', ticks: 99, lots: 1 });
    expect(shown(book)).toBe('3@100 1@99 | ');
  });

  test('after a gap the tape shows nothing', () => {
    const { floor, book, account } = open();
    floor.snapshot([['bid', 98, 5]]);
    floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
    floor.gap();
    expect(shown(book)).toBe('2@98 | ');
  });

  test('a request between the rows of a snapshot finds nothing of the tape, and one after it all', () => {
    const { floor, book, account } = open();
    floor.snapshot([['bid', 98, 5]]);
    const columns = eventColumns(1);
    columns.kind[0] = RESET;
    floor.exchange.market(0, columns, 0, micros(0));
    expect(shown(book)).toBe('5@98 | ');
    columns.kind[0] = LEVEL;
    columns.price[0] = 97;
    columns.size[0] = 4;
    floor.exchange.market(0, columns, 0, micros(0));
    expect(shown(book)).toBe('5@98 | ');
    floor.place(account, 'a', { side: 'buy', ticks: 99, lots: 2 });
    expect(shown(book)).toBe('2@99 | ');
    floor.depth([['bid', 96, 3]]);
    expect(shown(book)).toBe('2@99 4@97 3@96 | ');
  });

  test('where the tape contradicts itself the prices between its sides are not shown', () => {
    const { floor, book, account } = open();
    floor.snapshot([
      ['bid', 101, 5],
      ['bid', 99, 1],
      ['ask', 100, 5],
      ['ask', 102, 2],
    ]);
    expect(shown(book)).toBe('1@99 | 2@102');
    floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
    expect(shown(book)).toBe('1@99 2@98 | 2@102');
    floor.depth([['bid', 101, 0]]);
    expect(shown(book)).toBe('1@99 2@98 | 5@100 2@102');
    expect(book.sequence).toBe(3);
  });

  test('a partial book has the best levels, and depth 0 is all of it', () => {
    const { floor, book } = open();
    floor.snapshot([98, 97, 96, 95].map((price) => ['bid', price, 1] as const));
    expect(shown(book, 2)).toBe('1@98 1@97 | ');
    expect(shown(book)).toBe('1@98 1@97 1@96 1@95 | ');
    expect(book.top()).toEqual({ bid: { ticks: 98, lots: 1 }, ask: undefined });
    expect([book.bidTicks, book.askTicks]).toEqual([98, NaN]);
  });

  test('a level of more than 2^53 - 1 lots shows that many', () => {
    const { floor, book, account } = open();
    floor.snapshot([['bid', 98, Number.MAX_SAFE_INTEGER]]);
    floor.place(account, 'a', { side: 'buy', ticks: 98, lots: 2 });
    expect(book.top().bid?.lots).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('hundreds of levels change in one operation', () => {
    const { floor, book, account } = open();
    for (let i = 0; i < 300; i += 1) {
      floor.place(account, `o${i}`, { side: 'buy', ticks: 1_000 - i, lots: 1 });
    }
    expect(book.snapshot().bids).toHaveLength(300);
    floor.exchange.cancelAll(account, micros(0));
    expect(shown(book)).toBe(' | ');
    expect(book.updatesSince(300)?.[0].bids).toHaveLength(300);
  });
});

describe('the log of updates', () => {
  test('gives those after a number, and nothing where some are lost', () => {
    const log = new BookLog(300);
    expect(log.since(0)).toEqual([]);
    // Three levels in each update; 512 places hold 170 whole updates and two levels more.
    for (let i = 0; i < 900; i += 1)
      log.add(1 + Math.floor(i / 3), i, i % 2 === 0 ? BUY : SELL, i, 1);
    expect(log.since(129)).toBeUndefined();
    expect(log.since(130)?.map((u) => u.sequence)).toEqual(
      Array.from({ length: 170 }, (_, i) => 131 + i),
    );
    expect(log.since(299)).toEqual([
      {
        sequence: 300,
        at: 897,
        bids: [{ ticks: 898, lots: 1 }],
        asks: [
          { ticks: 897, lots: 1 },
          { ticks: 899, lots: 1 },
        ],
      },
    ]);
  });
});

describe('the price of a volume', () => {
  const side = new DepthSide('bid');
  const sample = [
    [977_967, 3_719],
    [977_929, 17_100],
    [977_927, 17_100],
    [977_921, 17_100],
    [977_900, 50_000],
  ];
  for (const [price, size] of sample) side.set(price, size);

  test('is the average over exactly the volume, and the last level is shown whole', () => {
    // The published sample: 0.5 at 9779.29, where all levels whole would give 9779.28.
    const { levels, averageTicks } = forVolume(side, lots(50_000));
    expect(levels).toEqual(sample.slice(0, 4).map(([t, l]) => ({ ticks: t, lots: l })));
    expect(averageTicks).toBe(977_929);
  });

  test('is that of all there is where the volume is more, and absent on an empty side', () => {
    const { levels, averageTicks } = forVolume(side, lots(1_000_000));
    expect(levels).toHaveLength(5);
    expect(averageTicks).toBe(977_915);
    expect(forVolume(new DepthSide('ask'), lots(1))).toEqual({
      levels: [],
      averageTicks: undefined,
    });
  });

  test('is at the nearest tick, a half tick towards zero', () => {
    const asks = new DepthSide('ask');
    asks.set(100, 1);
    asks.set(101, 2);
    expect(forVolume(asks, lots(2)).averageTicks).toBe(ticks(100));
    expect(forVolume(asks, lots(3)).averageTicks).toBe(ticks(101));
  });

  test('of a book is emitted for both sides', () => {
    const { floor, book } = open();
    floor.snapshot([
      ['bid', 98, 5],
      ['ask', 103, 5],
      ['ask', 104, 5],
    ]);
    const { bids, asks } = book.forVolume(lots(6));
    expect([bids.averageTicks, asks.averageTicks, asks.levels.length]).toEqual([98, 103, 2]);
  });
});
