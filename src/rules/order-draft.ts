import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import type { OrderTerms, OrderType, Side, TimeInForce } from '../model/order.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import type { OrderMargin } from '../model/margin-terms.ts';
import type { Lots, Rounding, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import { priceOnGrid, quantityOnGrid, stopPriceOnGrid, type Grid } from './grid.ts';
import { defaultTimeInForce, orderFitRejection } from './order-shape.ts';

/**
 * An order request: numbers as whole ticks and lots or as decimals (one of the two each), without
 * defaults.
 */
export interface OrderDraft {
  readonly side: Side;
  /** `limit` if absent. */
  readonly type?: OrderType | undefined;
  /** FOK for market types, GTC for limit types if absent. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly lots?: Lots | undefined;
  readonly quantity?: Decimal | undefined;
  readonly ticks?: Ticks | undefined;
  readonly price?: Decimal | undefined;
  readonly stopTicks?: Ticks | undefined;
  readonly stopPrice?: Decimal | undefined;
  /** Rounding of price and stop price; the general rounding if absent. */
  readonly priceRounding?: Rounding | undefined;
  readonly quantityRounding?: Rounding | undefined;
  readonly expireAt?: Micros | undefined;
  /** False if absent. */
  readonly postOnly?: boolean | undefined;
  /** Absent for a spot order; isolated without a mode. */
  readonly margin?: MarginDraft | undefined;
}

/** Margin terms of a requested order. */
export type MarginDraft = Partial<OrderMargin>;

/**
 * Converts a draft to the grid, fills in its defaults and checks that its fields fit each other.
 * Its names and whole numbers are checked already.
 */
export function orderTerms(
  instrument: Instrument,
  draft: OrderDraft,
  grid: Grid,
  now: Micros,
): OrderTerms | Rejection {
  const lots = steps(draft.lots, draft.quantity, (quantity) =>
    quantityOnGrid(instrument, quantity, draft.quantityRounding ?? grid),
  );
  if (isRejection(lots)) return lots;
  const { margin } = draft;
  if (lots === undefined && margin?.closePosition !== true) {
    return { code: 'quantity-missing', field: 'quantity', message: 'The order needs a quantity.' };
  }
  const prices = draft.priceRounding ?? grid;
  const ticks = steps(draft.ticks, draft.price, (price) => priceOnGrid(instrument, price, prices));
  if (isRejection(ticks)) return ticks;
  const stopTicks = steps(draft.stopTicks, draft.stopPrice, (stopPrice) =>
    stopPriceOnGrid(instrument, stopPrice, prices),
  );
  if (isRejection(stopTicks)) return stopTicks;
  const type = draft.type ?? 'limit';
  const terms: OrderTerms = {
    side: draft.side,
    type,
    timeInForce: draft.timeInForce ?? defaultTimeInForce(type),
    lots: lots ?? (0 as Lots),
    ticks,
    stopTicks,
    expireAt: draft.expireAt,
    postOnly: draft.postOnly ?? false,
    ...(margin === undefined ? {} : { margin: marginOf(margin) }),
  };
  return orderFitRejection(terms, now) ?? terms;
}

/** The default mode is isolated. A value that is not an object is checked later, by its shape. */
const marginOf = (margin: MarginDraft): OrderMargin => {
  const given: unknown = margin;
  const isDraft = typeof given === 'object' && given !== null;
  return isDraft ? { mode: 'isolated', ...given } : (given as OrderMargin);
};

/** Steps of a number given in one form or not at all. */
function steps<T extends Ticks | Lots>(
  whole: T | undefined,
  exact: Decimal | undefined,
  onGrid: (value: Decimal) => T | Rejection,
): T | Rejection | undefined {
  if (exact === undefined) return whole;
  if (whole === undefined) return onGrid(exact);
  throw new MillraceError('internal', `A draft has ${exact.toFixed()} and ${whole} steps of it.`);
}
