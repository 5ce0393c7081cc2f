import type { Order } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Lots, Ticks } from '../model/units.ts';
import { priceRejection, pricesRejection, quantityRejection } from './order-shape.ts';

/** What a replacement sets; what is absent stays as it is. */
export interface Replacement {
  /** The new total, what is executed included. */
  readonly lots?: Lots | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
}

/** What of an order a replacement is held against. */
export type Replaced = Pick<Order, 'type' | 'lots' | 'filledLots' | 'ticks' | 'stopTicks'>;

/**
 * Checks a replacement against the order as it stands: whole positive numbers, a price only where
 * the type has one, a total above what is executed, and some change. Allocates nothing when it
 * passes.
 */
export function replacementRejection(order: Replaced, change: Replacement): Rejection | undefined {
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  return (
    quantityRejection(lots) ??
    priceRejection(order.type, ticks, stopTicks) ??
    replacementFitRejection(order, change)
  );
}

/** The rest of these rules, for a change whose numbers have passed already. */
export const replacementFitRejection = (
  order: Replaced,
  change: Replacement,
): Rejection | undefined =>
  pricesRejection(order.type, change.ticks ?? order.ticks, change.stopTicks ?? order.stopTicks) ??
  replacementStateRejection(order, change);

/** Those of them that what has happened to the order decides: they are asked again where it is. */
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
