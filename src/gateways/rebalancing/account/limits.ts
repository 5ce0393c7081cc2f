import type { Decimal } from '../../../model/decimal.ts';
import type { Rejection } from '../../../model/rejections.ts';
import { floorTo } from './service.ts';

/** Largest size of a transfer's order; absent members are unlimited. */
export interface TradeLimits {
  /** Largest price times quantity, by quote currency. */
  readonly maxNotional?: ReadonlyMap<string, Decimal> | undefined;
  /** Largest quantity, by symbol. */
  readonly maxQuantity?: ReadonlyMap<string, Decimal> | undefined;
}

/** The inputs of the limits of an order. */
export interface LimitedOrder {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: Decimal;
  /** Worst value of one unit: the limit of a purchase, the best price of a sale. */
  readonly price: Decimal;
  readonly quoteCurrency: string;
  readonly increment: Decimal;
}

/**
 * The rejection of an order beyond a limit. It names the most that may be sent instead, without fees, which
 * is a little less than what just passes; rounded down to the increment.
 */
export function limitRejection(order: LimitedOrder, limits: TradeLimits): Rejection | undefined {
  const { symbol, side, quantity, price, quoteCurrency, increment } = order;
  const notional = limits.maxNotional?.get(quoteCurrency);
  const most = limits.maxQuantity?.get(symbol);
  const isDear = notional !== undefined && price.times(quantity).greaterThan(notional);
  const isLarge = most !== undefined && quantity.greaterThan(most);
  if (!isDear && !isLarge) return undefined;
  const bounds = [
    ...(notional === undefined ? [] : [notional.dividedBy(price)]),
    ...(most === undefined ? [] : [most]),
  ];
  const least = bounds.reduce((one, other) => (one.lessThan(other) ? one : other));
  const limit = floorTo(least, increment);
  return {
    code: 'amount-above-maximum',
    field: 'amount',
    message: isDear
      ? `The order would be worth more than the ${notional.toFixed()} ${quoteCurrency} that one order may be worth.`
      : `The order would be of more than the ${most?.toFixed() ?? ''} of ${symbol} that one order may be of.`,
    limit: (side === 'sell' ? limit : limit.times(price)).toFixed(),
  };
}
