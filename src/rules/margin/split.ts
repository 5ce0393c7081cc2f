import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/** The index of the largest of some weights, the first of equal ones. */
export const largestOf = (weights: readonly number[]): number =>
  weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0) ? index : best), 0);

/**
 * An amount in parts by weights, which are positive or zero: each to 12 decimals, rounded down, and what the
 * rounding leaves goes to the largest, so that the parts add up to the amount. All zero where no weight is.
 */
export function splitAmount(amount: Decimal, weights: readonly number[]): readonly Decimal[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map(() => ZERO);
  const parts = weights.map((weight) =>
    quotient(amount.times(weight), new Decimal(all), AMOUNT_PLACES, 'down'),
  );
  const rest = amount.minus(Decimal.sum(...parts));
  const largest = largestOf(weights);
  return parts.map((part, index) => (index === largest ? part.plus(rest) : part));
}

/**
 * Whole lots in parts by what each holds, no more of one than it holds: rounded down, and what is left one by
 * one to those with the largest remainders, of equal ones to who holds more. `lots` is at most all that is held.
 */
export function splitLots(lots: number, held: readonly number[]): readonly number[] {
  const all = held.reduce((sum, one) => sum + one, 0);
  if (all === 0) return held.map(() => 0);
  const exact = held.map((one, index) => {
    const scaled = BigInt(lots) * BigInt(one);
    return { index, one, part: Number(scaled / BigInt(all)), rest: scaled % BigInt(all) };
  });
  let left = lots - exact.reduce((sum, { part }) => sum + part, 0);
  const parts = exact.map(({ part }) => part);
  const first = [...exact].sort((a, b) =>
    a.rest === b.rest ? b.one - a.one || a.index - b.index : a.rest > b.rest ? -1 : 1,
  );
  for (const { index } of first) {
    if (left === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
