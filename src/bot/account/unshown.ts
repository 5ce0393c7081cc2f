import type { Order } from '../../model/order.ts';

/** Best bid and ask of a book; an unknown price is NaN. */
export interface BookBest {
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  /** True while the book has a gap. */
  readonly stale: boolean;
}

export type BestOf = (symbol: string) => BookBest | undefined;

/**
 * Client order ids of orders that should be in a book but are not: its best price is worse than theirs, or
 * has fewer lots at their price than they have left. A lagging book may be wrong for a moment, so only a lasting result
 * counts.
 */
export function unshown(orders: Iterable<Order>, bestOf: BestOf): ReadonlySet<string> {
  const levels = new Map<string, Order[]>();
  for (const order of orders) {
    const { symbol, side, ticks } = order;
    if (ticks === undefined || !stands(order)) continue;
    const key = `${symbol} ${side} ${ticks}`;
    levels.set(key, [...(levels.get(key) ?? []), order]);
  }
  const ids = new Set<string>();
  for (const level of levels.values()) {
    if (isShown(level, bestOf)) continue;
    for (const { clientOrderId } of level) ids.add(clientOrderId);
  }
  return ids;
}

/** True if the order is in the book, as far as is known. */
function stands({ status, inactive }: Order): boolean {
  return inactive !== true && (status === 'new' || status === 'partiallyFilled');
}

/** True if the book can hold all orders of one price. */
function isShown(level: readonly Order[], bestOf: BestOf): boolean {
  const [{ symbol, side, ticks = Number.NaN }] = level as readonly [Order];
  const best = bestOf(symbol);
  if (best === undefined || best.stale) return true;
  const isSell = side === 'sell';
  const bestTicks = isSell ? best.askTicks : best.bidTicks;
  if (Number.isNaN(bestTicks)) return false;
  if (bestTicks !== ticks) return isSell ? bestTicks < ticks : bestTicks > ticks;
  const left = level.reduce((sum, { lots, filledLots }) => sum + lots - filledLots, 0);
  return (isSell ? best.askLots : best.bidLots) >= left;
}
