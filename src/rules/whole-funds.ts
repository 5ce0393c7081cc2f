import { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { FeeRates } from './funds.ts';

/** A whole factor in both forms: as a number, NaN where that is not exact, and as a BigInt. */
export interface Factor {
  readonly small: number;
  readonly large: bigint;
}

/**
 * The sums of `funds.ts` in whole numbers, for ledgers. Amounts are counted in parts so small that
 * value, fee and reserve of every trade at these rates are whole: with n decimals in the finer
 * rate, a part is 10^-n of the instrument's quantum in the quote currency, and 10^-n of its
 * quantity increment in the base currency.
 *
 * | amount | parts |
 * | --- | --- |
 * | price × quantity | `parts(ticks, lots, value)` of the quote currency |
 * | fee in the quote currency | `parts(ticks, lots, take)` or `make` |
 * | reserve of a buy | `parts(ticks, lots, reserve)` |
 * | quantity | `parts(1, lots, value)` of the base currency |
 * | fee in the base currency | `parts(1, lots, take)` or `make` |
 */
export interface WholeFunds {
  /** One part of the quote currency. */
  readonly quotePart: Decimal;
  /** One part of the base currency. */
  readonly basePart: Decimal;
  readonly value: Factor;
  readonly take: Factor;
  readonly make: Factor;
  /** Value and the higher of the two rates. */
  readonly reserve: Factor;
}

export function wholeFunds(instrument: Instrument, rates: FeeRates = instrument): WholeFunds {
  const { takeRate, makeRate } = rates;
  const places = Math.max(takeRate.decimalPlaces(), makeRate.decimalPlaces());
  const scale = new Decimal(10).pow(places);
  const part = new Decimal(10).pow(-places);
  const factor = (rate: Decimal): Factor => factorOf(BigInt(rate.times(scale).toFixed()));
  return {
    quotePart: instrument.quantum.times(part),
    basePart: instrument.quantityIncrement.times(part),
    value: factor(new Decimal(1)),
    take: factor(takeRate),
    make: factor(makeRate),
    reserve: factor(Decimal.max(takeRate, makeRate).plus(1)),
  };
}

const factorOf = (large: bigint): Factor => ({
  small: BigInt.asIntN(54, large) === large ? Number(large) : Number.NaN,
  large,
});

/**
 * ticks × lots × factor: a number while that is exact, a BigInt beyond. One check at the end is
 * enough: a product that was rounded on the way is at least 2^53, and stays so. Nothing is
 * allocated below 2^53.
 */
export function parts(ticks: number, lots: number, factor: Factor): number | bigint {
  const value = ticks * lots * factor.small;
  return Number.isSafeInteger(value) ? value + 0 : BigInt(ticks) * BigInt(lots) * factor.large;
}
