import type { ColumnKind } from './table-column.ts';
import type {
  BacktestResult,
  BalanceRecord,
  DecimalText,
  FillRow,
  OrderRow,
  PaymentRow,
  TradeRow,
} from './result.ts';
import { everySample, type EquityRow } from './tables/equity-series.ts';
import { everyRow } from './tables/row-table.ts';

/** A figure of a run by its name in `docs/metrics.md`; money is exact. */
export interface MetricRow {
  readonly metric: string;
  readonly value: DecimalText | null;
}

/** Tables of a run, readable any number of times; `payments` with margin trading. */
export interface RunTables {
  readonly orders: Iterable<OrderRow>;
  readonly fills: Iterable<FillRow>;
  readonly trades: Iterable<TradeRow>;
  readonly equity: Iterable<EquityRow>;
  readonly payments?: Iterable<PaymentRow>;
  /** Only in exports. */
  readonly balances?: Iterable<BalanceRecord>;
  /** Only in exports. */
  readonly metrics?: Iterable<MetricRow>;
}

export type RunTableName = keyof RunTables;

/** Columns of a run's files, in order: the fields of their rows. */
export const RUN_COLUMNS = {
  orders: [
    ...(['sentAt', 'triggeredAt', 'endedAt', 'symbol', 'order', 'replaces', 'list'] as const),
    ...(['contingencyType', 'listIndex', 'side', 'type', 'timeInForce', 'price'] as const),
    ...(['stopPrice', 'takeRate', 'makeRate', 'size', 'filled', 'status'] as const),
  ],
  fills: [
    ...(['at', 'symbol', 'side', 'price', 'size', 'fee', 'feeCurrency', 'taker'] as const),
    ...(['order', 'id', 'margin', 'forced'] as const),
  ],
  trades: [
    ...(['symbol', 'side', 'openedAt', 'closedAt', 'size', 'entryPrice', 'exitPrice'] as const),
    ...(['fees', 'net', 'return', 'mae', 'mfe', 'margin', 'forced'] as const),
  ],
  equity: ['at', 'equity', 'drawdown'],
  payments: [...(['at', 'kind', 'mode', 'symbol', 'currency', 'amount', 'price', 'rate'] as const)],
  balances: ['currency', 'start', 'end', 'value'],
  metrics: ['metric', 'value'],
} as const satisfies Readonly<Record<RunTableName, readonly string[]>>;

/** Those, and the fields of a bot's tables. */
export type RunField =
  | (typeof RUN_COLUMNS)[RunTableName][number]
  | ('account' | 'strategy' | 'change');

/** Kinds of fields that are not text; `decimal` is exact text. */
const KINDS: Partial<Record<RunField, ColumnKind | 'decimal'>> = {
  at: 'time',
  sentAt: 'time',
  triggeredAt: 'time',
  endedAt: 'time',
  openedAt: 'time',
  closedAt: 'time',
  drawdown: 'double',
  return: 'double',
  id: 'integer',
  listIndex: 'integer',
  taker: 'boolean',
  equity: 'decimal',
  price: 'decimal',
  size: 'decimal',
  fee: 'decimal',
  fees: 'decimal',
  entryPrice: 'decimal',
  exitPrice: 'decimal',
  net: 'decimal',
  mae: 'decimal',
  mfe: 'decimal',
  amount: 'decimal',
  rate: 'decimal',
  stopPrice: 'decimal',
  takeRate: 'decimal',
  makeRate: 'decimal',
  filled: 'decimal',
  start: 'decimal',
  end: 'decimal',
  value: 'decimal',
  change: 'decimal',
};

export const fieldKind = (field: RunField): ColumnKind | 'decimal' => KINDS[field] ?? 'text';

/** Writes the rows of one table of a run to a file. */
export type TableFileWriter = <T extends object>(
  path: string,
  columns: readonly (keyof T & RunField)[],
  rows: Iterable<T>,
) => void;

/** The tables of a result in memory. */
export const tablesOf = ({
  orderHistory,
  fills,
  trades,
  series,
  payments,
}: BacktestResult): RunTables => ({
  orders: again(() => everyRow(orderHistory)),
  fills: again(() => everyRow(fills)),
  trades: again(() => everyRow(trades)),
  equity: again(() => everySample(series)),
  ...(payments && { payments: again(() => everyRow(payments)) }),
});

const again = <T>(rows: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => rows()[Symbol.iterator](),
});

/** Writes every table of a run to its path. */
export function writeTables(
  tables: RunTables,
  pathOf: (name: RunTableName) => string,
  write: TableFileWriter,
): void {
  const { orders, fills, trades, equity, payments, balances, metrics } = tables;
  const columns = RUN_COLUMNS;
  write(pathOf('orders'), columns.orders, orders);
  write(pathOf('fills'), columns.fills, fills);
  write(pathOf('trades'), columns.trades, trades);
  write(pathOf('equity'), columns.equity, equity);
  if (payments !== undefined) write(pathOf('payments'), columns.payments, payments);
  if (balances !== undefined) write(pathOf('balances'), columns.balances, balances);
  if (metrics !== undefined) write(pathOf('metrics'), columns.metrics, metrics);
}
