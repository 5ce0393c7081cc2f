import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { priceOnGrid, quantityOnGrid } from '../../rules/grid.ts';

/** Why an algo order cannot be taken for what was meant. */
export const invalid = (field: string, what: string): Rejection => ({
  code: 'request-invalid',
  field,
  message: `${what}.`,
});

/** The lots of a quantity that is given in one way or the other. */
export function quantityAsked(
  instrument: Instrument,
  { lots, quantity }: { readonly lots?: Lots | undefined; readonly quantity?: Decimal | undefined },
  field = 'quantity',
): Lots | Rejection {
  const asked = quantity === undefined ? lots : quantityOnGrid(instrument, quantity, 'strict');
  if (isRejection(asked)) return { ...asked, field };
  return asked ?? { code: 'quantity-missing', field, message: `It needs a ${field}.` };
}

/** The ticks of a price that is given in one way, the other or not at all. */
export function priceAsked(
  instrument: Instrument,
  { ticks, price }: { readonly ticks?: Ticks | undefined; readonly price?: Decimal | undefined },
  field = 'price',
): Ticks | Rejection | undefined {
  const asked = price === undefined ? ticks : priceOnGrid(instrument, price, 'strict');
  return isRejection(asked) ? { ...asked, field } : asked;
}
