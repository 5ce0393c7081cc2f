import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Simplex, type Row } from '../../../src/swaps/planner/simplex.ts';
import { runs } from '../../kit/size.ts';

interface Program {
  readonly costs: readonly number[];
  readonly rows: readonly Row[];
}

const EPSILON = 1e-7;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);

/**
 * The least cost by looking at every corner of what is allowed: each is where as many of the bounds
 * are met as there are variables.
 */
function leastCost(
  { costs, rows }: Program,
  bounds: readonly (readonly [number, number])[],
): number | undefined {
  const n = costs.length;
  const unit = (at: number) => costs.map((_, other) => (other === at ? 1 : 0));
  const planes = [
    ...bounds.flatMap((ends, at) => ends.map((value) => ({ terms: unit(at), value }))),
    ...rows.flatMap(({ terms, low, high }) => [low, high].map((value) => ({ terms, value }))),
  ].filter(({ value }) => Number.isFinite(value));
  let least: number | undefined;
  const pick = (from: number, chosen: typeof planes): void => {
    if (chosen.length === n) {
      const point = pointOn(chosen);
      if (point === undefined) return;
      const isInside = bounds.every(([low, high], at) => point[at] >= low - EPSILON && point[at] <= high + EPSILON); // prettier-ignore
      const isAllowed = rows.every(({ terms, low, high }) => dot(terms, point) >= low - EPSILON && dot(terms, point) <= high + EPSILON); // prettier-ignore
      if (isInside && isAllowed) least = Math.min(least ?? Infinity, dot(costs, point));
      return;
    }
    for (let at = from; at < planes.length; at += 1) pick(at + 1, [...chosen, planes[at]]);
  };
  pick(0, []);
  return least;
}

/** Where planes meet, by elimination; nothing where they meet nowhere or in more than a point. */
function pointOn(
  planes: readonly { readonly terms: readonly number[]; readonly value: number }[],
): number[] | undefined {
  // prettier-ignore
  const lines = planes.map(({ terms, value }) => [...terms, value]);
  for (const column of lines.keys()) {
    const pivot = lines.findIndex((line, at) => at >= column && Math.abs(line[column]) > 1e-9);
    if (pivot < 0) return undefined;
    [lines[column], lines[pivot]] = [lines[pivot], lines[column]];
    for (const [at, line] of lines.entries()) {
      if (at === column) continue;
      const times = line[column] / lines[column][column];
      for (const other of line.keys()) line[other] -= times * lines[column][other];
    }
  }
  return lines.map((line, at) => line[lines.length] / line[at]);
}

const number = fc.integer({ min: -4, max: 4 }).map((one) => one / 2);
const programs = fc.integer({ min: 1, max: 3 }).chain((n) =>
  fc.record({
    costs: fc.array(number, { minLength: n, maxLength: n }),
    rows: fc.array(
      fc
        .record({
          terms: fc.array(number, { minLength: n, maxLength: n }),
          low: fc.oneof(number, fc.constant(-Infinity)),
          width: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(Infinity)),
        })
        .map(({ terms, low, width }): Row => {
          const from = low === -Infinity ? 1 : low;
          return { terms, low, high: width === Infinity ? Infinity : from + width };
        }),
      { maxLength: 3 },
    ),
    changes: fc.array(
      fc.record({
        variable: fc.nat({ max: n - 1 }),
        bounds: fc.constantFrom<[number, number]>([0, 0], [1, 1], [0, 1], [0.25, 0.75]),
      }),
      { maxLength: 4 },
    ),
  }),
);

function expectSolved(
  simplex: Simplex,
  program: Program,
  bounds: readonly (readonly [number, number])[],
): void {
  const least = leastCost(program, bounds);
  expect(simplex.solve()).toBe(least !== undefined);
  if (least === undefined) return;
  expect(simplex.cost).toBeCloseTo(least, 7);
  const point = program.costs.map((_, at) => simplex.valueOf(at));
  expect(dot(program.costs, point)).toBeCloseTo(least, 7);
  for (const [at, [low, high]] of bounds.entries()) {
    expect(point[at]).toBeGreaterThanOrEqual(low - EPSILON);
    expect(point[at]).toBeLessThanOrEqual(high + EPSILON);
  }
  for (const [row, { terms, low, high }] of program.rows.entries()) {
    const value = simplex.valueOf(simplex.rowVariable(row));
    expect(value).toBeCloseTo(dot(terms, point), 7);
    expect(value).toBeGreaterThanOrEqual(low - EPSILON);
    expect(value).toBeLessThanOrEqual(high + EPSILON);
  }
}

test('the least cost is that of the best corner, from the start and after each change of bounds', () => {
  fc.assert(
    fc.property(programs, ({ changes, ...program }) => {
      const bounds = program.costs.map((): [number, number] => [0, 1]);
      const simplex = Simplex.of(program.costs, program.rows);
      expectSolved(simplex, program, bounds);
      for (const { variable, bounds: ends } of changes) {
        simplex.setBounds(variable, ...ends);
        bounds[variable] = ends;
        expectSolved(simplex, program, bounds);
      }
    }),
    { numRuns: runs(300) },
  );
});

const MIX: Program = {
  // The cheaper of two that together are to be one and a half.
  costs: [1, 3],
  rows: [{ terms: [1, 1], low: 1.5, high: Infinity }],
};

test('a copy goes its own way', () => {
  const simplex = Simplex.of(MIX.costs, MIX.rows);
  expect(simplex.solve()).toBe(true);
  expect([simplex.valueOf(0), simplex.valueOf(1), simplex.cost]).toEqual([1, 0.5, 2.5]);
  const copy = simplex.copy();
  expect(copy.work).toBe(simplex.work);
  copy.setBounds(0, 0, 0.5);
  expect(copy.solve()).toBe(true);
  expect([copy.cost, copy.valueOf(1)]).toEqual([3.5, 1]);
  expect([simplex.cost, simplex.valueOf(0), simplex.valueOf(1)]).toEqual([2.5, 1, 0.5]);
  copy.setBounds(1, 0, 0.9);
  expect([copy.solve(), simplex.solve()]).toEqual([false, true]);
});

test('the rate of a variable at its bound is what the cost rises by with it', () => {
  const simplex = Simplex.of(MIX.costs, MIX.rows);
  expect([simplex.rateOf(0), simplex.rateOf(1)]).toEqual([1, 3]);
  simplex.solve();
  // One more of the first saves one of the second.
  expect([simplex.rateOf(0), simplex.rateOf(1)]).toEqual([-2, undefined]);
  expect(simplex.rateOf(simplex.rowVariable(0))).toBe(3);
});

test('work counts a line of the tableau for each pivot', () => {
  const simplex = Simplex.of([1, 1, 1], [{ terms: [1, 1, 1], low: 0.5, high: 1 }]);
  expect(simplex.work).toBe(0);
  simplex.solve();
  // One pivot changes the line of costs, of three columns.
  expect(simplex.work).toBe(3);
  simplex.solve();
  expect(simplex.work).toBe(3);
});
