import { hasStopPrice, type VenueOrder } from '../model/order.ts';

/** The prices that a candle is taken to have gone through, from its open to its close, in ticks. */
export type CandleWay = readonly number[];

type Priced = Pick<VenueOrder, 'type' | 'side' | 'ticks' | 'stopTicks'>;

/**
 * Which of the orders a way comes to first, by its place; undefined for none. With an entry, they
 * count from where the way has come to that. A stop price is reached when it is touched, a limit
 * price when the way goes through it.
 */
export function reachedOn(
  way: CandleWay,
  orders: readonly Priced[],
  entry?: Priced,
): number | undefined {
  let waitsFor = entry;
  let [price] = way;
  for (const to of way) {
    if (waitsFor !== undefined) {
      const at = meeting(waitsFor, price, to);
      if (at === undefined) {
        price = to;
        continue;
      }
      waitsFor = undefined;
      price = at;
    }
    const first = firstOf(orders, price, to);
    if (first !== undefined) return first;
    price = to;
  }
  return undefined;
}

/** Which of the orders is met first on the way from one price to another. */
function firstOf(orders: readonly Priced[], from: number, to: number): number | undefined {
  let first: number | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  for (const [index, order] of orders.entries()) {
    const at = meeting(order, from, to);
    if (at === undefined || Math.abs(at - from) >= nearest) continue;
    nearest = Math.abs(at - from);
    first = index;
  }
  return first;
}

/** Where an order is met on the way from one price to another: at its price, or at once where that is behind already. */
function meeting(order: Priced, from: number, to: number): number | undefined {
  const isStop = hasStopPrice(order.type);
  const level = isStop ? order.stopTicks : order.ticks;
  if (level === undefined) return undefined;
  const isStopLoss = order.type === 'stopLimit' || order.type === 'stopMarket';
  const rises = isStopLoss === (order.side === 'buy');
  const isBeyond = (price: number): boolean => {
    if (isStop && price === level) return true;
    return rises ? price > level : price < level;
  };
  if (isBeyond(from)) return from;
  return isBeyond(to) ? level : undefined;
}
