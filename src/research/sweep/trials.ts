import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { shown } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Strategy, StrategyDefinition } from '../../strategy/define.ts';
import { parseParameters } from '../../strategy/parameters.ts';
import type { SweepOptions } from './options.ts';
import { faultOf, type Job, type JobSpan, type RunFault } from './runner.ts';
import {
  dimensionOf,
  proposalsOf,
  TRIALS_MAX,
  type Dimension,
  type Point,
  type Proposals,
} from './space.ts';

export const DEFAULT_SEED = 1;
export const DEFAULT_TRIALS = 100;
/** Up to this many threads never wait. */
export const DEFAULT_LAG = 16;

/** A set of parameters to try, or why it is invalid. */
export interface Trial {
  readonly job: Job;
  readonly strategy: string;
  readonly varied: Readonly<Record<string, unknown>>;
  /** Parameters parsed by its schema, which decide the run. */
  readonly parsed?: Readonly<Record<string, unknown>>;
  readonly fault?: RunFault;
}

/** Checked options. */
export interface Checked {
  /** Settings of the backtest without its strategy, parameters and recordings. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: SweepOptions['backtest']['strategy'][];
  readonly markets: NonNullable<SweepOptions['markets']>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Dimensions of a sweep. Throws `usage`. */
export const dimensionsOf = (
  { vary = {} }: SweepOptions,
  schema: StrategyDefinition['parameters'],
): readonly Dimension[] =>
  Object.entries(vary).map(([name, given]) => dimensionOf(name, given, schema));

/** The space of a sweep: its points, and the set of parameters of each. */
export interface SweepSpace {
  /** Proposes points from the first on. */
  readonly propose: () => Proposals;
  /** For each strategy the first values of all dimensions, and the last. */
  readonly extremes: readonly Point[];
  readonly trialAt: (point: Point, index: number, span?: JobSpan) => Trial;
}

/** The space of a sweep. Throws `usage`, and `parameter-invalid` for an unknown name. */
export function spaceOf(
  options: SweepOptions,
  { loaded, markets, parameters }: Checked & { readonly loaded: readonly LoadedStrategy[] },
): SweepSpace {
  const { search = 'grid', trials = DEFAULT_TRIALS, seed = DEFAULT_SEED, where } = options;
  const [{ strategy: first }] = loaded;
  const varied = dimensionsOf(options, first.parameters);
  const dimensions: readonly Dimension[] = [
    { name: 'strategy', values: loaded.map((_, index) => index), isOrdered: false },
    { name: 'market', values: markets.map((_, index) => index), isOrdered: false },
    ...varied,
  ];
  const setAt = (point: Point): Readonly<Record<string, unknown>> =>
    Object.fromEntries(varied.map(({ name, values }, index) => [name, values[point[index + 2]]]));
  const space: SweepSpace = {
    extremes: loaded.flatMap((_, strategy) => [
      [strategy, ...dimensions.slice(1).map(() => 0)],
      [strategy, ...dimensions.slice(1).map(({ values }) => values.length - 1)],
    ]),
    propose: () =>
      proposalsOf(dimensions, {
        search,
        trials,
        seed,
        lag: options.lag ?? DEFAULT_LAG,
        where: (point) => where?.(setAt(point)) ?? true,
      }),
    trialAt: (point, index, span) => {
      const [strategy, market] = point;
      const set = setAt(point);
      const given = { ...parameters, ...markets[market].parameters, ...set };
      const job: Job = {
        index,
        strategy,
        market,
        parameters: given,
        span,
      };
      return trialOf(loaded[strategy].strategy, job, set);
    },
  };
  // An unknown name is rejected before anything runs.
  for (const extreme of space.extremes) space.trialAt(extreme, 0);
  return space;
}

function trialOf(strategy: Strategy, job: Job, varied: Trial['varied']): Trial {
  const { name } = strategy;
  try {
    return { job, strategy: name, varied, parsed: parseParameters(strategy, job.parameters) };
  } catch (error) {
    // An unknown parameter name is invalid for all sets.
    const isUnknown = Object.keys(job.parameters).some(
      (each) => !(each in strategy.parameters.shape),
    );
    if (!(error instanceof MillraceError) || isUnknown) throw error;
    return { job, strategy: name, varied, fault: faultOf(error) };
  }
}

const SEARCHES: readonly string[] = ['grid', 'random', 'halton', 'tpe'];

/** Throws `usage` and `out-of-range` for search options of untyped code. */
export function checkSearch({
  search = 'grid',
  workers = 1,
  trials = 1,
  seed = 1,
  lag = 1,
}: Pick<SweepOptions, 'search' | 'workers' | 'trials' | 'seed' | 'lag'>): void {
  if (!SEARCHES.includes(search)) {
    throw new MillraceError(
      'usage',
      `The search is ${shown(search)}; give one of ${SEARCHES.join(', ')}.`,
      { field: 'search' },
    );
  }
  for (const [field, value, least] of [
    ['workers', workers, 0],
    ['trials', trials, 1],
    ['lag', lag, 1],
    ['seed', seed, Number.MIN_SAFE_INTEGER],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new MillraceError('out-of-range', `${field} is ${String(value)}; give a whole number.`, {
      field,
    });
  }
  if (trials > TRIALS_MAX) {
    throw new MillraceError('out-of-range', `trials is ${trials}; ${TRIALS_MAX} are the most.`, {
      field: 'trials',
    });
  }
}

/** Throws `config-invalid` and `usage` for options of untyped code. */
export function checkedOptions(options: SweepOptions): Checked {
  const given: unknown = options;
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(given) || !isObject((given as Partial<SweepOptions>).backtest)) {
    throw new MillraceError(
      'config-invalid',
      'sweep takes an object of options, with the settings of a backtest in backtest.',
      { field: 'backtest' },
    );
  }
  const { strategy, parameters = {}, recordings, ...settings } = options.backtest;
  const strategies = [...(options.strategies ?? [strategy])];
  const workers = options.workers ?? 1;
  checkSearch({ ...options, workers });
  if (workers > 0 && strategies.some((each) => typeof each !== 'string')) {
    throw new MillraceError(
      'usage',
      'Threads load a strategy from its file: name it or give its path, or run the sweep in this thread with workers: 0.',
      { field: 'strategy' },
    );
  }
  const markets = options.markets ?? [{ recordings }];
  return { settings: { ...settings }, strategies, markets, parameters };
}
