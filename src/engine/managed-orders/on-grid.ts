import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { priceOnGrid, quantityOnGrid } from '../../rules/grid.ts';
import type { Quote, QuoteSide, Target } from '../../strategy/commands.ts';

/** One side of a quote in whole ticks and lots. */
export interface GridSide {
  readonly ticks: Ticks;
  readonly lots: Lots;
}

/** A quote in whole ticks and lots. */
export interface GridQuote {
  readonly kind: 'quote';
  readonly bid?: GridSide | undefined;
  readonly ask?: GridSide | undefined;
}

/** A target in whole lots, or in a form that becomes lots once a price is known. */
export interface GridTarget {
  readonly kind: 'target';
  readonly hold:
    | { readonly share: number }
    | { readonly lots: Lots }
    | { readonly notional: Decimal };
  readonly clears?: true | undefined;
}

/** Converts a managed order to the grid of its instrument; ticks and lots are on it already. */
export function onGrid(
  instrument: Instrument,
  managedOrder: Target | Quote,
): GridTarget | GridQuote | Rejection {
  if (managedOrder.kind === 'target') {
    const hold = holdOnGrid(instrument, managedOrder.hold);
    return isRejection(hold) ? hold : { kind: 'target', hold, clears: managedOrder.clears };
  }
  const bid = sideOnGrid(instrument, managedOrder.bid, 'bid');
  if (isRejection(bid)) return bid;
  const ask = sideOnGrid(instrument, managedOrder.ask, 'ask');
  return isRejection(ask) ? ask : { kind: 'quote', bid, ask };
}

function sideOnGrid(
  instrument: Instrument,
  side: QuoteSide | undefined,
  name: 'bid' | 'ask',
): GridSide | Rejection | undefined {
  if (side === undefined) return undefined;
  if (side.ticks !== undefined && side.lots !== undefined) return side;
  const ticks = side.ticks ?? priceOnGrid(instrument, side.price, side.priceRounding ?? 'strict');
  if (isRejection(ticks)) return at(name, ticks);
  const lots =
    side.lots ?? quantityOnGrid(instrument, side.quantity, side.quantityRounding ?? 'strict');
  return isRejection(lots) ? at(name, lots) : { ticks, lots };
}

/** Puts the side before the field and the message of a rejection. */
const at = (side: string, rejection: Rejection): Rejection => {
  const field = `${side}.${String(rejection.field)}`;
  return { ...rejection, field, message: `${side}.${rejection.message}` };
};

/** A target quantity in whole lots; one below the minimum is a target of zero. */
function holdOnGrid(instrument: Instrument, hold: Target['hold']): GridTarget['hold'] | Rejection {
  if (!('quantity' in hold)) return hold;
  const { quantity, quantityRounding } = hold;
  if (quantity.isZero()) return { lots: 0 as Lots };
  const size = quantity.abs();
  const lots = quantityOnGrid(instrument, size, quantityRounding ?? 'strict');
  if (!isRejection(lots)) return { lots: (quantity.isNegative() ? 0 - lots : lots) as Lots };
  return lots.code === 'quantity-below-minimum' ? { lots: 0 as Lots } : lots;
}
