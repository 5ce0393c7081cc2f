import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Order, Side } from '../../model/order.ts';
import { most, type Measure } from '../counting.ts';
import { leftLots } from '../limits/measures.ts';
import { isAt, isReducing, type RiskPosition } from './risk-position.ts';

/** The largest positions that orders can lead to, either way; both without a sign. */
export interface WorstSizes {
  readonly long: Decimal;
  readonly short: Decimal;
}

/**
 * The largest long and short that can come of a position and open orders, whichever of them execute
 * and in whichever order. Orders that only reduce bring it no further than to nothing, but from there
 * the others go on.
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

/** True if a request makes a position larger that can come of it. */
export function grows(
  position: RiskPosition,
  { after, before }: { readonly after: readonly Order[]; readonly before: readonly Order[] },
): boolean {
  const then = worstSizes(position, after);
  const now = worstSizes(position, before);
  return then.long.greaterThan(now.long) || then.short.greaterThan(now.short);
}

/**
 * What orders of a side at a place may still execute: those that only reduce, or the others. One that
 * closes the position has its quantity when it is triggered: all that is held.
 */
export const sizesOf =
  (position: RiskPosition, side: Side, reducing: boolean): Measure =>
  (order) => {
    if (order.side !== side || !isAt(order, position) || isReducing(order) !== reducing)
      return ZERO;
    if (order.margin?.closePosition === true) return position.size.abs();
    return position.instrument.size(leftLots(order));
  };
