import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { PositionValue } from './position-value.ts';
import { wholeQuotient, type Direction } from './quotient.ts';

/** What decides at which price a position reaches a leverage. */
export interface Threshold {
  readonly position: PositionValue;
  /** Funds of an isolated account; of a cross account those that are there for this position. */
  readonly funds: Decimal;
  /** The rate of the fee to close, f: the taker's, or the one of the terms. Not the force close fee. */
  readonly rate: Decimal;
  /** The leverage at which it happens: the account's times a multiplier. */
  readonly leverage: Decimal;
}

/**
 * The price at which a position's effective leverage after the fee to close reaches a limit Λ, in
 * whole steps: where M + q × (P − E) − f × a × P = a × P / Λ. A short: P = (M + N) / (a × (1 + f +
 * 1/Λ)); a long: P = (N − M) / (a × (1 − f − 1/Λ)), zero where M is N or more.
 */
export function thresholdSteps(
  { position, funds, rate, leverage }: Threshold,
  step: Decimal,
  direction: Direction,
): Decimal {
  const { quantity, value } = position;
  const size = quantity.abs();
  const [money, share] = quantity.isNegative()
    ? [funds.plus(value), rate.plus(1).times(leverage).plus(1)]
    : [value.minus(funds), rate.minus(1).times(leverage).plus(1).negated()];
  if (!money.greaterThan(0)) return ZERO;
  return wholeQuotient(money.times(leverage), size.times(share).times(step), direction);
}

/**
 * The same as the trading service shows it: at the tick size, rounded toward the entry, up for a long
 * and down for a short, so that the market reaches what is shown no later than what is meant. Every
 * published record of either side says so (docs/margin-and-futures.md).
 */
export const thresholdPrice = (threshold: Threshold, tickSize: Decimal): Decimal =>
  thresholdSteps(
    threshold,
    tickSize,
    threshold.position.quantity.isNegative() ? 'down' : 'up',
  ).times(tickSize);

/**
 * The price at which nothing is left of a position's funds after the taker's fee to close: a short
 * P = (M + N) / (a × (1 + f)), a long P = (N − M) / (a × (1 − f)); in whole steps.
 */
export function bankruptcySteps(
  { position, funds, rate }: Omit<Threshold, 'leverage'>,
  step: Decimal,
  direction: Direction,
): Decimal {
  const { quantity, value } = position;
  const short = quantity.isNegative();
  const money = short ? funds.plus(value) : value.minus(funds);
  if (!money.greaterThan(0)) return ZERO;
  const share = short ? rate.plus(1) : rate.minus(1).negated();
  return wholeQuotient(money, quantity.abs().times(share).times(step), direction);
}
