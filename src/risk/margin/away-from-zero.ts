import { outstandingLots, type Order, type Side } from '../../model/order.ts';
import type { TradingState } from '../state.ts';
import type { RiskView } from '../view.ts';
import { isReducing, riskPosition } from './risk-position.ts';

/** Instruments and margin accounts of the orders' strategy. */
type AccountView = Pick<RiskView, 'instrument' | 'margin'>;

/** Open orders of a strategy that a trading state cancels. */
export function canceledIn(
  state: TradingState,
  orders: readonly Order[],
  held: AccountView,
): readonly Order[] {
  if (state === 'running') return [];
  return state === 'reducing' ? awayFromZero(orders, held) : orders;
}

/**
 * Orders of a strategy that can lead away from zero, which are canceled when only reducing is
 * allowed. On spot every buy. On margin those that open or increase a position, and those that
 * could flip it once all others toward zero have filled. Reduce-only orders stay, as they protect.
 */
export function awayFromZero(orders: readonly Order[], held: AccountView): readonly Order[] {
  const known = new Map<string, number>();
  const key = ({ symbol, margin }: Order): string => `${margin?.mode ?? ''} ${symbol}`;
  const lotsOf = (order: Order): number => {
    const { symbol, margin } = order;
    if (margin === undefined) return 0;
    const lots = known.get(key(order)) ?? riskPosition(held, symbol, margin.mode).held?.lots ?? 0;
    known.set(key(order), lots);
    return lots;
  };
  const left = new Map<string, number>();
  // Exits come first: other orders cannot close what they may close.
  for (const order of orders.filter(isReducing)) {
    const lots = Math.abs(lotsOf(order));
    const used = order.margin?.closePosition === true ? lots : outstandingLots(order);
    left.set(key(order), (left.get(key(order)) ?? lots) - used);
  }
  // One order of a list that cancels the others fills, so together they take what the largest
  // takes.
  const taken = new Map<string, number>();
  return orders.filter((order) => {
    if (order.margin === undefined) return order.side === 'buy';
    if (isReducing(order)) return false;
    const lots = lotsOf(order);
    if (order.side !== sideToZero(lots)) return true;
    const { orderListId = order.clientOrderId } = order;
    const before = taken.get(orderListId) ?? 0;
    const more = Math.max(0, outstandingLots(order) - before);
    const room = (left.get(key(order)) ?? Math.abs(lots)) - more;
    if (room < 0) return true;
    left.set(key(order), room);
    taken.set(orderListId, before + more);
    return false;
  });
}

/** The side of orders that reduce a position; `undefined` if there is none. */
export const sideToZero = (lots: number): Side | undefined =>
  lots === 0 ? undefined : lots > 0 ? 'sell' : 'buy';
