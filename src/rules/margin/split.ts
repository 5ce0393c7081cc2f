import { Decimal, ZERO } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/** Index of the largest weight, the first of equal ones. */
export const largestOf = (weights: readonly number[]): number =>
  weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0) ? index : best), 0);

/**
 * An amount split by weights that are not negative: each part rounded down to 12 decimals, with the
 * rest to the largest, so that the parts add up to the amount. All zero if all weights are.
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
 * Whole lots split in proportion to held lots, no part above its own: rounded down, with the rest
 * one by one to the largest remainders, of equal ones to the larger holding. `lots` is at most the
 * sum of `held`.
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
