import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { priceOnGrid, quantityOnGrid } from '../../rules/grid.ts';

/** Rejection of an invalid algo order. */
export const invalid = (field: string, what: string): Rejection => ({
  code: 'request-invalid',
  field,
  message: `${what}.`,
});

/** Lots of a quantity given in one form or the other. */
export function requestedLots(
  instrument: Instrument,
  { lots, quantity }: { readonly lots?: Lots | undefined; readonly quantity?: Decimal | undefined },
  field = 'quantity',
): Lots | Rejection {
  const requested = quantity === undefined ? lots : quantityOnGrid(instrument, quantity, 'strict');
  if (isRejection(requested)) return { ...requested, field };
  return requested ?? { code: 'quantity-missing', field, message: `It needs a ${field}.` };
}

/** Ticks of a price given in one form, the other or not at all. */
export function requestedTicks(
  instrument: Instrument,
  { ticks, price }: { readonly ticks?: Ticks | undefined; readonly price?: Decimal | undefined },
  field = 'price',
): Ticks | Rejection | undefined {
  const requested = price === undefined ? ticks : priceOnGrid(instrument, price, 'strict');
  return isRejection(requested) ? { ...requested, field } : requested;
}
