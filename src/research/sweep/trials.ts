import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { MillraceError } from '../../model/errors.ts';
import type { StrategyDefinition } from '../../strategy/define.ts';
import { parseParameters } from '../../strategy/parameters.ts';
import type { SweepOptions } from './options.ts';
import { faultOf, type Job, type RunFault } from './runner.ts';
import { dimensionOf, pointsOf, type Dimension, type Point } from './space.ts';

const DEFAULT_SEED = 1;

/** A set of parameters that the sweep tries, or why it cannot. */
export interface Trial {
  readonly job: Job;
  readonly strategy: string;
  readonly varied: Readonly<Record<string, unknown>>;
  /** What its schema makes of the parameters: it decides the run. */
  readonly parsed?: Readonly<Record<string, unknown>>;
  readonly fault?: RunFault;
}

/** Options that were checked. */
export interface Checked {
  /** Those of the backtest but for its strategy, its parameters and its recordings. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: SweepOptions['backtest']['strategy'][];
  readonly markets: NonNullable<SweepOptions['markets']>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a sweep varies. Throws `usage`. */
export const dimensionsOf = (
  { vary = {} }: SweepOptions,
  schema: StrategyDefinition['parameters'],
): readonly Dimension[] =>
  Object.entries(vary).map(([name, given]) => dimensionOf(name, given, schema));

/** The sets that a sweep tries, in their order. Throws `usage`, and `parameter-invalid` for an unknown name. */
export function trialsOf(
  options: SweepOptions,
  { loaded, markets, parameters }: Checked & { readonly loaded: readonly LoadedStrategy[] },
): Trial[] {
  const { search = 'grid', trials = 100, seed = DEFAULT_SEED, where } = options;
  const varied = dimensionsOf(options, loaded[0].strategy.parameters);
  const dimensions: readonly Dimension[] = [
    { name: 'strategy', values: loaded.map((_, index) => index) },
    { name: 'market', values: markets.map((_, index) => index) },
    ...varied,
  ];
  const setAt = (point: Point): Readonly<Record<string, unknown>> =>
    Object.fromEntries(varied.map(({ name, values }, index) => [name, values[point[index + 2]]]));
  const points = pointsOf(dimensions, {
    ...{ search, trials, seed },
    where: (point) => where?.(setAt(point)) ?? true,
  });
  return points.map((point, index) => {
    const [strategy, market] = point;
    const set = setAt(point);
    const given = { ...parameters, ...markets[market].parameters, ...set };
    const { name } = loaded[strategy].strategy;
    const job: Job = { index, strategy, market, parameters: given };
    try {
      const parsed = parseParameters(loaded[strategy].strategy, given);
      return { job, strategy: name, varied: set, parsed };
    } catch (error) {
      // A name that no set can have right is wrong for all of them.
      const { shape } = loaded[strategy].strategy.parameters;
      const isUnknown = Object.keys(given).some((each) => !(each in shape));
      if (!(error instanceof MillraceError) || isUnknown) throw error;
      return { job, strategy: name, varied: set, fault: faultOf(error) };
    }
  });
}

/** Throws `config-invalid` and `usage` for options that no compiler has read. */
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
  const { trials = 1, seed = 1 } = options;
  for (const [field, value, least] of [
    ['workers', workers, 0],
    ['trials', trials, 1],
    ['seed', seed, Number.MIN_SAFE_INTEGER],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new MillraceError('out-of-range', `${field} is ${String(value)}; give a whole number.`, {
      field,
    });
  }
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
