import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { checkFigure, constraintOf, figure, figuresOf, type Constraint } from './objective.ts';
import type { SweepOptions, SweepResult, SweepRow } from './options.ts';
import { faultOf, type Outcome } from './runner.ts';
import type { Trial } from './trials.ts';

/** Evaluates runs by objective and constraints. */
export class Judge {
  readonly #objective: SweepOptions['objective'];
  readonly #constraints: readonly Constraint[];

  /** Throws `objective-unknown` and `usage`. */
  constructor({ objective = 'sharpe', constraints = [] }: SweepOptions) {
    this.#objective = objective;
    this.#constraints = constraints.map(constraintOf);
    if (typeof objective === 'string') checkFigure(objective, 'objective');
    for (const { metric } of this.#constraints) checkFigure(metric, 'constraints');
  }

  row(trial: Trial, outcome: Outcome | undefined): Omit<SweepRow, 'key'> {
    const { job, strategy, varied } = trial;
    const { figures, fault = trial.fault } = outcome ?? {};
    const base = {
      index: job.index,
      strategy,
      market: job.market,
      parameters: varied,
      hash: figures?.hash ?? null,
      metrics: figures?.metrics ?? null,
      orders: figures?.orders ?? null,
      margin: figures?.margin ?? null,
      warnings: figures?.warnings ?? [],
    };
    if (fault !== undefined || figures === undefined) {
      const state = outcome === undefined ? 'invalid' : 'failed';
      return { ...base, state, objective: null, ...(fault === undefined ? {} : { fault }) };
    }
    try {
      const found = figuresOf(figures);
      const objective =
        typeof this.#objective === 'function'
          ? this.#objective({ ...figures, parameters: varied })
          : figure(found, this.#objective ?? 'sharpe');
      if (typeof objective !== 'number' || !Number.isFinite(objective)) {
        throw new MillraceError(
          'objective-invalid',
          `The objective of this run is ${String(objective)}, no finite number.`,
        );
      }
      const broken = this.#constraints.find(({ metric, isMet }) => {
        const value = figure(found, metric);
        return value === null || !isMet(value);
      });
      if (broken === undefined) return { ...base, state: 'done', objective };
      return { ...base, state: 'infeasible', objective, constraint: broken.text };
    } catch (error) {
      const reported =
        error instanceof MillraceError
          ? faultOf(error)
          : { code: 'objective-invalid' as const, message: messageOf(error) };
      return { ...base, state: 'infeasible', objective: null, fault: reported };
    }
  }
}

/** The value that a search minimizes; infinite for a set that is not ranked. */
export function lossOf({ state, objective }: SweepRow, { direction }: SweepOptions): number {
  if (state !== 'done' || objective === null) return Number.POSITIVE_INFINITY;
  return direction === 'minimize' ? objective : -objective;
}

/** The rows of a sweep and their ranking. */
export function resultOf(
  rows: readonly SweepRow[],
  { reused, options }: { readonly reused: number; readonly options: SweepOptions },
): Pick<SweepResult, 'rows' | 'ranked' | 'reused' | 'counts'> {
  const sign = options.direction === 'minimize' ? -1 : 1;
  const ranked = rows
    .filter(({ state }) => state === 'done')
    .toSorted((a, b) => sign * ((b.objective ?? 0) - (a.objective ?? 0)) || a.index - b.index);
  const count = (state: SweepRow['state']): number =>
    rows.filter((row) => row.state === state).length;
  return {
    rows,
    ranked,
    reused,
    counts: {
      done: count('done'),
      infeasible: count('infeasible'),
      failed: count('failed'),
      invalid: count('invalid'),
    },
  };
}
