import type { Order } from '../../model/order.ts';
import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { isNoLarger, most } from '../counting.ts';
import { allRiskPositions, isReducing, type RiskPosition } from '../margin/risk-position.ts';
import { openingValue, unitPrices, worstValue, type UnitPrices } from '../margin/worst-value.ts';
import { grows } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { freshMarket, referenceOf, worstPrice } from '../price.ts';
import { marketUnknown } from './market-unknown.ts';
import { remainingLots, nonNegative } from './measures.ts';

/**
 * Value of all holdings and of every open buy, in the quote currency of the request. On margin
 * longs and shorts count alike, each at its mark price or at what open orders can make of it.
 */
export function exposureRejection(checked: Checked): Rejection | undefined {
  const { limits } = checked;
  if (limits.maxExposure.size === 0) return undefined;
  for (const quote of quotesOpened(checked)) {
    const limit = limits.maxExposure.get(quote);
    if (limit === undefined) continue;
    const rejection = grossRejection(checked, quote, limit);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/**
 * Value of longs less that of shorts, in the same currency, once everything that can open one way
 * has executed and nothing that opens the other way has. Exits do not count, as no limit rejects
 * them.
 */
export function netExposureRejection(checked: Checked): Rejection | undefined {
  const { maxNetExposure } = checked.limits;
  if (maxNetExposure === undefined || maxNetExposure.size === 0) return undefined;
  for (const quote of quotesOpened(checked)) {
    const limit = maxNetExposure.get(quote);
    if (limit === undefined) continue;
    const rejection = netRejection(checked, quote, limit);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** Quote currencies of what a request buys, or opens on margin. */
function quotesOpened({ requested, view }: Checked): ReadonlySet<string> {
  const opening = requested.filter((order) =>
    order.margin === undefined ? order.side === 'buy' : !isReducing(order),
  );
  return new Set(opening.map(({ symbol }) => view.instrument(symbol).quoteCurrency));
}

/** Inputs of the exposures in a quote currency. */
interface Parts {
  /** Value of each open spot buy. */
  readonly buys: ReadonlyMap<Order, Decimal>;
  readonly prices: UnitPrices;
  readonly positions: readonly RiskPosition[];
}

function partsOf(checked: Checked, quote: string, what: string): Parts | Rejection {
  const { after, view, limits } = checked;
  const buys = buyValues(checked, quote, what);
  if (isRejection(buys)) return buys;
  const positions = allRiskPositions(after, view).filter(
    ({ instrument }) => instrument.quoteCurrency === quote,
  );
  if (positions.length === 0) return { buys, prices: new Map(), positions };
  const own = after.filter(({ symbol }) => view.instrument(symbol).quoteCurrency === quote);
  const prices = unitPrices(own, { view, limits, collar: limits.priceCollar, limit: what });
  return isRejection(prices) ? prices : { buys, prices, positions };
}

function grossRejection(checked: Checked, quote: string, limit: Decimal): Rejection | undefined {
  const { after, view } = checked;
  const parts = partsOf(checked, quote, GROSS);
  if (isRejection(parts)) return parts;
  const measure = (order: Order): Decimal => parts.buys.get(order) ?? ZERO;
  const bought = most(after, measure);
  const held = heldValue(checked, quote, GROSS);
  const margin = marginValue(parts, after);
  if (!isRejection(held) && !isRejection(margin)) {
    const exposure = held.plus(bought).plus(margin);
    if (!exposure.greaterThan(limit)) return undefined;
    const before = marginValue(parts, view.orders);
    const isLarger = isRejection(before) || margin.greaterThan(before);
    if (!isLarger && isNoLarger(bought, view.orders, measure)) return undefined;
    return tooMuch('risk-exposure', exposure, quote, limit);
  }
  const opens = parts.positions.some((position) => grows(position, { after, before: view.orders }));
  if (!opens && isNoLarger(bought, view.orders, measure)) return undefined;
  return isRejection(held) ? held : isRejection(margin) ? margin : undefined;
}

function netRejection(checked: Checked, quote: string, limit: Decimal): Rejection | undefined {
  const { after, view } = checked;
  const parts = partsOf(checked, quote, NET);
  if (isRejection(parts)) return parts;
  const held = heldValue(checked, quote, NET);
  const margin = signedValue(parts);
  const [long, short] = openedBy(parts, after);
  const [longBefore, shortBefore] = openedBy(parts, view.orders);
  const isLonger = long.greaterThan(longBefore);
  const isShorter = short.greaterThan(shortBefore);
  if (!isLonger && !isShorter) return undefined;
  if (isRejection(held)) return held;
  if (isRejection(margin)) return margin;
  const most = held.plus(margin).plus(long);
  const least = held.plus(margin).minus(short);
  if (isLonger && most.greaterThan(limit)) return tooMuch('risk-net-exposure', most, quote, limit);
  if (isShorter && least.negated().greaterThan(limit)) {
    return tooMuch('risk-net-exposure', least, quote, limit);
  }
  return undefined;
}

const tooMuch = (
  code: 'risk-exposure' | 'risk-net-exposure',
  exposure: Decimal,
  quote: string,
  limit: Decimal,
): Rejection => ({
  code,
  field: 'quantity',
  message:
    code === 'risk-exposure'
      ? `With all open buys ${brief(exposure)} ${quote} would be at stake, more than the ${brief(limit)} that may be.`
      : `With all open orders of one side the net exposure would be ${brief(exposure)} ${quote}, beyond the limit of ${brief(limit)}.`,
  limit: brief(limit),
});

/** Largest value of margin positions and orders together. */
function marginValue({ positions, prices }: Parts, orders: readonly Order[]): Decimal | Rejection {
  let sum = ZERO;
  for (const position of positions) {
    const value = worstValue(position, orders, prices);
    if (value === undefined) return marketUnknown(position.instrument.symbol, GROSS);
    sum = sum.plus(value);
  }
  return sum;
}

/** Value of margin longs less that of shorts. */
function signedValue({ positions }: Parts): Decimal | Rejection {
  let sum = ZERO;
  for (const { size, mark, instrument } of positions) {
    if (size.isZero()) continue;
    if (mark === undefined) return marketUnknown(instrument.symbol, NET);
    sum = sum.plus(size.times(mark));
  }
  return sum;
}

/** What orders can add to the longs, and to the shorts. */
function openedBy(
  { buys, positions, prices }: Parts,
  orders: readonly Order[],
): readonly [long: Decimal, short: Decimal] {
  let long = most(orders, (order) => buys.get(order) ?? ZERO);
  let short = ZERO;
  for (const position of positions) {
    long = long.plus(openingValue(position, 'buy', orders, prices));
    short = short.plus(openingValue(position, 'sell', orders, prices));
  }
  return [long, short];
}

/** Value of the remainder of every spot buy. */
function buyValues(
  { after, view, limits }: Checked,
  quote: string,
  what: string,
): ReadonlyMap<Order, Decimal> | Rejection {
  const values = new Map<Order, Decimal>();
  for (const order of after) {
    if (order.margin !== undefined || order.side !== 'buy') continue;
    const instrument = view.instrument(order.symbol);
    if (instrument.quoteCurrency !== quote) continue;
    const market = freshMarket(order.symbol, view, limits);
    const price = worstPrice(order, instrument, market, limits.priceCollar);
    if (price === undefined) return marketUnknown(order.symbol, what);
    values.set(order, price.times(instrument.size(remainingLots(order))));
  }
  return values;
}

/** Value of spot holdings, each currency once, at its reference price. */
function heldValue({ view, limits }: Checked, quote: string, what: string): Decimal | Rejection {
  const counted = new Set<string>();
  let sum = ZERO;
  for (const instrument of view.instruments) {
    const { baseCurrency, quoteCurrency, symbol } = instrument;
    if (quoteCurrency !== quote || instrument.isContract || counted.has(baseCurrency)) continue;
    counted.add(baseCurrency);
    const held = nonNegative(view.holding(baseCurrency));
    if (held.isZero()) continue;
    const market = freshMarket(symbol, view, limits);
    const price = market === undefined ? undefined : referenceOf(instrument, market);
    if (price === undefined) return marketUnknown(symbol, what);
    sum = sum.plus(held.times(price));
  }
  return sum;
}

const GROSS = 'The largest exposure';
const NET = 'The largest net exposure';
