import { describe, expect, test } from 'vitest';
import { Random } from '../../src/platform/random.ts';

/**
 * sfc32 of PractRand by Chris Doty-Humphrey, written a second time from its definition, with
 * BigInt arithmetic modulo 2^32 in place of the sources' signed shifts:
 *
 *     tmp = a + b + counter++;  a = b ^ (b >> 9);  b = c + (c << 3);
 *     c = rotate_left(c, 21) + tmp;  return tmp
 */
function* sfc32(seed: bigint): Generator<number, never> {
  const word = (value: bigint): bigint => BigInt.asUintN(32, value);
  let [a, b, c, counter] = [word(seed), word(seed >> 32n), 0x9e3779b9n, 1n];
  const draw = (): number => {
    const sum = word(a + b + counter);
    counter = word(counter + 1n);
    a = b ^ (b >> 9n);
    b = word(c + (c << 3n));
    c = word(word(c << 21n) + (c >> 11n) + sum);
    return Number(sum);
  };
  for (let i = 0; i < 12; i += 1) draw();
  for (;;) yield draw();
}

const SEEDS = [0, 1, 42, -1, 0x7fffffff, 0x80000000, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1];

describe('a seeded source of chance', () => {
  test.each(SEEDS)('draws sfc32 for seed %d', (seed) => {
    const random = new Random(seed);
    const reference = sfc32(BigInt(seed));
    for (let i = 0; i < 1_000; i += 1) expect(random.uint32()).toBe(reference.next().value);
  });

  test('draws these very numbers for seed 42, today and for ever', () => {
    const random = new Random(42);
    expect(Array.from({ length: 4 }, () => random.uint32())).toEqual([
      1_849_552_023, 4_223_452_576, 118_919_111, 3_893_884_377,
    ]);
  });

  test('makes 53 bits of a unit from two draws', () => {
    const random = new Random(7);
    const reference = sfc32(7n);
    for (let i = 0; i < 1_000; i += 1) {
      const high = BigInt(reference.next().value) >> 5n;
      const low = BigInt(reference.next().value) >> 6n;
      expect(random.unit()).toBe(Number((high << 26n) | low) / 2 ** 53);
    }
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('has no seed %d', (seed) => {
    expect(() => new Random(seed)).toThrow(RangeError);
  });
});

const COUNT = 100_000;
const draws = (draw: (random: Random) => number): number[] => {
  const random = new Random(20_260_101);
  return Array.from({ length: COUNT }, () => draw(random));
};
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]): number => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
};

describe('its distributions, on a fixed seed', () => {
  test('whole numbers are even over their range and never leave it', () => {
    const counts = new Map<number, number>();
    for (const value of draws((random) => random.integer(-3, 6))) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-3, -2, -1, 0, 1, 2, 3, 4, 5, 6]);
    const expected = COUNT / 10;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    // 27.9 is passed by one fair source in a thousand (9 degrees of freedom).
    expect(chiSquare).toBeLessThan(27.9);
  });

  test('a range of one number gives that number', () => {
    expect(new Random(1).integer(5, 5)).toBe(5);
  });

  test('units lie from 0 to below 1 with mean 1/2 and variance 1/12', () => {
    const values = draws((random) => random.unit());
    expect(Math.min(...values.slice(0, 10_000))).toBeGreaterThanOrEqual(0);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(mean(values)).toBeCloseTo(0.5, 2);
    expect(variance(values)).toBeCloseTo(1 / 12, 2);
  });

  test('chance comes true as often as it says', () => {
    expect(mean(draws((random) => (random.chance(0.3) ? 1 : 0)))).toBeCloseTo(0.3, 2);
    expect(draws((random) => (random.chance(0) ? 1 : 0)).includes(1)).toBe(false);
    expect(draws((random) => (random.chance(1) ? 1 : 0)).includes(0)).toBe(false);
  });

  test('normal deviates have mean 0, variance 1 and two thirds within one', () => {
    const values = draws((random) => random.normal());
    // Four standard errors of the mean.
    expect(Math.abs(mean(values))).toBeLessThan(4 / Math.sqrt(COUNT));
    expect(variance(values)).toBeCloseTo(1, 1);
    expect(mean(values.map((value) => (Math.abs(value) < 1 ? 1 : 0)))).toBeCloseTo(0.6827, 2);
  });

  test('exponential deviates are positive with the mean asked for', () => {
    const values = draws((random) => random.exponential(250));
    expect(values.every((value) => value >= 0)).toBe(true);
    expect(mean(values) / 250).toBeCloseTo(1, 1);
    expect(Math.sqrt(variance(values)) / 250).toBeCloseTo(1, 1);
  });
});
