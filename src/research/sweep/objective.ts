import type { MarginRecord } from '../../backtest/result.ts';
import { parseDecimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { REJECTIONS } from '../../model/rejections.ts';
import { suggest } from '../../model/suggest.ts';
import type { SweepRow } from './options.ts';
import type { RunFigures } from './runner.ts';

/**
 * Figures of a run by unique names: `sharpe`, `drawdown.maxRatio`, `orders.fills`, `margin.maxUse`.
 */
export type Figures = ReadonlyMap<string, number | null>;

type Measured = Pick<RunFigures, 'metrics' | 'orders' | 'margin' | 'warnings'>;

/**
 * The figures of a run by name, as doubles, without lists, texts and times; `warnings` is their
 * number.
 */
export function figuresOf(run: Measured): Figures {
  const found = new Map<string, number | null>();
  for (const [name, value] of exactFigures(run)) {
    found.set(name, value === null ? null : Number(value));
  }
  return found;
}

/**
 * The figures as in the results: money as exact decimal text. A run without margin trading has the
 * figures of idle margin accounts.
 */
export function* exactFigures({
  metrics,
  orders,
  margin,
  warnings,
}: Measured): Iterable<readonly [string, number | string | null]> {
  yield* figuresIn(metrics, '');
  yield* figuresIn({ ...orders, refusedSettings: orders.refusedSettings ?? 0 }, 'orders.');
  yield* figuresIn(margin ?? NO_MARGIN, 'margin.');
  yield ['warnings', warnings.length];
}

/** Input of `figuresOf` from a row; `undefined` if its run has none. */
export const measuredOf = ({ metrics, orders, margin, warnings }: SweepRow): Measured | undefined =>
  metrics === null || orders === null
    ? undefined
    : { metrics, orders, warnings, ...(margin === null ? {} : { margin }) };

/** The figures of a row; none if its run has none. */
export function rowFigures(row: SweepRow): Figures {
  const measured = measuredOf(row);
  return measured === undefined ? new Map() : figuresOf(measured);
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

/** A figure by a valid name; a code that never occurred counts 0. */
export const figure = (figures: Figures, name: string): number | null => {
  const value = figures.get(name);
  return value === undefined ? 0 : value;
};

/** Throws `objective-unknown` for a name without a figure in any run, with similar names. */
export function checkFigure(name: string, field: string): void {
  if (FIGURE_NAMES.includes(name) || isCounted(name)) return;
  const near = suggest(name, FIGURE_NAMES);
  throw new MillraceError(
    'objective-unknown',
    `A backtest has no metric "${name}".${near === undefined ? ` It has ${FIGURE_NAMES.join(', ')}.` : ` Did you mean "${near}"?`}`,
    { field },
  );
}

/** True for figures that exist only if they occurred: fees by currency, rejections by code. */
function isCounted(name: string): boolean {
  const [, code] = /^orders\.rejections\.(.+)$/.exec(name) ?? [];
  return code === undefined ? /^fees\.byCurrency\.\w+$/.test(name) : code in REJECTIONS;
}

const NO_SIDE = { count: 0, wins: 0, winRate: null, net: '0', fees: '0' };

const NO_MARGIN: MarginRecord = {
  accounts: [],
  long: NO_SIDE,
  short: NO_SIDE,
  funding: '0',
  interest: '0',
  insurance: '0',
  unrealized: '0',
  liquidations: 0,
  deleveraged: 0,
  settled: 0,
  marginCalls: 0,
  forcedFills: 0,
  maxUse: null,
  maxFunds: '0',
  returnOnFunds: null,
};

/** A run without events, for the names of all figures; typed so that none is missing. */
const NOTHING: Measured = {
  metrics: {
    events: 0,
    spanUs: 0,
    profit: '0',
    totalReturn: null,
    annualReturn: null,
    equity: { currency: '', start: '0', end: '0', high: '0', low: '0' },
    volatility: null,
    sharpe: null,
    sortino: null,
    calmar: null,
    returns: 0,
    drawdown: {
      maxAmount: '0',
      maxRatio: 0,
      longestUs: 0,
      maxRatioPeakAt: 'time',
      maxRatioTroughAt: 'time',
    },
    fees: { byCurrency: {}, value: '0' },
    turnover: { amount: '0', ratio: null },
    exposure: null,
    buyAndHold: [],
    trades: {
      count: 0,
      wins: 0,
      losses: 0,
      winRate: null,
      grossProfit: '0',
      grossLoss: '0',
      profitFactor: null,
      expectancy: null,
      averageWin: null,
      averageLoss: null,
      payoff: null,
      best: null,
      worst: null,
      averageMae: null,
      averageMfe: null,
      averageDurationUs: null,
      unrealized: '0',
    },
  },
  orders: {
    sent: 0,
    replacements: 0,
    cancels: 0,
    touched: 0,
    filled: 0,
    canceled: 0,
    expired: 0,
    rejected: 0,
    refused: 0,
    refusedReplacements: 0,
    refusedCancels: 0,
    refusedManagedOrders: 0,
    rejections: {},
    firstRejections: {},
    fillRatio: null,
    fills: 0,
    takerFills: 0,
  },
  warnings: [],
};

/** The names of all figures that every run has. */
export const FIGURE_NAMES: readonly string[] = [...figuresOf(NOTHING).keys()];

/** A condition on a run: a metric, a comparison, and a number. */
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
