import { merge, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { combinedUse, UNUSED } from '../../../src/engine/market/use.ts';
import { eventColumns, GAP, LAST } from '../../../src/model/events.ts';
import type { Context } from '../../../src/strategy/context.ts';
import { target } from '../../../src/strategy/managed-orders.ts';
import { rig } from '../rig.ts';

const M1 = { trades: true, levels: true, quotes: true, candlePeriod: 'M1' } as const;

/** An engine whose strategy leaves to the test what it listens to. */
function opened() {
  let given: Context<unknown> | undefined;
  const parts = rig(
    (context) => {
      given = context;
      return NEVER;
    },
    { period: 'M1', feeds: new Map([['BTCUSDT', M1]]) },
  );
  parts.engine.start();
  if (given === undefined) throw new Error('the strategy did not run');
  return { ...parts, context: given };
}

const candle = (at: string, close: number): TestEvent => ({
  at,
  candle: { open: close, high: close, low: close, close, volume: 0.01 },
});

describe('what is used of a market', () => {
  test('is what somebody listens to, as long as he does', () => {
    const { engine, context } = opened();
    const { market } = context;
    expect(engine.use(0)).toEqual(UNUSED);
    const trades = market.trades('BTCUSDT').subscribe();
    const top = market.bbo('BTCUSDT').subscribe();
    expect(engine.use(0)).toEqual({ trades: true, book: 'top', candles: false });
    const book = market.book('BTCUSDT').subscribe();
    const candles = market.candles('BTCUSDT', 'H1').subscribe();
    expect(engine.use(0)).toEqual({ trades: true, book: 'full', candles: true });
    for (const one of [trades, book, candles]) one.unsubscribe();
    expect(engine.use(0)).toEqual({ trades: false, book: 'top', candles: false });
    top.unsubscribe();
    expect(engine.use(0)).toEqual(UNUSED);
  });

  test('is trades for who follows an equity, and none for candles that nobody listens to', () => {
    const { engine, context } = opened();
    context.market.candles('BTCUSDT', 'M5');
    expect(engine.use(0)).toEqual(UNUSED);
    const equity = context.account.equity('BTCUSDT').subscribe();
    expect(engine.use(0)).toEqual({ ...UNUSED, trades: true });
    equity.unsubscribe();
    expect(engine.use(0)).toEqual(UNUSED);
  });

  test('is the book while a target waits for its market', () => {
    const parts = rig(() => merge(of(target('BTCUSDT', { lots: 1_000 })), NEVER), {
      feeds: new Map([['BTCUSDT', M1]]),
    });
    parts.engine.start();
    parts.wire.balance('USDT', '100');
    expect(parts.engine.use(0).book).toBe('full');
  });

  test('of several is what satisfies each of them', () => {
    const top = { ...UNUSED, book: 'top' } as const;
    expect(combinedUse([])).toEqual(UNUSED);
    expect(combinedUse([top, { ...UNUSED, candles: true }])).toEqual({ ...top, candles: true });
    expect(combinedUse([{ trades: true, book: 'full', candles: false }, top])).toEqual({
      trades: true,
      book: 'full',
      candles: false,
    });
  });
});

describe('a channel that has ended', () => {
  test('of trades leaves the price to the next candle', () => {
    const { engine, context, play } = opened();
    const equity: string[] = [];
    context.account.equity('BTCUSDT').subscribe((one) => equity.push(one.toFixed()));
    play([{ at: '00:00:01', trade: 10 }, candle('00:01', 11)]);
    expect(engine.marketOf('BTCUSDT')?.prices.valuation).toBe(2_000);
    engine.ended(0, 'trades');
    play([{ at: '00:01:01', bid: 20, ask: 21 }]);
    expect(engine.marketOf('BTCUSDT')?.prices.valuation).toBe(2_000);
    play([candle('00:02', 12)]);
    expect(engine.marketOf('BTCUSDT')?.prices.valuation).toBe(2_400);
  });

  test('of candles drops the candle that has a hole, and begins with the next whole one', () => {
    const { engine, context, play } = opened();
    const shown: number[] = [];
    context.market.candles('BTCUSDT', 'M3').subscribe(({ closedAt, highTicks }) => {
      shown.push(closedAt / 6e7, highTicks);
    });
    play([candle('00:01', 10)]);
    engine.ended(0, 'candles');
    play([candle('00:03', 11), candle('00:04', 12), candle('00:05', 13), candle('00:06', 12)]);
    expect(shown).toEqual([6, 1_300]);
  });
});

test('after a gap the best bid and ask are those of the next snapshot of the book, where no quote comes', () => {
  const { engine, clock, context, play } = opened();
  const tops: [number, boolean][] = [];
  context.market.bbo('BTCUSDT').subscribe(({ bidTicks, stale }) => tops.push([bidTicks, stale]));
  play([{ at: '00:00:01', bid: 10, ask: 11 }]);
  const columns = eventColumns(1);
  columns.kind[0] = GAP;
  columns.flags[0] = LAST;
  engine.market(0, columns, 0);
  expect(clock.now()).toBeGreaterThan(0);
  play([
    { at: '00:00:02', bids: [[9, 1]], asks: [[12, 1]] },
    { at: '00:00:03', bids: [[8, 1]], asks: [[12, 1]] },
    { at: '00:00:04', bid: 10, ask: 11 },
    { at: '00:00:05', bids: [[8, 1]], asks: [[12, 1]] },
  ]);
  expect(tops).toEqual([
    [1_000, false],
    [1_000, true],
    [900, false],
    [800, false],
    [1_000, false],
  ]);
});
