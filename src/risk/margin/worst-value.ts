import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Order, Side } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { most, type Measure } from '../counting.ts';
import { marketUnknown } from '../limits/market-unknown.ts';
import { freshMarket, worstPrice } from '../price.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';
import { isReducing, type RiskPosition } from './risk-position.ts';
import { sizesOf, worstSizes } from './worst.ts';

/** Largest value of one unit of each order. */
export type UnitPrices = ReadonlyMap<Order, Decimal>;

/** Inputs of the prices of margin orders. */
export interface Pricing {
  readonly view: RiskView;
  readonly limits: RiskSettings;
  /** How far a market order may fill beyond the best price, as a fraction. */
  readonly collar: Decimal | undefined;
  /** Limit that is checked. */
  readonly limit: string;
}

/**
 * Prices of the margin orders that can increase a position; rejects one that takes an unknown
 * market.
 */
export function unitPrices(
  orders: readonly Order[],
  { view, limits, collar, limit }: Pricing,
): UnitPrices | Rejection {
  const prices = new Map<Order, Decimal>();
  for (const order of orders) {
    const { symbol, margin } = order;
    if (margin === undefined || isReducing(order)) continue;
    const market = freshMarket(symbol, view, limits);
    const price = worstPrice(order, view.instrument(symbol), market, collar);
    if (price === undefined) return marketUnknown(symbol, limit);
    prices.set(order, price);
  }
  return prices;
}

/** Largest total value of the opening orders of a side. */
export const openingValue = (
  position: RiskPosition,
  side: Side,
  orders: readonly Order[],
  prices: UnitPrices,
): Decimal => most(orders, valuesOf(position, side, prices));

/**
 * Largest possible value of a position with open orders, without sign: the position at its mark
 * price and the orders of its side at theirs, or the position after a flip by the other side, at
 * that side's highest price. `undefined` if it needs an unknown mark price.
 */
export function worstValue(
  position: RiskPosition,
  orders: readonly Order[],
  prices: UnitPrices,
): Decimal | undefined {
  const { size, mark } = position;
  if (mark === undefined && !size.isZero()) return undefined;
  const held = size.abs().times(mark ?? ZERO);
  const sizes = worstSizes(position, orders);
  const sideValue = (side: Side): Decimal => {
    const isSame = side === 'buy' ? !size.isNegative() : size.isNegative() || size.isZero();
    if (isSame) return held.plus(openingValue(position, side, orders, prices));
    const turned = side === 'buy' ? sizes.long : sizes.short;
    return turned.isZero() ? ZERO : turned.times(highest(position, side, orders, prices));
  };
  return Decimal.max(held, sideValue('buy'), sideValue('sell'));
}

const valuesOf = (position: RiskPosition, side: Side, prices: UnitPrices): Measure => {
  const sizes = sizesOf(position, side, false);
  return (order) => {
    const price = prices.get(order);
    return price === undefined ? ZERO : price.times(sizes(order));
  };
};

function highest(
  position: RiskPosition,
  side: Side,
  orders: readonly Order[],
  prices: UnitPrices,
): Decimal {
  const sizes = sizesOf(position, side, false);
  let best = ZERO;
  for (const order of orders) {
    if (!sizes(order).isZero()) best = Decimal.max(best, prices.get(order) ?? ZERO);
  }
  return best;
}
