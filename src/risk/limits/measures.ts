import type { Order } from '../../model/order.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Lots } from '../../model/units.ts';
import type { Measure } from '../counting.ts';
import type { RiskView } from '../view.ts';

/** Remaining lots of an order. */
export const remainingLots = ({ lots, filledLots }: Order): Lots =>
  Math.max(0, lots - filledLots) as Lots;

/** Remaining size of all spot sells of a currency. */
export const sells =
  (base: string, view: RiskView): Measure =>
  (order) =>
    order.side === 'sell' ? sizeOf(order, base, view) : ZERO;

/** Remaining size of all spot buys of a currency. */
export const buys =
  (base: string, view: RiskView): Measure =>
  (order) =>
    order.side === 'buy' ? sizeOf(order, base, view) : ZERO;

/** A positive amount; a debt counts as zero. */
export const nonNegative = (amount: Decimal): Decimal => Decimal.max(ZERO, amount);

function sizeOf(order: Order, base: string, view: RiskView): Decimal {
  if (order.margin !== undefined) return ZERO;
  const instrument = view.instrument(order.symbol);
  return instrument.baseCurrency === base ? instrument.size(remainingLots(order)) : ZERO;
}
