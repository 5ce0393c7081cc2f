import { EMPTY, ignoreElements, merge, tap, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { eventColumns, GAP, LAST, LEVEL } from '../../src/model/events.ts';
import type { Period } from '../../src/model/period.ts';
import { micros } from '../../src/platform/time.ts';
import type { Book, Context } from '../../src/strategy/context.ts';
import { rig, TERMS, type Rig, type RigOptions } from './rig.ts';

/** An engine whose strategy only listens, and what it heard. */
function listening<T>(
  stream: (context: Context<unknown>) => Observable<T>,
  options: RigOptions = {},
): Rig & { readonly values: T[] } {
  const values: T[] = [];
  const parts = rig(
    (context) =>
      stream(context).pipe(
        tap((value) => values.push(value)),
        ignoreElements(),
      ),
    options,
  );
  parts.engine.start();
  return { ...parts, values };
}

test('trades have both faces of their numbers and both times', () => {
  const { play, values } = listening(({ market }) => market.trades('BTCUSDT'));
  play([
    { at: '00:00:01', trade: 10.5, size: 0.25 },
    { at: '00:00:02', trade: 11, aggressor: 'sell' },
  ]);
  expect(values).toMatchObject([
    { at: 1e6, stampedAt: 1e6, id: 0, aggressor: 'buy', ticks: 1_050, lots: 250 },
    { at: 2e6, aggressor: 'sell', ticks: 1_100, lots: 1 },
  ]);
  expect(values[0].price.toFixed()).toBe('10.5');
  expect(values[0].size.toFixed()).toBe('0.25');
});

const BOOK: TestEvent = {
  at: '00:00:01',
  bids: [
    [10, 1],
    [9.9, 2],
  ],
  asks: [
    [10.1, 3],
    [10.2, 4],
  ],
};

/** Plays one row of bare columns. */
function row(
  { engine, clock }: Rig,
  kind: number,
  price: number,
  size: number,
  flags = LAST,
): void {
  const columns = eventColumns(1);
  columns.kind[0] = kind;
  columns.flags[0] = flags;
  columns.price[0] = price;
  columns.size[0] = size;
  clock.advanceTo(micros(clock.now() + 1));
  engine.market(0, columns, 0);
}

describe('book', () => {
  test('it emits once a message, as one living view', () => {
    const { play, values } = listening(({ market }) => market.book('BTCUSDT'));
    play([BOOK, { ...BOOK, at: '00:00:02' }]);
    expect(values).toHaveLength(2);
    const [book] = values;
    expect(values[1]).toBe(book);
    expect(book).toMatchObject({ at: 2e6, stale: false });
    expect([book.depth('buy'), book.depth('sell')]).toEqual([2, 2]);
    expect([book.ticksAt('buy', 0), book.ticksAt('sell', 1), book.ticksAt('buy', 2)]).toEqual([
      1_000,
      1_020,
      Number.NaN,
    ]);
    expect([book.lotsAt('buy', 1), book.lotsAt('sell', 5)]).toEqual([2_000, 0]);
    expect([book.depthLots('sell', 1), book.depthLots('sell', 9)]).toEqual([3_000, 7_000]);
    expect(book.levels('buy', 9)).toEqual([
      { ticks: 1_000, lots: 1_000 },
      { ticks: 990, lots: 2_000 },
    ]);
  });

  test('it is kept while nobody listens', () => {
    const { play, received, engine } = rig(({ market, plot }) =>
      merge(
        market.trades('BTCUSDT').pipe(tap(() => market.book('BTCUSDT').subscribe(plotCount(plot)))),
      ).pipe(ignoreElements()),
    );
    engine.start();
    play([BOOK, { at: '00:00:02', trade: 10 }, { ...BOOK, at: '00:00:03' }]);
    expect(received('plot').map(({ value }) => value)).toEqual([2]);
  });

  test('a gap makes it stale and is shown', () => {
    const parts = listening(({ market }) =>
      merge(
        market.book('BTCUSDT').pipe(tap(({ stale }) => stales.push(stale))),
        market.bbo('BTCUSDT').pipe(tap(({ stale }) => tops.push(stale))),
      ),
    );
    const stales: boolean[] = [];
    const tops: boolean[] = [];
    parts.play([BOOK]);
    row(parts, GAP, 0, 0);
    row(parts, LEVEL, 1_000, 5);
    expect([stales, tops]).toEqual([
      [false, true, true],
      [false, true, true],
    ]);
  });
});

const plotCount =
  (plot: Context<unknown>['plot']) =>
  (book: Book): void =>
    plot('bids', book.depth('buy'));

describe('top', () => {
  test('it follows the book and is silent while best prices and sizes stay', () => {
    const parts = listening(({ market }) => market.bbo('BTCUSDT'));
    parts.play([BOOK]);
    row(parts, LEVEL, 990, 7);
    row(parts, LEVEL, 1_000, 7);
    row(parts, LEVEL, 1_000, 0);
    expect(
      parts.values.map(({ bidTicks, bidLots, askTicks, askLots }) => [
        bidTicks,
        bidLots,
        askTicks,
        askLots,
      ]),
    ).toEqual([
      [1_000, 1_000, 1_010, 3_000],
      [1_000, 7, 1_010, 3_000],
      [990, 7, 1_010, 3_000],
    ]);
  });

  test('quotes take over from the book with the first of them', () => {
    const parts = listening(({ market }) => market.bbo('BTCUSDT'));
    parts.play([BOOK, { at: '00:00:02', bid: [10.05, 1], ask: [10.07, 1] }]);
    row(parts, LEVEL, 1_008, 1);
    parts.play([
      { at: '00:00:03', bid: [10.05, 1], ask: [10.07, 1] },
      { at: '00:00:04', bid: [10.05, 1] },
      { at: '00:00:05', bid: [10.05, 1] },
      { at: '00:00:06', ask: 11 },
    ]);
    expect(parts.values.map(({ bidTicks, askTicks }) => [bidTicks, askTicks])).toEqual([
      [1_000, 1_010],
      [1_005, 1_007],
      [1_005, Number.NaN],
      [Number.NaN, 1_100],
    ]);
  });

  test('after a gap quotes are stale until the next one', () => {
    const parts = listening(({ market }) => market.bbo('BTCUSDT'));
    parts.play([{ at: '00:00:01', bid: 10, ask: 11 }]);
    row(parts, GAP, 0, 0);
    row(parts, GAP, 0, 0);
    row(parts, LEVEL, 1_000, 5);
    parts.play([{ at: '00:00:02', bid: 10, ask: 11 }]);
    expect(parts.values.map(({ stale }) => stale)).toEqual([false, true, false]);
  });
});

const candlesOf =
  (period: Period) =>
  ({ market, clock }: Context<unknown>): Observable<unknown> =>
    market
      .candles('BTCUSDT', period)
      .pipe(
        tap(
          ({
            period: of,
            openedAt,
            closedAt,
            openTicks,
            highTicks,
            lowTicks,
            closeTicks,
            volumeLots,
          }) =>
            seen.push([
              of,
              openedAt / 6e7,
              closedAt / 6e7,
              clock.now() / 6e7,
              [openTicks, highTicks, lowTicks, closeTicks],
              volumeLots,
            ]),
        ),
      );
let seen: unknown[] = [];

describe('candles', () => {
  test('those built from trades end by the clock, and a period without trades has none', () => {
    seen = [];
    const { play, clock } = listening(candlesOf('M1'));
    play([
      { at: '00:00:01', trade: 10 },
      { at: '00:00:30', trade: 12, size: 0.002 },
      { at: '00:00:40', trade: 9 },
      { at: '00:03', trade: 11 },
    ]);
    clock.advanceTo(micros(10 * 6e7));
    expect(seen).toEqual([
      ['M1', 0, 1, 1, [1_000, 1_200, 900, 900], 4],
      ['M1', 3, 4, 4, [1_100, 1_100, 1_100, 1_100], 1],
    ]);
  });

  test('where the clock did not run on, the next trade ends a candle and is shown after it', () => {
    const order: string[] = [];
    const { engine, clock } = listening(({ market }) =>
      merge(
        market.trades('BTCUSDT').pipe(tap(({ ticks }) => order.push(`trade ${ticks}`))),
        market
          .candles('BTCUSDT', 'M1')
          .pipe(tap(({ closeTicks }) => order.push(`candle ${closeTicks}`))),
      ),
    );
    const columns = eventColumns(1);
    columns.kind[0] = 1;
    columns.flags[0] = LAST;
    columns.price[0] = 7;
    columns.size[0] = 1;
    engine.market(0, columns, 0);
    // A clock that jumps without running what is due, as real timers may.
    const now = clock.now.bind(clock);
    clock.now = () => micros(90e6);
    columns.price[0] = 8;
    engine.market(0, columns, 0);
    clock.now = now;
    expect(order).toEqual(['trade 7', 'candle 7', 'trade 8']);
  });

  test('who comes late waits for a period that is seen from its start', () => {
    seen = [];
    const late = rig(({ market, ...rest }) =>
      merge(
        market.trades('BTCUSDT').pipe(
          tap(({ ticks }) => {
            if (ticks === 1_000) candlesOf('M1')({ market, ...rest }).subscribe();
          }),
        ),
      ).pipe(ignoreElements()),
    );
    late.engine.start();
    late.play([
      { at: '00:00:01', trade: 20 },
      { at: '00:00:10', trade: 10 },
      { at: '00:00:20', trade: 30 },
      { at: '00:01:20', trade: 40 },
      { at: '00:02:20', trade: 50 },
    ]);
    expect(seen).toEqual([['M1', 1, 2, 2, [4_000, 4_000, 4_000, 4_000], 1]]);
  });

  const candle = (at: string, close: number): TestEvent => ({
    at,
    candle: { open: close - 1, high: close + 1, low: close - 2, close, volume: 0.01 },
  });
  const feeds = (candlePeriod: Period, trades = false): RigOptions => ({
    period: candlePeriod,
    feeds: new Map([['BTCUSDT', { trades, levels: false, quotes: false, candlePeriod }]]),
  });

  test('those of the feed are handed on', () => {
    seen = [];
    const { play } = listening(candlesOf('M1'), feeds('M1'));
    play([candle('00:01', 10), candle('00:02', 20)]);
    expect(seen).toEqual([
      ['M1', 0, 1, 1, [900, 1_100, 800, 1_000], 10],
      ['M1', 1, 2, 2, [1_900, 2_100, 1_800, 2_000], 10],
    ]);
  });

  test('longer ones are built from those of the feed, also where some are missing', () => {
    seen = [];
    const { play } = listening(candlesOf('M3'), feeds('M1'));
    play([
      candle('00:01', 10),
      candle('00:02', 20),
      candle('00:03', 15),
      candle('00:04', 30),
      candle('00:08', 40),
    ]);
    expect(seen).toEqual([
      ['M3', 0, 3, 3, [900, 2_100, 800, 1_500], 30],
      // Where the one that reaches the end is missing, the clock ends it two seconds later.
      ['M3', 3, 6, 6 + 2 / 60, [2_900, 3_100, 2_800, 3_000], 10],
    ]);
  });

  test('who comes late to longer ones waits too', () => {
    seen = [];
    const late = rig((context) => {
      context.market.candles('BTCUSDT', 'M1').subscribe(({ closeTicks }) => {
        if (closeTicks === 1_000) candlesOf('M3')(context).subscribe();
      });
      return EMPTY;
    }, feeds('M1'));
    late.engine.start();
    late.play([candle('00:01', 10), candle('00:02', 20), candle('00:03', 15)]);
    expect(seen).toEqual([]);
    late.play([candle('00:06', 30)]);
    expect(seen).toEqual([['M3', 3, 6, 6, [2_900, 3_100, 2_800, 3_000], 10]]);
  });

  test('a feed of both builds from trades what its candles cannot give', () => {
    seen = [];
    const { play } = listening(candlesOf('M1'), feeds('M5', true));
    play([{ at: '00:00:10', trade: 5 }, candle('00:05', 10)]);
    expect(seen).toEqual([['M1', 0, 1, 1, [500, 500, 500, 500], 1]]);
  });

  test('candles that nobody asked for only set the price', () => {
    const { play, values, wire } = listening(
      ({ account }) => account.equity('BTCUSDT'),
      feeds('M1'),
    );
    wire.balance('BTC', '1');
    play([candle('00:01', 10), candle('00:02', 10), candle('00:03', 11)]);
    expect(values.map(String)).toEqual(['0', '10', '11']);
  });
});

describe('what a feed lacks is refused at once', () => {
  const none = { trades: false, levels: false, quotes: false };
  const failing = (
    stream: (context: Context<unknown>) => Observable<unknown>,
    contents: { trades: boolean; levels: boolean; quotes: boolean; candlePeriod?: Period },
  ): unknown => {
    const { engine } = listening(stream, { feeds: new Map([['BTCUSDT', contents]]) });
    return engine.failure;
  };

  test.each([
    ['no trades', ({ market }: Context<unknown>) => market.trades('BTCUSDT'), none],
    ['no book', ({ market }: Context<unknown>) => market.book('BTCUSDT'), none],
    ['neither quotes nor a book', ({ market }: Context<unknown>) => market.bbo('BTCUSDT'), none],
    [
      'no trades to build M1',
      ({ market }: Context<unknown>) => market.candles('BTCUSDT', 'M1'),
      none,
    ],
    [
      'candles of M5 only, from which M1',
      ({ market }: Context<unknown>) => market.candles('BTCUSDT', 'M1'),
      { ...none, candlePeriod: 'M5' as const },
    ],
    [
      'candles of M3 only, from which M5',
      ({ market }: Context<unknown>) => market.candles('BTCUSDT', 'M5'),
      { ...none, candlePeriod: 'M3' as const },
    ],
    [
      'candles of D7 only, from which 1M',
      ({ market }: Context<unknown>) => market.candles('BTCUSDT', '1M'),
      { ...none, candlePeriod: 'D7' as const },
    ],
  ])('%s', (what, stream, contents) => {
    expect(failing(stream, contents)).toMatchObject({
      code: 'feed-lacks',
      message: expect.stringContaining(what),
    });
  });

  test('a top needs one of the two', () => {
    const top = ({ market }: Context<unknown>): Observable<unknown> => market.bbo('BTCUSDT');
    expect(failing(top, { ...none, levels: true })).toBeUndefined();
    expect(failing(top, { ...none, quotes: true })).toBeUndefined();
  });

  test('a symbol that is not there', () => {
    const { engine } = listening(({ market }) => market.trades('ETHUSDT'));
    expect(engine.failure).toMatchObject({
      code: 'symbol-unknown',
      message: 'There is no instrument "ETHUSDT" in this run; it has BTCUSDT.',
    });
  });
});

test('markets do not mix', () => {
  const { play, values } = listening(({ market }) => market.trades('ETHUSDT'), {
    terms: [TERMS, { ...TERMS, symbol: 'ETHUSDT', baseCurrency: 'ETH' }],
  });
  play([{ at: '00:01', trade: 10 }]);
  play([{ at: '00:02', trade: 20 }], 1);
  expect(values.map(({ ticks }) => ticks)).toEqual([2_000]);
});

test('unsubscribing ends the dispatch, for one of two too', () => {
  const { play, values, engine, clock } = listening(({ market }) =>
    merge(market.trades('BTCUSDT'), market.trades('BTCUSDT')),
  );
  play([{ at: '00:01', trade: 10 }]);
  engine.stop();
  expect(clock.nextAt).toBe(Number.POSITIVE_INFINITY);
  play([{ at: '00:02', trade: 10 }]);
  expect(values).toHaveLength(2);
});
