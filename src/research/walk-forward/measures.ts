import { annualGrowth, sharpe } from '../../backtest/metrics/statistics.ts';
import { US_PER_DAY } from '../../platform/time.ts';
import { returnsOf, type StoredReturns } from '../sweep/returns.ts';
import type { SweepRow } from '../sweep/options.ts';
import type { ParameterStability, StitchedEquity, WalkForwardFold } from './options.ts';
import type { Window } from './windows.ts';

/** Logarithm of a run's growth of equity, 0 without one. */
const growthOf = (row: SweepRow | null): number => Math.log1p(row?.metrics?.totalReturn ?? 0);

/** Annualized growth in the tests over that in the trainings. */
export function efficiencyOf(
  folds: readonly (Pick<WalkForwardFold, 'chosen' | 'outcome'> & {
    readonly trainUs: number;
    readonly testUs: number;
  })[],
): number | null {
  let [trained, tested, trainUs, testUs] = [0, 0, 0, 0];
  for (const fold of folds) {
    if (fold.chosen === null || fold.outcome === null) continue;
    trained += growthOf(fold.chosen);
    tested += growthOf(fold.outcome);
    trainUs += fold.trainUs;
    testUs += fold.testUs;
  }
  return trained > 0 && Number.isFinite(tested) ? tested / testUs / (trained / trainUs) : null;
}

/** Rank of a set by the objective, 1 for the best; ties share the mean of theirs. */
export function rankIn(
  rows: readonly SweepRow[],
  own: SweepRow | null,
  isMinimized: boolean,
): { readonly rank: number | null; readonly ranked: number } {
  const values = rows.flatMap(({ objective }) => (objective === null ? [] : [objective]));
  const value = own?.objective ?? null;
  if (value === null) return { rank: null, ranked: values.length };
  const better = values.filter((each) => (isMinimized ? each < value : each > value)).length;
  const alike = values.filter((each) => each === value).length;
  return { rank: better + (alike + 1) / 2, ranked: values.length };
}

/** How similar the choices of the folds are, for the varied parameters. */
export function stabilityOf(
  chosen: readonly SweepRow[],
  tried: readonly SweepRow[],
): readonly ParameterStability[] {
  const names = [...new Set(tried.flatMap(({ parameters }) => Object.keys(parameters)))];
  return names.map((name) => {
    const values = chosen.map(({ parameters }) => parameters[name]);
    const range = rangeOf(tried.map(({ parameters }) => parameters[name]));
    const own = rangeOf(values);
    return {
      name,
      values,
      distinct: new Set(values.map(String)).size,
      spread: range === null || own === null ? null : range === 0 ? 0 : own / range,
    };
  });
}

function rangeOf(values: readonly unknown[]): number | null {
  const numbers = values.map((value) =>
    typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN,
  );
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return null;
  return Math.max(...numbers) - Math.min(...numbers);
}

/** The test of a fold in the stitched equity. */
export interface TestedFold {
  readonly fold: number;
  readonly window: Window;
  readonly outcome: SweepRow | null;
  readonly returns: StoredReturns | undefined;
}

/**
 * The equity through all tests. Each begins with the starting balances and ends with its holdings
 * at the last price; its returns continue from the end of the fold before. A fold that chose
 * nothing keeps the equity.
 */
export function stitched(folds: readonly TestedFold[]): StitchedEquity {
  const at: number[] = [];
  const equity: number[] = [];
  const places: number[] = [];
  const returns: number[] = [];
  const steps = new Set<number>();
  let level = 1;
  let testUs = 0;
  for (const { fold, window, outcome, returns: stored } of folds) {
    const add = (time: number, value: number): void => {
      at.push(time);
      equity.push(value);
      places.push(fold);
    };
    const start = level;
    add(window.fromUs, start);
    testUs += window.tillUs - window.fromUs;
    if (stored !== undefined) {
      const { fromUs, stepUs, values } = returnsOf(stored);
      steps.add(stepUs);
      let now = start * (1 + stored.head);
      if (fromUs > window.fromUs) add(fromUs, now);
      values.forEach((value, period) => {
        now *= 1 + value;
        returns.push(value);
        add(fromUs + (period + 1) * stepUs, now);
      });
    }
    level = start * (1 + (outcome?.metrics?.totalReturn ?? 0));
    add(window.tillUs, level);
  }
  const [stepUs] = steps;
  return {
    at: Float64Array.from(at),
    equity: Float64Array.from(equity),
    fold: Int32Array.from(places),
    totalReturn: level - 1,
    annualReturn: testUs < US_PER_DAY ? null : annualGrowth(level, testUs),
    sharpe: steps.size === 1 ? sharpe(returns, stepUs) : null,
    maxDrawdown: deepest(equity),
  };
}

function deepest(equity: readonly number[]): number {
  let high = 0;
  let worst = 0;
  for (const value of equity) {
    high = Math.max(high, value);
    if (high > 0) worst = Math.max(worst, 1 - value / high);
  }
  return worst;
}
