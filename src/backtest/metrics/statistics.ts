import { mean, sampleStandardDeviation } from 'simple-statistics';
import { US_PER_DAY } from '../../platform/time.ts';

/** A market that never closes: a year has 365 days of 24 hours. */
export const YEAR_US = 365 * US_PER_DAY;

/** Below this spread relative to the size of the returns, a deviation is only rounding. */
const NOISE = 1e-12;

/**
 * Mean return over the deviation of returns, times the root of the number of periods in a year (W.
 * F. Sharpe, "The Sharpe Ratio", 1994, with a risk-free return of 0). Sample deviation, with n − 1.
 * `null` with fewer than two returns or if all are alike.
 */
export function sharpe(returns: number[], periodUs: number): number | null {
  if (returns.length < 2) return null;
  const average = mean(returns);
  const deviation = sampleStandardDeviation(returns);
  if (!(deviation > NOISE * Math.abs(average)) || deviation === 0) return null;
  return (average / deviation) * Math.sqrt(YEAR_US / periodUs);
}

/**
 * Mean return over the downside deviation, the root of the mean of the squares of the negative
 * returns with all n returns in the divisor (F. A. Sortino and L. N. Price, "Performance
 * Measurement in a Downside Risk Framework", 1994, with a target of 0), per year as in `sharpe`.
 * `null` with fewer than two returns or if none is negative.
 */
export function sortino(returns: number[], periodUs: number): number | null {
  if (returns.length < 2) return null;
  const downside = Math.sqrt(mean(returns.map((value) => Math.min(value, 0) ** 2)));
  if (downside === 0) return null;
  return (mean(returns) / downside) * Math.sqrt(YEAR_US / periodUs);
}

/** Annualized deviation of returns: sample deviation times the root of the periods in a year. */
export function volatility(returns: number[], periodUs: number): number | null {
  if (returns.length < 2) return null;
  return sampleStandardDeviation(returns) * Math.sqrt(YEAR_US / periodUs);
}

/**
 * Annualized growth: (last / first) ^ (year / span) − 1. `null` if no time passed, without initial
 * equity, for a ratio that is not positive, or beyond a double.
 */
export function annualGrowth(ratio: number, spanUs: number): number | null {
  if (!(spanUs > 0) || !(ratio > 0)) return null;
  const growth = ratio ** (YEAR_US / spanUs) - 1;
  return Number.isFinite(growth) ? growth : null;
}

/**
 * Annualized growth over the maximum drawdown ratio (T. W. Young, "Calmar Ratio: A Smoother Tool",
 * 1991, over the whole run and not over 36 months). `null` if either is undefined or without a
 * drawdown.
 */
export function calmar(growth: number | null, maxDrawdownRatio: number): number | null {
  if (growth === null || !(maxDrawdownRatio > 0)) return null;
  return growth / maxDrawdownRatio;
}
