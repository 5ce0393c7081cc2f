import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { PositionValue } from './position-value.ts';
import { wholeQuotient, type Direction } from './quotient.ts';

/** Inputs of the price at which a position reaches a leverage. */
export interface Threshold {
  readonly position: PositionValue;
  /** Funds of an isolated account, or those of a cross account for this position. */
  readonly funds: Decimal;
  /** Fee rate f to close: the taker's, or the one of the terms. Without the force close fee. */
  readonly rate: Decimal;
  /** Leverage limit: the account's times a multiplier. */
  readonly leverage: Decimal;
}

/**
 * Price at which a position's effective leverage after the closing fee reaches a limit Λ, in whole
 * steps: where M + q × (P − E) − f × a × P = a × P / Λ. A short: P = (M + N) / (a × (1 + f + 1/Λ));
 * a long: P = (N − M) / (a × (1 − f − 1/Λ)), zero if M is N or more.
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
 * The threshold price as the trading service shows it: at the tick size, rounded toward the entry,
 * up for a long and down for a short, so that the market reaches it no later than the exact one.
 * Every published record of either side shows this (docs/margin-and-futures.md).
 */
export const thresholdPrice = (threshold: Threshold, tickSize: Decimal): Decimal =>
  thresholdSteps(
    threshold,
    tickSize,
    threshold.position.quantity.isNegative() ? 'down' : 'up',
  ).times(tickSize);

/**
 * Bankruptcy price, at which nothing is left of a position's funds after the taker fee to close: a
 * short P = (M + N) / (a × (1 + f)), a long P = (N − M) / (a × (1 − f)); in whole steps.
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
