import type { BacktestResult, FillRow, OrderRow, PaymentRow, TradeRow } from './result.ts';
import { everySample, type EquityRow } from './tables/equity-series.ts';
import { everyRow } from './tables/row-table.ts';

/** The columns of the files of a run, in their order: the fields of their rows. */
const EQUITY_COLUMNS = ['at', 'equity', 'drawdown'] as const;

const FILL_COLUMNS = [
  ...(['at', 'symbol', 'side', 'price', 'size', 'fee', 'feeCurrency', 'taker'] as const),
  ...(['order', 'id', 'margin', 'forced'] as const),
] as const;

const TRADE_COLUMNS = [
  ...(['symbol', 'side', 'openedAt', 'closedAt', 'size', 'entryPrice', 'exitPrice'] as const),
  ...(['fees', 'net', 'return', 'mae', 'mfe', 'margin', 'forced'] as const),
] as const;

const PAYMENT_COLUMNS = [
  ...(['at', 'kind', 'mode', 'symbol', 'currency', 'amount', 'price', 'rate'] as const),
] as const;

const ORDER_COLUMNS = [
  ...(['sentAt', 'triggeredAt', 'endedAt', 'symbol', 'order', 'replaces', 'list'] as const),
  ...(['contingencyType', 'listIndex', 'side', 'type', 'timeInForce', 'price'] as const),
  ...(['stopPrice', 'takeRate', 'makeRate', 'size', 'filled', 'status'] as const),
] as const;

export type RunField =
  | (typeof EQUITY_COLUMNS)[number]
  | (typeof FILL_COLUMNS)[number]
  | (typeof TRADE_COLUMNS)[number]
  | (typeof PAYMENT_COLUMNS)[number]
  | (typeof ORDER_COLUMNS)[number];

/** Writes the rows of one table of a run to a file. */
export type TableFileWriter = <T extends object>(
  path: string,
  columns: readonly (keyof T & RunField)[],
  rows: Iterable<T>,
) => void;

/** Writes every table of a run, each to its path; `payments` where something was traded on margin. */
export function writeTables(
  result: BacktestResult,
  pathOf: (name: RunTableName) => string,
  write: TableFileWriter,
): void {
  const { orderHistory, fills, trades, series, payments } = result;
  write<OrderRow>(pathOf('orders'), ORDER_COLUMNS, everyRow(orderHistory));
  write<FillRow>(pathOf('fills'), FILL_COLUMNS, everyRow(fills));
  write<TradeRow>(pathOf('trades'), TRADE_COLUMNS, everyRow(trades));
  write<EquityRow>(pathOf('equity'), EQUITY_COLUMNS, everySample(series));
  if (payments !== undefined) {
    write<PaymentRow>(pathOf('payments'), PAYMENT_COLUMNS, everyRow(payments));
  }
}

export type RunTableName = 'orders' | 'fills' | 'trades' | 'equity' | 'payments';
