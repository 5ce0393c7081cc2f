import type { Order } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Lots, Ticks } from '../model/units.ts';
import { priceRejection, pricesRejection, quantityRejection } from './order-shape.ts';

/** Changes of a replacement; absent members stay. */
export interface Replacement {
  /** The new total, filled lots included. */
  readonly lots?: Lots | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
}

/** Members of an order that a replacement is checked against. */
export type Replaced = Pick<Order, 'type' | 'lots' | 'filledLots' | 'ticks' | 'stopTicks'>;

/**
 * Checks a replacement against the current order: whole positive numbers, a price only if the type
 * has one, a total above the filled lots, and some change. Allocates nothing if it passes.
 */
export function replacementRejection(order: Replaced, change: Replacement): Rejection | undefined {
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  return (
    quantityRejection(lots) ??
    priceRejection(order.type, ticks, stopTicks) ??
    replacementFitRejection(order, change)
  );
}

/** The rules of `replacementRejection` for a change whose numbers have passed already. */
export const replacementFitRejection = (
  order: Replaced,
  change: Replacement,
): Rejection | undefined =>
  pricesRejection(order.type, change.ticks ?? order.ticks, change.stopTicks ?? order.stopTicks) ??
  replacementStateRejection(order, change);

/** The rules that depend on the state of the order, which are checked again at its venue. */
export function replacementStateRejection(
  order: Replaced,
  change: Replacement,
): Rejection | undefined {
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  return (
    executedRejection(lots, order.filledLots) ??
    (lots === order.lots && ticks === order.ticks && stopTicks === order.stopTicks
      ? UNCHANGED
      : undefined)
  );
}

const UNCHANGED: Rejection = {
  code: 'order-unchanged',
  message: 'The replacement has the prices and the quantity that the order has already.',
};

function executedRejection(lots: Lots, filledLots: Lots): Rejection | undefined {
  if (lots > filledLots) return undefined;
  const limit = String(filledLots);
  return {
    code: 'quantity-below-executed',
    field: 'quantity',
    message: `The new total is ${lots} lots and must be above the ${limit} executed already.`,
    limit,
  };
}
