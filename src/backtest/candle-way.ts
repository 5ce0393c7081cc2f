import { hasStopPrice, type VenueOrder } from '../model/order.ts';

/** The assumed path of a candle's prices, from its open to its close, in ticks. */
export type CandleWay = readonly number[];

type Priced = Pick<VenueOrder, 'type' | 'side' | 'ticks' | 'stopTicks'>;

/**
 * Index of the order that a path reaches first; undefined for none. With an entry, the path counts
 * from the entry on. A stop price is reached at a touch, a limit price when the path passes it.
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

/** Index of the first order between two prices. */
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

/**
 * Where an order is reached between two prices: at its price, or at once if that is passed already.
 */
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
