import { outstandingLots, type Order, type Side } from '../../model/order.ts';
import { isReducing } from '../../risk/margin/place.ts';
import type { Account } from '../account/account.ts';

/**
 * The orders that can lead away from zero, from either side, as they are canceled when only reducing is
 * allowed: on spot every buy. On margin those that open a position or make it larger, and those that could
 * turn it around once all others toward zero have filled. What only reduces stays, as it protects.
 */
export function awayFromZero(account: Account, orders: readonly Order[]): readonly Order[] {
  const held = new Map<string, number>();
  const lotsOf = ({ symbol, margin, strategy }: Order): number => {
    if (margin === undefined) return 0;
    const key = `${strategy} ${margin.mode} ${symbol}`;
    const known = held.get(key);
    if (known !== undefined) return known;
    const lots = account.margin.lotsOf(strategy, account.instruments.known(symbol), margin.mode);
    held.set(key, lots);
    return lots;
  };
  const left = new Map<string, number>();
  const key = ({ symbol, margin }: Order): string => `${margin?.mode ?? ''} ${symbol}`;
  // Exits come first: whatever they may close nothing else may close too.
  for (const order of orders.filter(isReducing)) {
    const lots = Math.abs(lotsOf(order));
    const used = order.margin?.closePosition === true ? lots : outstandingLots(order);
    left.set(key(order), (left.get(key(order)) ?? lots) - used);
  }
  // One order of a list that cancels the others fills, so all of them take what the largest takes.
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

/** The side of orders that make a position smaller; `undefined` where there is none. */
export const sideToZero = (lots: number): Side | undefined =>
  lots === 0 ? undefined : lots > 0 ? 'sell' : 'buy';
