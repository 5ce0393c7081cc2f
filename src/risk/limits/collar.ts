import type { Order } from '../../model/order.ts';
import { brief, Decimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import { isReducing } from '../margin/risk-position.ts';
import type { Checked } from './checked.ts';
import { freshMarket, referenceOf, touchOf } from '../price.ts';
import { waitsForTrigger } from '../view.ts';
import { marketUnknown } from './market-unknown.ts';

const ONE = new Decimal(1);

/**
 * No buy above `reference × (1 + collar)` and no sell below `reference × (1 - collar)`. The
 * reference is the current price; for an order with a stop price that price, as the market will be
 * there. A market order is checked at the best price that it would take; one with a stop price has
 * no price to check.
 */
export function collarRejection(checked: Checked): Rejection | undefined {
  if (checked.limits.priceCollar === undefined) return undefined;
  for (const order of checked.requested) {
    const rejection = orderRejection(order, checked, checked.limits.priceCollar);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

function orderRejection(
  order: Order,
  { view, limits }: Checked,
  collar: Decimal,
): Rejection | undefined {
  const { symbol, side, ticks, stopTicks } = order;
  const instrument = view.instrument(symbol);
  if (stopTicks !== undefined && waitsForTrigger(order)) {
    if (ticks === undefined) return undefined;
    return beyond(order, instrument.price(ticks), instrument.price(stopTicks), collar);
  }
  const market = freshMarket(symbol, view, limits);
  const reference = market && referenceOf(instrument, market);
  const price = ticks === undefined ? touchOf(instrument, market, side) : instrument.price(ticks);
  if (reference === undefined || price === undefined) {
    // An unknown market never rejects an order that can only close.
    if (isReducing(order)) return undefined;
    return marketUnknown(symbol, 'The price collar');
  }
  return beyond(order, price, reference, collar);
}

function beyond(
  { symbol, side }: Order,
  price: Decimal,
  reference: Decimal,
  collar: Decimal,
): Rejection | undefined {
  const limit = reference.times(side === 'buy' ? ONE.plus(collar) : ONE.minus(collar));
  const isBeyond = side === 'buy' ? price.greaterThan(limit) : price.lessThan(limit);
  if (!isBeyond) return undefined;
  const word = side === 'buy' ? 'above' : 'below';
  return {
    code: 'risk-collar',
    field: 'price',
    message: `A ${side} of ${symbol} at ${brief(price)} is ${word} ${brief(limit)}, the limit around ${brief(reference)}.`,
    limit: brief(limit),
  };
}
