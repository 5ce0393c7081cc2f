import { describe, expect, test } from 'vitest';
import { DepthSide } from '../../src/model/depth.ts';
import { LevelWindow, WINDOW } from '../../src/model/level-window.ts';
import { SortedLevels } from '../../src/model/sorted-levels.ts';

/** What holds levels by a key: `set` gives the size before. */
interface Levels {
  readonly length: number;
  set(key: number, lots: number): number;
}

/** Sets a size and compares what it was with a Map. */
function set(levels: Levels, naive: Map<number, number>, key: number, lots: number): void {
  expect(levels.set(key, lots)).toBe(naive.get(key) ?? 0);
  if (lots === 0) naive.delete(key);
  else naive.set(key, lots);
  expect(levels.length).toBe(naive.size);
}

const greatestFirst = (naive: ReadonlyMap<number, number>): (readonly [number, number])[] =>
  [...naive].sort(([a], [b]) => b - a);

describe('sorted levels', () => {
  const all = (levels: SortedLevels): (readonly [number, number])[] =>
    Array.from({ length: levels.length }, (_, rank) => [levels.keyAt(rank), levels.lotsAt(rank)]);

  // Few entries move in a loop and many by one call; beyond 64 there is new room.
  test.each([1, 40, 49, 50, 63, 64, 65, 200])('of %i keys are those of a Map', (count) => {
    const levels = new SortedLevels();
    const naive = new Map<number, number>();
    for (let i = 0; i < count; i += 1) set(levels, naive, ((i * 37) % count) * 3, i + 1);
    expect(all(levels)).toEqual(greatestFirst(naive));
    for (const [key, lots] of [...naive]) {
      expect([levels.lotsOf(key), levels.lotsOf(key + 1)]).toEqual([lots, 0]);
      set(levels, naive, key, lots + 5);
    }
    // The lowest, the greatest and one between.
    for (const key of [0, (count - 1) * 3, Math.floor(count / 2) * 3]) {
      set(levels, naive, key, 0);
      set(levels, naive, key, 0);
      expect(all(levels)).toEqual(greatestFirst(naive));
    }
    set(levels, naive, -1, 7);
    expect(all(levels)).toEqual(greatestFirst(naive));
  });
});

describe('a window of levels', () => {
  const all = (window: LevelWindow): (readonly [number, number])[] =>
    Array.from({ length: window.length }, (_, rank) => {
      const place = window.indexAt(rank);
      return [place, window.sizes[place]];
    });

  /** Neighbours, places at the edges of words of 32 and rows of 1,024, and the ends. */
  const PLACES = [
    ...[0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 5_000],
    ...[16_383, 16_384, 32_735, 32_736, WINDOW - 2, WINDOW - 1],
  ];

  test('is empty at first, and once it is cleared', () => {
    const window = new LevelWindow();
    expect([window.length, window.best]).toEqual([0, -1]);
    for (const place of PLACES) window.set(place, 1);
    window.indexAt(3);
    window.clear();
    expect([window.length, window.best]).toEqual([0, -1]);
    expect(PLACES.map((place) => window.sizes[place])).toEqual(PLACES.map(() => 0));
    const naive = new Map<number, number>();
    for (const place of [5_000, 31]) set(window, naive, place, 2);
    expect(all(window)).toEqual(greatestFirst(naive));
  });

  test('holds a size at each place, the greatest first', () => {
    const window = new LevelWindow();
    const naive = new Map<number, number>();
    for (const place of PLACES) {
      set(window, naive, place, place + 1);
      expect(window.best).toBe(place);
      set(window, naive, place, place + 2);
    }
    expect(all(window)).toEqual(greatestFirst(naive));
    // From both ends towards the middle, each twice.
    for (const place of [...PLACES.slice(8).reverse(), ...PLACES.slice(0, 8)]) {
      set(window, naive, place, 0);
      set(window, naive, place, 0);
      expect(window.best).toBe(greatestFirst(naive).at(0)?.[0] ?? -1);
      expect(all(window)).toEqual(greatestFirst(naive));
    }
    set(window, naive, 40, 0);
    expect(all(window)).toEqual([]);
  });

  test('is read by rank in any order, whatever changes meanwhile', () => {
    const window = new LevelWindow();
    const naive = new Map<number, number>();
    for (const place of PLACES) set(window, naive, place, 1);
    const at = (rank: number): void => {
      expect(window.indexAt(rank)).toBe(greatestFirst(naive)[rank][0]);
    };
    at(7);
    at(3);
    at(7);
    at(0);
    // Before what was read last, at it, and behind it.
    set(window, naive, 20_000, 1);
    at(7);
    set(window, naive, greatestFirst(naive)[7][0], 0);
    at(7);
    set(window, naive, 2, 1);
    at(8);
    set(window, naive, WINDOW - 1, 0);
    at(0);
    at(6);
  });
});

