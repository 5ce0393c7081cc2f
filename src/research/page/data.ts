import { rowFigures } from '../sweep/objective.ts';
import type { SweepResult, SweepRow } from '../sweep/options.ts';

/** States of a set, in the order of the page. */
export const STATES = ['done', 'infeasible', 'failed', 'invalid'] as const;

/** Metrics of each set on the page, besides objective and constraints. */
const METRICS = [
  ...(['profit', 'totalReturn', 'annualReturn', 'sharpe', 'sortino', 'calmar'] as const),
  ...(['drawdown.maxRatio', 'trades.count', 'trades.winRate', 'trades.profitFactor'] as const),
  ...(['exposure', 'turnover.ratio', 'fees.value', 'orders.fills'] as const),
];

/** Digits of metrics on the page; the objective and the tables have all. */
const METRIC_DIGITS = 8;

/** A column of the page, one value for each set. */
export interface PageColumn {
  readonly title: string;
  readonly role: 'rank' | 'index' | 'dimension' | 'objective' | 'metric' | 'state' | 'reason';
  readonly values: readonly (number | null)[];
  /** Set if the values are indices of texts. */
  readonly words?: readonly string[];
}

/** Data of the page's scripts. */
export interface PageData {
  readonly columns: readonly PageColumn[];
  readonly direction: 'maximize' | 'minimize';
  /** Indices of the ranked sets, best first. */
  readonly ranked: readonly number[];
}

/** The sets of a sweep column by column. */
export function pageData({ definition, rows, ranked }: SweepResult): PageData {
  const places = new Map(rows.map((row, index) => [row, index]));
  const ranks = new Map(ranked.map((row, index) => [row, index + 1]));
  return {
    columns: [
      { title: 'rank', role: 'rank', values: rows.map((row) => ranks.get(row) ?? null) },
      { title: 'set', role: 'index', values: rows.map(({ index }) => index) },
      ...dimensions({ definition, rows }),
      {
        title: definition.objective ?? 'objective',
        role: 'objective',
        values: rows.map(({ objective }) => objective),
      },
      ...metrics({ definition, rows }),
      { ...worded('state', 'state', rows, ({ state }) => state, STATES) },
      { ...worded('why', 'reason', rows, reasonOf) },
    ],
    direction: definition.direction,
    ranked: ranked.map((row) => places.get(row) ?? 0),
  };
}

type Swept = Pick<SweepResult, 'definition' | 'rows'>;

/** Why a set is not ranked, as text. */
export const reasonOf = ({ constraint, fault }: SweepRow): string =>
  fault?.message ?? (constraint === undefined ? '' : `breaks ${constraint}`);

/** Name of a market: its symbols. */
export const marketName = (
  { markets }: Pick<SweepResult['definition'], 'markets'>,
  market: number,
): string => {
  const symbols = markets[market].recordings.map(({ symbol }) => symbol).join(' ');
  const isOnly =
    markets.filter((each) => each.recordings.map(({ symbol }) => symbol).join(' ') === symbols)
      .length === 1;
  return isOnly ? symbols : `${symbols} (${market + 1})`;
};

function dimensions({ definition, rows }: Swept): readonly PageColumn[] {
  const { strategies, markets, vary } = definition;
  const several = <T>(all: readonly T[], column: () => PageColumn): readonly PageColumn[] =>
    all.length > 1 ? [column()] : [];
  return [
    ...several(strategies, () => worded('strategy', 'dimension', rows, ({ strategy }) => strategy)),
    ...several(markets, () =>
      worded('market', 'dimension', rows, ({ market }) => marketName(definition, market)),
    ),
    ...Object.entries(vary).map(([name, values]) => parameter(name, values, rows)),
  ];
}

/** True for what is drawn where it lies: a number, or a decimal in text. */
export const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Numbers, decimals in text too, are drawn where they lie; all else in the order that the sweep names. */
function parameter(title: string, values: readonly unknown[], rows: Swept['rows']): PageColumn {
  if (values.every(isNumber)) {
    return {
      title,
      role: 'dimension',
      values: rows.map(({ parameters }) => Number(parameters[title])),
    };
  }
  return worded(
    title,
    'dimension',
    rows,
    ({ parameters }) => valueText(parameters[title]),
    values.map(valueText),
  );
}

function metrics({ definition, rows }: Swept): readonly PageColumn[] {
  const figures = rows.map(rowFigures);
  const constrained = definition.constraints.map((text) => /[\w.]+/.exec(text)?.[0] ?? '');
  const names = [...new Set([...METRICS, ...constrained])].filter(
    (name) => name !== definition.objective && figures.some((each) => each.has(name)),
  );
  return names.map((title) => ({
    title,
    role: 'metric',
    values: figures.map((each) => {
      const value = each.get(title) ?? null;
      return value === null ? null : Number(value.toPrecision(METRIC_DIGITS));
    }),
  }));
}

function worded(
  title: string,
  role: PageColumn['role'],
  rows: Swept['rows'],
  read: (row: SweepRow) => string,
  known: readonly string[] = [],
): PageColumn {
  const codes = new Map(known.map((word, code) => [word, code]));
  const values = rows.map((row) => {
    const word = read(row);
    if (!codes.has(word)) codes.set(word, codes.size);
    return codes.get(word) ?? null;
  });
  return { title, role, values, words: [...codes.keys()] };
}
