import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Depth, DepthSide } from '../../src/model/depth.ts';
import { runs, seed } from '../kit/size.ts';

type Change = readonly [ticks: number, lots: number];

/** The naive book: a Map from price to size, sorted whenever it is read. */
function levelsOf(book: ReadonlyMap<number, number>, side: 'bid' | 'ask'): Change[] {
  const rising = [...book].sort(([a], [b]) => a - b);
  return side === 'bid' ? rising.reverse() : rising;
}

function expectSame(side: DepthSide, name: 'bid' | 'ask', book: ReadonlyMap<number, number>): void {
  const expected = levelsOf(book, name);
  const shown = Array.from({ length: side.length }, (_, rank) => [
    side.ticksAt(rank),
    side.lotsAt(rank),
  ]);
  expect(shown).toEqual(expected);
}

const price = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: fc.maxSafeNat() },
);
const size = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 }), fc.maxSafeNat());
const changes = fc.array(fc.tuple(price, size), { maxLength: 200 });

/**
 * Prices of the changes of a book of many levels: around a best that wanders and now and then jumps,
 * with some far away and some at both ends of what a number holds.
 */
const markets = fc
  .record({
    start: fc.oneof(
      fc.integer({ min: 1_000, max: 10_000_000 }),
      fc.constant(Number.MAX_SAFE_INTEGER - 3_000),
    ),
    spread: fc.constantFrom(150, 2_000, 40_000, 1_000_000),
    steps: fc.array(fc.tuple(fc.integer({ min: -300, max: 300 }), fc.nat(), fc.nat(99)), {
      minLength: 1_500,
      maxLength: 3_000,
    }),
  })
  .map(({ start, spread, steps }) => {
    let middle = start;
    return steps.map(([step, distance, chance]) => {
      middle += chance === 0 ? step * 1_000 : step;
      const far = chance < 3 ? 1e9 : spread;
      const ticks = middle + (distance % (2 * far)) - far;
      return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, ticks));
    });
  });
const reads = fc.array(fc.double({ min: 0, max: 1.01, noNaN: true }), {
  minLength: 2,
  maxLength: 6,
});

describe.each(['bid', 'ask'] as const)('the %s side', (name) => {
  test('holds what a Map would hold, best first, after every change', () => {
    fc.assert(
      fc.property(changes, (sequence) => {
        const side = new DepthSide(name);
        const book = new Map<number, number>();
        for (const [ticks, lots] of sequence) {
          const before = book.get(ticks) ?? 0;
          if (lots === 0) book.delete(ticks);
          else book.set(ticks, lots);
          expect(side.set(ticks, lots)).toBe(before);
          expect(side.lotsOf(ticks)).toBe(lots);
        }
        expectSame(side, name, book);
        for (const ticks of [-4, 0, 15, 31]) expect(side.lotsOf(ticks)).toBe(book.get(ticks) ?? 0);
      }),
    );
  });

  test('grows beyond its first room and keeps every level', () => {
    const side = new DepthSide(name);
    const book = new Map<number, number>();
    for (let i = 0; i < 5_000; i++) {
      const ticks = (i * 7_919) % 5_003;
      side.set(ticks, i + 1);
      book.set(ticks, i + 1);
    }
    for (let i = 0; i < 5_000; i += 3) {
      const ticks = (i * 7_919) % 5_003;
      side.set(ticks, 0);
      book.delete(ticks);
    }
    expectSame(side, name, book);
  });

  test('of many levels is what a Map would be, wherever the market goes and whatever is read', () => {
    fc.assert(
      fc.property(markets, reads, (market, ranks) => {
        const side = new DepthSide(name);
        const book = new Map<number, number>();
        for (const ticks of market) {
          const lots = book.has(ticks) && ticks % 3 > 0 ? 0 : 1 + (ticks % 7);
          const before = book.get(ticks) ?? 0;
          if (lots === 0) book.delete(ticks);
          else book.set(ticks, lots);
          if (side.set(ticks, lots) !== before) expect.fail(`${ticks} was not ${before}`);
          // Whoever reads by rank between changes is not led astray by what was read before.
          if (ticks % 64 !== 0) continue;
          const levels = levelsOf(book, name);
          for (const share of ranks) {
            const rank = Math.floor(share * levels.length);
            const [at, size] = levels[rank] ?? [Number.NaN, 0];
            expect([side.ticksAt(rank), side.lotsAt(rank)]).toEqual([at, size]);
          }
        }
        expectSame(side, name, book);
        side.clear();
        expect(side.length).toBe(0);
        for (const ticks of market.slice(0, 700)) side.set(ticks, 1);
        const again = new Map(market.slice(0, 700).map((ticks) => [ticks, 1]));
        expectSame(side, name, again);
      }),
      { numRuns: runs(60), seed: seed(3), endOnFailure: true },
    );
  });

  test('beyond the last level there is no price and no size', () => {
    const side = new DepthSide(name);
    expect(side.ticksAt(0)).toBeNaN();
    expect(side.lotsAt(0)).toBe(0);
    side.set(100, 5);
    expect(side.ticksAt(0)).toBe(100);
    expect(side.ticksAt(1)).toBeNaN();
    expect(side.lotsAt(1)).toBe(0);
  });

  test('removing a level that is not there changes nothing', () => {
    const side = new DepthSide(name);
    side.set(100, 5);
    expect(side.set(101, 0)).toBe(0);
    expect(side.set(99, 0)).toBe(0);
    expect(side.length).toBe(1);
  });

  test('a price of zero comes back as zero and not as negative zero', () => {
    const side = new DepthSide(name);
    side.set(0, 1);
    expect(Object.is(side.ticksAt(0), 0)).toBe(true);
    expect(side.lotsOf(0)).toBe(1);
  });
});

describe('a book of both sides', () => {
  test('is stale from the start', () => {
    expect(new Depth().stale).toBe(true);
    expect(new Depth().sequence).toBe(0);
  });

  test('bids fall and asks rise from their best, and clear empties both', () => {
    const depth = new Depth();
    for (const ticks of [10, 12, 11]) depth.bids.set(ticks, ticks);
    for (const ticks of [15, 13, 14]) depth.asks.set(ticks, ticks);
    expect([0, 1, 2].map((rank) => depth.bids.ticksAt(rank))).toEqual([12, 11, 10]);
    expect([0, 1, 2].map((rank) => depth.asks.ticksAt(rank))).toEqual([13, 14, 15]);
    depth.clear();
    expect([depth.bids.length, depth.asks.length]).toEqual([0, 0]);
    expect(depth.bids.lotsOf(12)).toBe(0);
  });
});
