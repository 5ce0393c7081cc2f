import { decimal, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { CarrierData } from '../../swaps/execution/carrier.ts';

/** Reading what a carrier has put into the journal. What is not there is a fault of the carrier. */

export function textIn(data: CarrierData, key: string): string {
  const value = data[key];
  if (typeof value === 'string') return value;
  throw new MillraceError('internal', `The data of a move has no ${key}.`, { field: key });
}

/** The same where it may be absent. */
export function textMaybe(data: CarrierData, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
}

/** An amount, which stands there as text. */
export const decimalIn = (data: CarrierData, key: string): Decimal =>
  decimal(textIn(data, key), key);

export function numberIn(data: CarrierData, key: string): number {
  const value = data[key];
  if (typeof value === 'number') return value;
  throw new MillraceError('internal', `The data of a move has no ${key}.`, { field: key });
}
