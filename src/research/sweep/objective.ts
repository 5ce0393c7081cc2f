import { parseDecimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { suggest } from '../../model/suggest.ts';
import type { RunFigures } from './runner.ts';

/** Figures of a run under one name each: `sharpe`, `drawdown.maxRatio`, `trades.count`, `orders.fills`. */
export type Figures = ReadonlyMap<string, number | null>;

/** The figures of a run by name, as doubles. Lists, texts and times are none. */
export function figuresOf(run: RunFigures): Figures {
  const found = new Map<string, number | null>();
  for (const [name, value] of exactFigures(run)) {
    found.set(name, value === null ? null : Number(value));
  }
  return found;
}

/** The same as the results have them: money as exact decimal text. */
export function* exactFigures({
  metrics,
  orders,
}: RunFigures): Iterable<readonly [string, number | string | null]> {
  yield* figuresIn(metrics, '');
  yield* figuresIn(orders, 'orders.');
}

function* figuresIn(
  given: object,
  before: string,
): Iterable<readonly [string, number | string | null]> {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === null || typeof value === 'number') yield [before + name, value];
    else if (typeof value === 'string') {
      if (parseDecimal(value) !== undefined) yield [before + name, value];
    } else if (typeof value === 'object' && !Array.isArray(value)) {
      yield* figuresIn(value, `${before}${name}.`);
    }
  }
}

/** The figure of a name. Throws `objective-unknown`, with names that are near. */
export function figure(figures: Figures, name: string): number | null {
  const value = figures.get(name);
  if (value !== undefined) return value;
  const names = [...figures.keys()];
  const near = suggest(name, names);
  throw new MillraceError(
    'objective-unknown',
    `A backtest has no metric "${name}".${near === undefined ? ` It has ${names.join(', ')}.` : ` Did you mean "${near}"?`}`,
    { field: 'objective' },
  );
}

/** A condition that a run has to meet: a metric, how it is compared, and a number. */
export interface Constraint {
  readonly text: string;
  readonly metric: string;
  readonly isMet: (value: number) => boolean;
}

const CONSTRAINT = /^\s*([\w.]+)\s*(<=|>=|<|>)\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*$/i;

/** Reads `trades.count >= 10`. Throws `usage`. */
export function constraintOf(text: string): Constraint {
  const [, metric, sign, limit] = CONSTRAINT.exec(text) ?? [];
  const bound = Number(limit);
  if (metric === undefined || !Number.isFinite(bound)) {
    throw new MillraceError(
      'usage',
      `A constraint is a metric, a sign and a number, such as "trades.count >= 10", and not "${text}".`,
      { field: 'constraints' },
    );
  }
  const tests: Readonly<Record<string, (value: number) => boolean>> = {
    '<=': (value) => value <= bound,
    '>=': (value) => value >= bound,
    '<': (value) => value < bound,
    '>': (value) => value > bound,
  };
  return { text: text.trim(), metric, isMet: tests[sign] };
}
