import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Order, Side } from '../../model/order.ts';
import { most, type Measure } from '../counting.ts';
import { remainingLots } from '../limits/measures.ts';
import { isAt, isReducing, type RiskPosition } from './risk-position.ts';

/** Largest possible positions with open orders, either way; both without sign. */
export interface WorstSizes {
  readonly long: Decimal;
  readonly short: Decimal;
}

/**
 * The largest long and short that a position and open orders can become, whichever of them execute
 * and in any order. Reduce-only orders bring it at most to zero, from where the others continue.
 */
export function worstSizes(position: RiskPosition, orders: readonly Order[]): WorstSizes {
  const { size } = position;
  const all = (side: Side, reducing: boolean): Decimal =>
    most(orders, sizesOf(position, side, reducing));
  const long = size.isNegative() ? Decimal.min(ZERO, size.plus(all('buy', true))) : size;
  const short = size.isNegative() ? size : Decimal.max(ZERO, size.minus(all('sell', true)));
  return {
    long: Decimal.max(ZERO, long.plus(all('buy', false))),
    short: Decimal.max(ZERO, all('sell', false).minus(short)),
  };
}

/** True if a request increases the largest possible position. */
export function grows(
  position: RiskPosition,
  { after, before }: { readonly after: readonly Order[]; readonly before: readonly Order[] },
): boolean {
  const then = worstSizes(position, after);
  const now = worstSizes(position, before);
  return then.long.greaterThan(now.long) || then.short.greaterThan(now.short);
}

/**
 * Remaining size of a side's orders: of the reduce-only ones, or the others. One that closes the
 * position has its quantity when triggered: the whole position.
 */
export const sizesOf =
  (position: RiskPosition, side: Side, reducing: boolean): Measure =>
  (order) => {
    if (order.side !== side || !isAt(order, position) || isReducing(order) !== reducing)
      return ZERO;
    if (order.margin?.closePosition === true) return position.size.abs();
    return position.instrument.size(remainingLots(order));
  };
