import { closeSync, openSync, writeSync } from 'node:fs';
import type { FillRow, OrderRow, PaymentRow, TradeRow } from './result.ts';
import type { EquityRow } from './tables/equity-series.ts';

/** Text that is gathered before it is written. */
const PIECE_CHARACTERS = 1 << 17;

/** The columns of the files, in their order: the fields of their rows. */
export const EQUITY_COLUMNS: readonly (keyof EquityRow)[] = ['at', 'equity', 'drawdown'];

export const FILL_COLUMNS: readonly (keyof FillRow)[] = [
  ...(['at', 'symbol', 'side', 'price', 'size', 'fee', 'feeCurrency', 'taker'] as const),
  ...(['order', 'id', 'margin', 'forced'] as const),
];

export const TRADE_COLUMNS: readonly (keyof TradeRow)[] = [
  ...(['symbol', 'side', 'openedAt', 'closedAt', 'size', 'entryPrice', 'exitPrice'] as const),
  ...(['fees', 'net', 'return', 'mae', 'mfe', 'margin', 'forced'] as const),
];

export const PAYMENT_COLUMNS: readonly (keyof PaymentRow)[] = [
  ...(['at', 'kind', 'mode', 'symbol', 'currency', 'amount', 'price', 'rate'] as const),
];

export const ORDER_COLUMNS: readonly (keyof OrderRow)[] = [
  ...(['sentAt', 'triggeredAt', 'endedAt', 'symbol', 'order', 'replaces', 'list'] as const),
  ...(['contingencyType', 'listIndex', 'side', 'type', 'timeInForce', 'price'] as const),
  ...(['stopPrice', 'takeRate', 'makeRate', 'size', 'filled', 'status'] as const),
];

/** Writes rows as CSV with a line of names, piece by piece: however many there are, few are held. */
export function writeCsv<T>(path: string, columns: readonly (keyof T)[], rows: Iterable<T>): void {
  const file = openSync(path, 'wx');
  try {
    let text = `${columns.join(',')}\n`;
    for (const row of rows) {
      let end = '';
      for (const column of columns) {
        text += `${end}${cell(row[column] as Cell)}`;
        end = ',';
      }
      text += '\n';
      if (text.length < PIECE_CHARACTERS) continue;
      writeSync(file, text);
      text = '';
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

const QUOTED = /[",\r\n]/;

/** What a field of a row may be. */
type Cell = string | number | boolean | null | undefined;

function cell(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
