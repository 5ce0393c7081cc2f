import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Level } from '../../../src/exchange/market-data/book-log.ts';
import type { MarketCandle } from '../../../src/exchange/market-data/market-candle.ts';
import type { MarketData } from '../../../src/exchange/market-data/market-data.ts';
import { NONE } from '../../../src/exchange/orders/orders.ts';
import { sideCode } from '../../../src/exchange/orders/side.ts';
import { PERIODS } from '../../../src/model/period.ts';
import { micros, US_PER_DAY, US_PER_HOUR } from '../../../src/platform/time.ts';
import { step, type Step } from '../random-steps.ts';
import { Actor, INSTRUMENTS } from './actor.ts';
import { bookOf, candlesOf, dayOf, type Reported } from './naive-market.ts';
import { runs } from '../../kit/size.ts';

const pairs = (levels: readonly Level[]): number[][] => levels.map((l) => [l.ticks, l.lots]);

/** An exchange beside readers of what it publishes. */
class Watched {
  readonly actor: Actor;
  readonly data: MarketData;
  readonly trades: Reported[] = [];
  /** Books as a reader has them who started with a snapshot and applies every update. */
  readonly #books: { sequence: number; sides: [Map<number, number>, Map<number, number>] }[];
  /** How often it was told that a book has an update. */
  readonly #reported = INSTRUMENTS.map(() => 0);
  #seen = 0;

  constructor() {
    this.actor = new Actor({
      tradesKept: 30,
      candlesKept: 1_000,
      listener: {
        trade: (instrument, id, ticks, lots, side, at) => {
          this.trades.push({ instrument, id, ticks, lots, side, at });
        },
        book: (instrument) => {
          this.#reported[instrument] += 1;
        },
      },
    });
    const { marketData } = this.actor.floor.exchange;
    if (marketData === undefined) throw new Error('There is no market data.');
    this.data = marketData;
    this.#books = INSTRUMENTS.map(() => ({ sequence: 0, sides: [new Map(), new Map()] }));
  }

  step(action: Step): void {
    this.actor.step(action);
    INSTRUMENTS.forEach((_, instrument) => {
      this.#book(instrument);
    });
    this.#tradesOf(action);
  }

  #book(instrument: number): void {
    const reader = this.#books[instrument];
    const book = this.data.books[instrument];
    for (const update of book.updatesSince(reader.sequence) ?? []) {
      expect(update.sequence).toBe((reader.sequence += 1));
      expect(update.bids.length + update.asks.length).toBeGreaterThan(0);
      [update.bids, update.asks].forEach((levels, side) => {
        for (const { ticks, lots } of levels) {
          expect(reader.sides[side].get(ticks) ?? 0).not.toBe(lots);
          if (lots === 0) reader.sides[side].delete(ticks);
          else reader.sides[side].set(ticks, lots);
        }
      });
    }
    const { sequence, bids, asks } = book.snapshot();
    expect(sequence).toBe(reader.sequence);
    expect(sequence).toBe(this.#reported[instrument]);
    expect(pairs(bids)).toEqual([...reader.sides[0]].sort((a, b) => b[0] - a[0]));
    expect(pairs(asks)).toEqual([...reader.sides[1]].sort((a, b) => a[0] - b[0]));
    const scratch = bookOf(this.actor.floor.exchange, instrument);
    expect({ bids: pairs(bids), asks: pairs(asks) }).toEqual(scratch);
    if (bids.length > 0 && asks.length > 0) expect(bids[0].ticks).toBeLessThan(asks[0].ticks);
    // Of what is not shown, nothing is an own order's.
    this.actor.floor.exchange.books[instrument].sides.forEach((side, index) => {
      for (let level = side.best(); level !== NONE; level = side.below(side.key(level))) {
        expect(reader.sides[index].has(side.sign * side.key(level))).toBe(true);
      }
    });
  }

