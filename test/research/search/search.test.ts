import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/platform/random.ts';
import { Halton, radicalInverse } from '../../../src/research/search/halton.ts';
import { categoricalDensity, parzenDensity } from '../../../src/research/search/parzen.ts';
import { Tpe } from '../../../src/research/search/tpe.ts';

describe("Halton's points", () => {
  test('are the radical inverses in the primes', () => {
    const found = [1, 2, 3, 4, 5].map((index) =>
      [2, 3, 5].map((base) => Number(radicalInverse(index, base).toFixed(6))),
    );
    expect(found).toEqual([
      [0.5, 0.333333, 0.2],
      [0.25, 0.666667, 0.4],
      [0.75, 0.111111, 0.6],
      [0.125, 0.444444, 0.8],
      [0.625, 0.777778, 0.04],
    ]);
  });

  test.each([2, 9])('fill %i dimensions evenly, whatever the seed', (dimensions) => {
    for (const seed of [1, 2, -7]) {
      const halton = new Halton(dimensions, seed);
      const points = Array.from({ length: 1_000 }, (_, index) => halton.point(index));
      for (let dimension = 0; dimension < dimensions; dimension += 1) {
        const low = points.filter((point) => point[dimension] < 0.5).length;
        expect(Math.abs(low - 500)).toBeLessThan(30);
        expect(points.every((point) => point[dimension] >= 0 && point[dimension] < 1)).toBe(true);
      }
    }
    expect(new Halton(dimensions, 1).point(0)).not.toEqual(new Halton(dimensions, 2).point(0));
  });
});

describe('densities of what was observed', () => {
  test('have worked values', () => {
    const good = parzenDensity([2, 3], 0, 10);
    const bad = parzenDensity([1, 5.5, 7, 9], 0, 10);
    for (const [x, l, g, ratio] of [
      [2.5, 0.15896, 0.065105, 0.892658],
      [6, 0.082679, 0.13872, -0.517495],
      [8, 0.04515, 0.131532, -1.069261],
    ]) {
      expect(good.at(x)).toBeCloseTo(l, 6);
      expect(bad.at(x)).toBeCloseTo(g, 6);
      expect(Math.log(good.at(x) / bad.at(x))).toBeCloseTo(ratio, 6);
    }
  });

  test('sum to 1, and numbers that are drawn stay within the bounds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 60 }),
        fc.integer(),
        (observed, seed) => {
          const density = parzenDensity(observed, -0.5, 19.5);
          let sum = 0;
          for (let x = -0.45; x < 19.5; x += 0.1) sum += 0.1 * density.at(x);
          expect(sum).toBeCloseTo(1, 1);
          const shares = categoricalDensity(observed, 20);
          const all = Array.from({ length: 20 }, (_, choice) => shares.at(choice));
          expect(all.reduce((total, share) => total + share, 0)).toBeCloseTo(1, 10);
          const random = new Random(seed);
          const x = density.draw(random);
          expect(x >= -0.5 && x <= 19.5).toBe(true);
          expect(all[shares.draw(random)]).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a guided search', () => {
  const space = [0, 1, 2].map(() => ({ size: 501, isOrdered: true }));
  const sphere = (point: readonly number[]): number =>
    point.reduce((sum, index) => sum + (index / 500 - 0.3) ** 2, 0);

  /** The best loss, and the points. */
  function found(seed: number, { lag = 16, trials = 100 } = {}): [number, string] {
    const tpe = new Tpe(space, { seed, lag, where: () => true });
    const points: (readonly number[])[] = [];
    while (points.length < trials) {
      if (points.length >= lag) tpe.report(sphere(points[points.length - lag]));
      points.push(tpe.ask() ?? []);
    }
    return [Math.min(...points.map(sphere)), points.join(' ')];
  }

  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

  test('finds better points than chance does, also by results that come late', () => {
    const seeds = [1, 2, 3, 4, 5, 6, 7];
    const random = seeds.map((seed) => {
      const chance = new Random(seed);
      const draws = Array.from({ length: 100 }, () => space.map(() => chance.integer(0, 500)));
      return Math.min(...draws.map(sphere));
    });
    const late = seeds.map((seed) => found(seed)[0]);
    const prompt = seeds.map((seed) => found(seed, { lag: 1 })[0]);
    expect(median(late)).toBeLessThan(median(random) / 3);
    expect(median(prompt)).toBeLessThan(median(random) / 4);
  });

  test('proposes the same by the same seed and lag, and no point twice', () => {
    const [, points] = found(3);
    expect(found(3)[1]).toBe(points);
    expect(found(4)[1]).not.toBe(points);
    expect(found(3, { lag: 8 })[1]).not.toBe(points);
    const each = points.split(' ');
    expect(new Set(each).size).toBe(each.length);
  });

  test('never proposes what is not wanted, and ends where nothing is left', () => {
    const small = [
      { size: 5, isOrdered: true },
      { size: 4, isOrdered: false },
    ];
    const where = ([a, b]: readonly number[]): boolean => (a + b) % 2 === 0;
    const tpe = new Tpe(small, { seed: 1, lag: 1, where });
    const seen = new Set<string>();
    for (let index = 0; index < 40; index += 1) {
      if (index > 0) tpe.report(index % 7 === 0 ? Number.NaN : index % 5);
      const point = tpe.ask();
      if (point === undefined) break;
      expect(where(point)).toBe(true);
      seen.add(point.join(' '));
    }
    expect(seen.size).toBe(10);
  });

  test('prefers the choice that does well among choices without an order', () => {
    const choices = [
      { size: 6, isOrdered: false },
      { size: 400, isOrdered: true },
    ];
    const tpe = new Tpe(choices, { seed: 5, lag: 1, where: () => true });
    const points: (readonly number[])[] = [];
    for (let index = 0; index < 90; index += 1) {
      const last = points.at(-1);
      if (last !== undefined) tpe.report(last[0] === 4 ? 0 : 1);
      points.push(tpe.ask() ?? []);
    }
    const late = points.slice(50).filter(([choice]) => choice === 4).length;
    expect(late).toBeGreaterThan(20);
  });
});
