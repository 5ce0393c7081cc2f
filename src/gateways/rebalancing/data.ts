import { decimal, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { TransferData } from '../../swaps/execution/transfer-route.ts';

/** Reads a text that a route has put into the journal. A missing one is a fault of the route. */

export function textIn(data: TransferData, key: string): string {
  const value = data[key];
  if (typeof value === 'string') return value;
  throw new MillraceError('internal', `The data of a transfer has no ${key}.`, { field: key });
}

/** The same if it may be absent. */
export function textMaybe(data: TransferData, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
}

/** An amount, stored as text. */
export const decimalIn = (data: TransferData, key: string): Decimal =>
  decimal(textIn(data, key), key);

export function numberIn(data: TransferData, key: string): number {
  const value = data[key];
  if (typeof value === 'number') return value;
  throw new MillraceError('internal', `The data of a transfer has no ${key}.`, { field: key });
}
