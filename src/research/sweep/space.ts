import { z } from 'zod';
import { shown } from '../../config/excerpt.ts';
import { parseDecimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { Random } from '../../platform/random.ts';
import { Halton } from '../search/halton.ts';
import { Tpe } from '../search/tpe.ts';
import { parametersFromText } from '../../strategy/parameters.ts';

/**
 * Values of a parameter: a list, an inclusive range, or text for one of the two: `M1, M5` or `5..50
 * step 5`.
 */
export type Variation = readonly unknown[] | VariationRange | string;

export interface VariationRange {
  readonly from: string | number;
  readonly to: string | number;
  /** 1 if absent, between whole numbers. */
  readonly step?: string | number;
}

/** A dimension of a sweep. */
export interface Dimension {
  readonly name: string;
  readonly values: readonly unknown[];
  /** True if neighbors are similar: rising numbers. */
  readonly isOrdered: boolean;
}

/** Most values of one dimension. */
const VALUES_MAX = 100_000;
/** Most trials of a sweep. */
export const TRIALS_MAX = 100_000;
/** Most repeated or rejected draws, for each trial. */
const DRAWS_PER_TRIAL = 100;

const RANGE =
  /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*\.\.\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(?:\s+step\s+([\d.]+(?:e[+-]?\d+)?))?\s*$/i;

const RANGE_SCHEMA = z.strictObject({
  from: z.union([z.string(), z.number()]),
  to: z.union([z.string(), z.number()]),
  step: z.union([z.string(), z.number()]).optional(),
});

/** Values of a parameter, as its schema parses them. Throws `usage`. */
export function dimensionOf(name: string, given: unknown, schema: z.ZodObject): Dimension {
  const typed = (text: string): unknown => parametersFromText(schema, { [name]: text })[name];
  const values = distinct(valuesOf(name, given, typed));
  if (values.length === 0) throw invalidOption(name, 'names no value');
  return { name, values, isOrdered: rises(values) };
}

function rises(values: readonly unknown[]): boolean {
  const numbers = values.map((value) => parseDecimal(String(value))?.toNumber() ?? Number.NaN);
  return numbers.every((value, index) => index === 0 || value > numbers[index - 1]);
}

function valuesOf(
  name: string,
  given: unknown,
  typed: (text: string) => unknown,
): readonly unknown[] {
  if (Array.isArray(given)) return given as readonly unknown[];
  if (typeof given === 'string') {
    const [range, from, to, step] = RANGE.exec(given) ?? [];
    if (range !== undefined) return steps(name, { from, to, step }, typed);
    return given
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map(typed);
  }
  const read = RANGE_SCHEMA.safeParse(given);
  if (read.success) return steps(name, read.data, typed);
  throw invalidOption(name, `is ${shown(given)}`);
}

/** From one end to the other, both included, in exact steps. */
function steps(
  name: string,
  { from, to, step }: z.output<typeof RANGE_SCHEMA>,
  typed: (text: string) => unknown,
): readonly unknown[] {
  const [low, high] = [from, to].map((end) => parseDecimal(String(end)));
  if (low === undefined || high === undefined || low.greaterThan(high)) {
    throw invalidOption(name, `goes from ${String(from)} to ${String(to)}`);
  }
  if (step === undefined && !(low.isInteger() && high.isInteger())) {
    throw invalidOption(name, 'has ends that are not whole and no step');
  }
  const by = parseDecimal(String(step ?? 1));
  if (by === undefined || !by.isPositive() || by.isZero()) {
    throw invalidOption(name, `has the step ${String(step)}`);
  }
  const count = high.minus(low).dividedToIntegerBy(by).toNumber() + 1;
  if (count > VALUES_MAX)
    throw invalidOption(name, `has ${count} values, and ${VALUES_MAX} are the most`);
  const isNumber = typeof typed(low.toFixed()) === 'number';
  return Array.from({ length: count }, (_, index) => {
    const text = low.plus(by.times(index)).toFixed();
    return isNumber ? Number(text) : text;
  });
}

/** Removes duplicates, which would be the same run twice. */
function distinct(values: readonly unknown[]): readonly unknown[] {
  const byText = new Map(values.map((value) => [`${typeof value} ${shown(value)}`, value]));
  return [...byText.values()];
}

const invalidOption = (name: string, what: string): MillraceError =>
  new MillraceError(
    'usage',
    `What varies ${name} ${what}; give a list such as [5, 10], or a range such as "5..50 step 5".`,
    { field: `vary.${name}` },
  );

/** Index of the value in each dimension. */
export type Point = readonly number[];

export interface Proposing {
  readonly search: 'grid' | 'random' | 'halton' | 'tpe';
  /** Number of points; all of them if there are no more. */
  readonly trials: number;
  readonly seed: number;
  readonly lag: number;
  /** True if a point is allowed. */
  readonly where: (point: Point) => boolean;
}

/** Points of a sweep, one after the other, none twice. */
export interface Proposals {
  /** Their number; the most if results guide them. */
  readonly total: number;
  /** A proposal needs the results up to this many points back; absent if it needs none. */
  readonly lag?: number;
  readonly ask: () => Point | undefined;
  /** Loss of the next point, in the order of asking. */
  readonly report: (loss: number) => void;
}

/**
 * The points of a sweep. The same space, seed, number and results give the same points. Throws
 * `usage` for a grid that is too large.
 */
export function proposalsOf(dimensions: readonly Dimension[], proposing: Proposing): Proposals {
  const sizes = dimensions.map(({ values }) => values.length);
  const size = sizes.reduce((product, each) => product * each, 1);
  const { search, trials, seed, lag, where } = proposing;
  if (search === 'grid' || trials >= size) return listed(gridOf(sizes, size).filter(where));
  if (search === 'tpe') {
    const spaces = dimensions.map(({ values, isOrdered }) => ({ size: values.length, isOrdered }));
    const tpe = new Tpe(spaces, { seed, lag, where });
    return {
      total: trials,
      lag,
      ask: () => tpe.ask(),
      report: (loss) => {
        tpe.report(loss);
      },
    };
  }
  return listed(
    drawn(trials, where, search === 'halton' ? evenly(sizes, seed) : atRandom(sizes, seed)),
  );
}

function listed(points: readonly Point[]): Proposals {
  let next = 0;
  return {
    total: points.length,
    ask: () => points[next++],
    report: () => undefined,
  };
}

function gridOf(sizes: readonly number[], size: number): readonly Point[] {
  if (size > TRIALS_MAX) {
    throw new MillraceError(
      'usage',
      `The grid has ${size} sets of parameters, and ${TRIALS_MAX} are the most: vary less, or draw some of them with search random.`,
      { field: 'vary' },
    );
  }
  return Array.from({ length: size }, (_, index) => pointAt(sizes, index));
}

function atRandom(sizes: readonly number[], seed: number): () => Point {
  const random = new Random(seed);
  return () => sizes.map((count) => random.integer(0, count - 1));
}

function evenly(sizes: readonly number[], seed: number): () => Point {
  const halton = new Halton(sizes.length, seed);
  let index = 0;
  return () => {
    const units = halton.point(index);
    index += 1;
    return sizes.map((count, index) => Math.floor(units[index] * count));
  };
}

/** Draws allowed points, none twice. */
function drawn(
  trials: number,
  where: (point: Point) => boolean,
  draw: () => Point,
): readonly Point[] {
  const found = new Map<string, Point>();
  for (let tries = trials * DRAWS_PER_TRIAL; tries > 0 && found.size < trials; tries -= 1) {
    const point = draw();
    const name = point.join(' ');
    if (!found.has(name) && where(point)) found.set(name, point);
  }
  return [...found.values()];
}

/** The point at an index of the grid; the last dimension changes first. */
function pointAt(sizes: readonly number[], index: number): Point {
  const point: number[] = [];
  let rest = index;
  for (const size of sizes.toReversed()) {
    point.push(rest % size);
    rest = Math.floor(rest / size);
  }
  return point.reverse();
}