describe.each(['bid', 'ask'] as const)('the %s side of many levels', (name) => {
  const sign = name === 'bid' ? 1 : -1;

  /** A side with a window around its best, and the same as a Map. */
  function wide(best: number, count: number) {
    const side = new DepthSide(name);
    const naive = new Map<number, number>();
    const change = (ticks: number, lots: number): void => {
      expect(side.set(ticks, lots)).toBe(naive.get(ticks) ?? 0);
      if (lots === 0) naive.delete(ticks);
      else naive.set(ticks, lots);
    };
    const same = (): void => {
      const levels = [...naive].sort(([a], [b]) => sign * (b - a));
      expect(side.length).toBe(levels.length);
      const shown = levels.map((_, level) => [side.ticksAt(level), side.lotsAt(level)]);
      expect(shown).toEqual(levels);
      const end = levels.length;
      expect([side.ticksAt(end), side.lotsAt(end)]).toEqual([Number.NaN, 0]);
      for (const [ticks, lots] of levels) expect(side.lotsOf(ticks)).toBe(lots);
    };
    for (let i = 0; i < count; i += 1) change(best - sign * i, i + 1);
    // What is changed again and again gets a window.
    for (let i = 0; i < 600; i += 1) change(best - sign * (i % count), i + 3);
    return { side, naive, change, same };
  }

  test.each([20, 127, 128, 700])('is what a Map would be, with %i levels', (count) => {
    const { change, same } = wide(100_000, count);
    same();
    change(100_000, 0);
    change(100_000 - sign * 2, 0);
    same();
  });

  test('keeps levels that are far away, on both sides of the window', () => {
    const { side, change, same } = wide(100_000, 300);
    const far = [4_000, 4_096, 4_097, 10_000, 40_000];
    for (const away of far) {
      change(100_000 + sign * away, away);
      same();
    }
    for (const away of [28_671, 28_672, 28_673, 60_000]) {
      change(100_000 - sign * away, away);
      same();
    }
    for (const away of far.reverse()) {
      expect(side.ticksAt(0)).toBe(100_000 + sign * away);
      expect(side.lotsAt(0)).toBe(away);
      change(100_000 + sign * away, 0);
      same();
    }
    change(100_000 - sign * 60_000, 0);
    change(100_000 - sign * 60_000, 0);
    same();
  });

  test('follows its best wherever that goes, and can be cleared', () => {
    const { side, naive, change, same } = wide(100_000, 200);
    for (const best of [104_000, 130_000, 90_000]) {
      for (const [ticks] of [...naive].slice(0, 150)) change(ticks, 0);
      for (let i = 0; i < 1_400; i += 1) change(best - sign * (i % 400), i + 1);
      same();
    }
    side.clear();
    naive.clear();
    same();
    expect([side.ticksAt(0), side.lotsAt(0), side.lotsOf(90_000)]).toEqual([Number.NaN, 0, 0]);
    change(90_000, 5);
    change(500_000, 6);
    change(90_000 - sign, 7);
    same();
  });
});
