import type { Order } from '../../model/order.ts';
import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Lots } from '../../model/units.ts';
import type { Measure } from '../counting.ts';
import type { RiskView } from '../view.ts';

/** What an order may still execute. */
export const leftLots = ({ lots, filledLots }: Order): Lots =>
  Math.max(0, lots - filledLots) as Lots;

/** What all sells of a currency for spot may still sell. */
export const sells =
  (base: string, view: RiskView): Measure =>
  (order) =>
    order.side === 'sell' ? sizeOf(order, base, view) : ZERO;

/** What all buys of a currency for spot may still buy. */
export const buys =
  (base: string, view: RiskView): Measure =>
  (order) =>
    order.side === 'buy' ? sizeOf(order, base, view) : ZERO;

/** An amount that is there; what is owed is nothing that could be used. */
export const leftOf = (amount: Decimal): Decimal => Decimal.max(ZERO, amount);

function sizeOf(order: Order, base: string, view: RiskView): Decimal {
  if (order.margin !== undefined) return ZERO;
  const instrument = view.instrument(order.symbol);
  return instrument.baseCurrency === base ? instrument.size(leftLots(order)) : ZERO;
}
