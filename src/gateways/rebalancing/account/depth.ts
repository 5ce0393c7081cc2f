import { Decimal, ZERO } from '../../../model/decimal.ts';
import { floorTo } from './service.ts';

/** Price and quantity of a level of a book, best first. */
export type Level = readonly [Decimal, Decimal];

/** Inputs for computing a marketable order. */
export interface TradeTerms {
  readonly tick: Decimal;
  readonly increment: Decimal;
  /** Taker fee as a fraction of the traded value; negative for a rebate. */
  readonly takeRate: Decimal;
  /** Whether fees are paid in the quote currency, as nearly everywhere, or in the base currency. */
  readonly feeInQuote: boolean;
  /** How much worse than the levels it needs its limit is, as a fraction. */
  readonly tolerance: Decimal;
}

/** A limit order that fills at once if the book is unchanged, and not beyond its limit if not. */
export interface MarketableOrder {
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** Amount that leaves at the prices of the book, fee included. */
  readonly send: Decimal;
  /** Amount that arrives at the prices of the book, and at the limit; after the fee. */
  readonly expected: Decimal;
  readonly least: Decimal;
}

const ONE = new Decimal(1);

const roundUp = (value: Decimal, step: Decimal): Decimal => {
  const down = floorTo(value, step);
  return down.equals(value) ? down : down.plus(step);
};

/**
 * Sells as much as an amount of the base currency pays for, fee included, rounded down to the increment.
 * `thin` if the bids do not suffice, `small` if the quantity is zero.
 */
export function sellOrder(
  bids: readonly Level[],
  amount: Decimal,
  terms: TradeTerms,
): MarketableOrder | 'thin' | 'small' {
  const { tick, increment, takeRate, feeInQuote, tolerance } = terms;
  const ofBase = feeInQuote ? ONE : ONE.plus(takeRate);
  const ofQuote = feeInQuote ? ONE.minus(takeRate) : ONE;
  const quantity = floorTo(amount.dividedBy(ofBase), increment);
  if (quantity.isZero()) return 'small';
  const walked = walk(bids, quantity);
  if (walked === undefined) return 'thin';
  const floor = floorTo(walked.worst.times(ONE.minus(tolerance)), tick);
  // Half a tick is no valid price.
  const price = floor.isZero() ? tick : floor;
  return {
    quantity,
    price,
    send: quantity.times(ofBase),
    expected: walked.value.times(ofQuote),
    least: quantity.times(price).times(ofQuote),
  };
}

/**
 * Buys as much as an amount of the quote currency pays for at the limit, fee included, so that it never
 * costs more. The quantity does not depend on the price, so `least` is `expected`.
 */
export function buyOrder(
  asks: readonly Level[],
  amount: Decimal,
  terms: TradeTerms,
): MarketableOrder | 'thin' | 'small' {
  const { tick, increment, takeRate, feeInQuote, tolerance } = terms;
  const ofQuote = feeInQuote ? ONE.plus(takeRate) : ONE;
  const ofBase = feeInQuote ? ONE : ONE.minus(takeRate);
  let best: { readonly quantity: Decimal; readonly price: Decimal } | undefined;
  let there = ZERO;
  let isThin = true;
  for (const [ask, size] of asks) {
    there = there.plus(size);
    const price = roundUp(ask.times(ONE.plus(tolerance)), tick);
    const paid = amount.dividedBy(price.times(ofQuote));
    isThin = paid.greaterThan(there);
    const quantity = floorTo(Decimal.min(paid, there), increment);
    // A further level needs a limit that leaves less for each.
    if (best === undefined || quantity.greaterThan(best.quantity)) best = { quantity, price };
    if (!isThin) break;
  }
  if (best === undefined || isThin) return 'thin';
  const { quantity, price } = best;
  if (quantity.isZero()) return 'small';
  const walked = walk(asks, quantity);
  if (walked === undefined) return 'thin';
  const arrives = quantity.times(ofBase);
  return {
    quantity,
    price,
    send: walked.value.times(ofQuote),
    expected: arrives,
    least: arrives,
  };
}

/** Value of a quantity level by level, and the last price it needs; nothing if there is too little. */
function walk(
  levels: readonly Level[],
  quantity: Decimal,
): { readonly value: Decimal; readonly worst: Decimal } | undefined {
  let left = quantity;
  let value = ZERO;
  for (const [price, size] of levels) {
    const taken = Decimal.min(left, size);
    value = value.plus(price.times(taken));
    left = left.minus(taken);
    if (left.isZero()) return { value, worst: price };
  }
  return undefined;
}
