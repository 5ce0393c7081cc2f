import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Depth, DepthSide } from '../../src/model/depth.ts';

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
