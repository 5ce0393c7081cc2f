import type { Order } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Lots, Ticks } from '../model/units.ts';
import { priceRefusal, pricesRefusal, quantityRefusal } from './order-shape.ts';

/** What a replacement sets; what is absent stays as it is. */
export interface Replacement {
  /** The new total, what is executed included. */
  readonly lots?: Lots | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
}

/** What of an order a replacement is held against. */
export type Replaced = Pick<Order, 'type' | 'lots' | 'executedLots' | 'ticks' | 'stopTicks'>;

/**
 * Checks a replacement against the order as it stands: whole positive numbers, a price only where
 * the type has one, a total above what is executed, and some change. Allocates nothing when it
 * passes.
 */
export function replacementRefusal(order: Replaced, change: Replacement): Refusal | undefined {
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  return (
    quantityRefusal(lots) ??
    priceRefusal(order.type, ticks, stopTicks) ??
    replacementFitRefusal(order, change)
  );
}

/** The rest of these rules, for a change whose numbers have passed already. */
export const replacementFitRefusal = (order: Replaced, change: Replacement): Refusal | undefined =>
  pricesRefusal(order.type, change.ticks ?? order.ticks, change.stopTicks ?? order.stopTicks) ??
  replacementStateRefusal(order, change);

/** Those of them that what has happened to the order decides: they are asked again where it is. */
export function replacementStateRefusal(order: Replaced, change: Replacement): Refusal | undefined {
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  return (
    executedRefusal(lots, order.executedLots) ??
    (lots === order.lots && ticks === order.ticks && stopTicks === order.stopTicks
      ? UNCHANGED
      : undefined)
  );
}

const UNCHANGED: Refusal = {
  code: 'order-unchanged',
  message: 'The replacement has the prices and the quantity that the order has already.',
};

function executedRefusal(lots: Lots, executedLots: Lots): Refusal | undefined {
  if (lots > executedLots) return undefined;
  const limit = String(executedLots);
  return {
    code: 'quantity-below-executed',
    field: 'quantity',
    message: `The new total is ${lots} lots and must be above the ${limit} executed already.`,
    limit,
  };
}
