import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ladder } from '../../../src/exchange/book/ladder.ts';
import { LevelIndex } from '../../../src/exchange/book/level-index.ts';
import { Random } from '../../../src/platform/random.ts';

/** The same with a sorted array. */
class Sorted {
  keys: number[] = [];

  below(key: number): number {
    return this.keys.findLast((k) => k < key) ?? -1;
  }
}

test('keys come out in order, whatever came and went', () => {
  const key = fc.integer({ min: 1, max: 400 });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 600, size: 'max' }), (keys) => {
      const ladder = new Ladder();
      const index = new LevelIndex();
      const sorted = new Sorted();
      for (const k of keys) {
        if (sorted.keys.includes(k)) {
          sorted.keys = sorted.keys.filter((other) => other !== k);
          ladder.remove(k);
          index.remove(k);
        } else {
          sorted.keys = [...sorted.keys, k].sort((a, b) => a - b);
          ladder.insert(k, k);
          index.add(k, k);
        }
        expect(ladder.last()).toBe(sorted.keys.at(-1) ?? -1);
        expect(ladder.below(k)).toBe(sorted.below(k));
        expect(index.find(k)).toBe(sorted.keys.includes(k) ? k : -1);
      }
      for (let k = 0; k < 402; k += 1) {
        expect(ladder.below(k)).toBe(sorted.below(k));
        expect(index.find(k)).toBe(sorted.keys.includes(k) ? k : -1);
      }
    }),
    { numRuns: 60 },
  );
});

test('ten thousand keys in random order fill and empty many blocks', () => {
  const random = new Random(4);
  const ladder = new Ladder();
  const keys = Array.from({ length: 10_000 }, (_, i) => i * 2 ** 33 - 7);
  const shuffled = keys
    .map((key) => ({ key, turn: random.uint32() }))
    .sort((a, b) => a.turn - b.turn);
  shuffled.forEach(({ key }) => {
    ladder.insert(key, (key + 7) / 2 ** 33);
  });
  let walked = 0;
  for (let value = ladder.last(); value !== -1; value = ladder.below(keys[value])) {
    expect(value).toBe(9_999 - walked);
    walked += 1;
  }
  expect(walked).toBe(10_000);
  shuffled.forEach(({ key }) => {
    ladder.remove(key);
  });
  expect(ladder.last()).toBe(-1);
  expect(ladder.below(Infinity)).toBe(-1);
});