  /** Every trade of an own order is public once, and a print's lots are all there. */
  #tradesOf(action: Step): void {
    const reported = this.trades.slice(this.#seen);
    this.#seen = this.trades.length;
    const own = new Map<number, { ticks: number; lots: number; side: number; isPrint: boolean }>();
    for (const line of this.actor.floor.reported()) {
      const [event, id, , side, size, role] = line.split(' ');
      if (event !== 'trade') continue;
      const [lots, ticks] = size.split('@').map(Number);
      const isBuy = (side === 'buy') === (role === 'taker');
      const isPrint = role === 'maker';
      own.set(Number(id), { ticks, lots, side: isBuy ? 0 : 1, isPrint });
    }
    let printed = 0;
    for (const { id, ticks, lots, side, at } of reported) {
      const fill = own.get(id);
      expect(at).toBeLessThanOrEqual(this.actor.floor.at);
      if (fill === undefined && action.kind === 'trade') {
        expect({ ticks, side }).toEqual({ ticks: action.ticks, side: sideCode(action.side) });
      }
      if (fill !== undefined)
        expect({ ticks, lots, side }).toEqual({ ...fill, isPrint: undefined });
      if (fill === undefined || fill.isPrint) printed += lots;
      own.delete(id);
    }
    expect(own.size).toBe(0);
    if (action.kind === 'trade') expect(printed).toBe(action.lots);
    const ids = reported.map((trade) => trade.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }

  /** What is computed of trades, from scratch. */
  check(): void {
    const now = this.actor.floor.exchange.now;
    INSTRUMENTS.forEach((terms, instrument) => {
      const trades = this.trades.filter((trade) => trade.instrument === instrument);
      const ticker = this.data.ticker(instrument, now);
      const day = dayOf(trades, now);
      expect([ticker.lastTicks, ticker.openTicks, ticker.highTicks, ticker.lowTicks]).toEqual([
        day['last'],
        day['open'],
        day['high'],
        day['low'],
      ]);
      expect(ticker.volume.toFixed()).toBe(String(day['lots']));
      expect(ticker.volumeQuote.toFixed()).toBe(
        terms.tickValue.times(String(day['value'])).toFixed(),
      );
      expect(ticker.lastId).toBe(trades.at(-1)?.id);
      for (const period of PERIODS) {
        const found = this.data.candles(instrument, period, { sort: 'ASC', limit: 1_000 });
        expect(found.map(fields)).toEqual(candlesOf(trades, period));
      }
      const kept = this.data.trades(instrument, { by: 'id', sort: 'DESC', limit: 1_000 });
      expect(kept.map((trade) => trade.id)).toEqual(
        trades
          .map((trade) => trade.id)
          .slice(-30)
          .reverse(),
      );
    });
  }
}

const fields = (candle: MarketCandle): unknown[] => [
  candle.openedAt,
  candle.openTicks,
  candle.highTicks,
  candle.lowTicks,
  candle.closeTicks,
  candle.volumeLots,
  candle.value,
];

const wait = fc.record({
  kind: fc.constant('wait'),
  us: fc.constantFrom(60_000_000, US_PER_HOUR, US_PER_DAY - 1, US_PER_DAY, 8 * US_PER_DAY),
});
const steps = fc.array(fc.oneof({ weight: 12, arbitrary: step }, { weight: 1, arbitrary: wait }), {
  maxLength: 60,
  size: 'max',
});

test('after every step the book is the recorded market and the resting orders, in updates whose numbers rise by one', () => {
  fc.assert(
    fc.property(steps, (actions) => {
      const watched = new Watched();
      for (const action of actions) watched.step(action);
      watched.check();
    }),
    { numRuns: runs(150) },
  );
});

test('publishing changes nothing in the reports of orders but the numbers of trades', () => {
  fc.assert(
    fc.property(steps, (actions) => {
      const [quiet, loud] = [undefined, {}].map((marketData) => {
        const actor = new Actor(marketData);
        for (const action of actions) actor.step(action);
        return actor.floor.reported().map((line) => line.replace(/^trade \d+/, 'trade'));
      });
      expect(loud).toEqual(quiet);
    }),
    { numRuns: 50 },
  );
});

test('the ticker of an earlier time than the latest trade has the latest trade', () => {
  const actor = new Actor({});
  const { floor } = actor;
  floor.trade('buy', 100, 3);
  expect(floor.exchange.marketData?.ticker(0, micros(floor.at - 1)).volume.toFixed()).toBe('3');
});
