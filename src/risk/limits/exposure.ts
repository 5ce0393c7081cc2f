import type { Order } from '../../model/order.ts';
import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { isNoLarger, most } from '../counting.ts';
import type { Checked } from './checked.ts';
import { freshMarket, referenceOf, worstPrice } from '../price.ts';
import { marketUnknown } from './market-unknown.ts';
import { leftLots, leftOf } from './measures.ts';

/** The worth of all that is held and of every open buy, in the quote currency of the request's buys. */
export function exposureRefusal(checked: Checked): Refusal | undefined {
  const { asked, view, limits } = checked;
  const buying = asked.filter(({ side }) => side === 'buy');
  for (const quote of new Set(buying.map(({ symbol }) => view.instrument(symbol).quoteCurrency))) {
    const limit = limits.maxExposure.get(quote);
    if (limit === undefined) continue;
    const refusal = currencyRefusal(checked, quote, limit);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function currencyRefusal(checked: Checked, quote: string, limit: Decimal): Refusal | undefined {
  const { after, view } = checked;
  const worths = buyWorths(checked, quote);
  if (isRefusal(worths)) return worths;
  const measure = (order: Order): Decimal => worths.get(order) ?? ZERO;
  const bought = most(after, measure);
  const held = heldWorth(checked, quote);
  const isWithin = !isRefusal(held) && !held.plus(bought).greaterThan(limit);
  if (isWithin || isNoLarger(bought, view.orders, measure)) return undefined;
  if (isRefusal(held)) return held;
  const exposure = held.plus(bought);
  return {
    code: 'risk-exposure',
    field: 'quantity',
    message: `With all open buys ${brief(exposure)} ${quote} would be at stake, more than the ${brief(limit)} that may be.`,
    limit: brief(limit),
  };
}

/** The worth of what every buy may still execute. */
function buyWorths(
  { after, view, limits }: Checked,
  quote: string,
): ReadonlyMap<Order, Decimal> | Refusal {
  const worths = new Map<Order, Decimal>();
  for (const order of after) {
    const instrument = view.instrument(order.symbol);
    if (order.side !== 'buy' || instrument.quoteCurrency !== quote) continue;
    const market = freshMarket(order.symbol, view, limits);
    const price = worstPrice(order, instrument, market, limits.priceCollar);
    if (price === undefined) return marketUnknown(order.symbol, LIMIT);
    worths.set(order, price.times(instrument.size(leftLots(order))));
  }
  return worths;
}

/** The worth of what is held, each currency once, at where its market is. */
function heldWorth({ view, limits }: Checked, quote: string): Decimal | Refusal {
  const counted = new Set<string>();
  let sum = ZERO;
  for (const instrument of view.instruments) {
    const { baseCurrency, quoteCurrency, symbol } = instrument;
    if (quoteCurrency !== quote || instrument.isContract || counted.has(baseCurrency)) continue;
    counted.add(baseCurrency);
    const held = leftOf(view.holding(baseCurrency));
    if (held.isZero()) continue;
    const market = freshMarket(symbol, view, limits);
    const price = market === undefined ? undefined : referenceOf(instrument, market);
    if (price === undefined) return marketUnknown(symbol, LIMIT);
    sum = sum.plus(held.times(price));
  }
  return sum;
}

const LIMIT = 'The largest exposure';
