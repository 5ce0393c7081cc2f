import { Decimal } from './decimal.ts';

/** Parts of a tick or lot, for prices and quantities off the grid. */
export const PARTS = 1e15;
/** Units of a rate in 1, and of a rate's rest in one unit. */
export const RATE_UNITS = 1e9;

const PARTS_DECIMAL = new Decimal(PARTS);
const RATE_DECIMAL = new Decimal(RATE_UNITS);

/** A number as a row of a recording holds it: whole units, and a rest. */
export interface SplitNumber {
  readonly whole: number;
  /** Of a price or quantity in 1e-15 of a step, from 0 on; of a rate in 1e-18, signed. */
  readonly rest: number;
}

/**
 * A price in ticks, or a quantity in lots, that may be off the grid; exact. `undefined` if it is
 * negative, beyond 2^53 steps, or between two parts: with steps of 1, 2 or 5 times a power of ten,
 * if it has more than about 15 decimals beyond those of the step.
 */
export function splitSteps(value: Decimal, step: Decimal): SplitNumber | undefined {
  if (!value.isFinite() || value.isNegative()) return undefined;
  const whole = value.divToInt(step);
  const scaled = value.minus(whole.times(step)).times(PARTS_DECIMAL);
  const rest = scaled.divToInt(step);
  if (!rest.times(step).equals(scaled)) return undefined;
  const split = { whole: whole.toNumber(), rest: rest.toNumber() };
  return Number.isSafeInteger(split.whole) ? split : undefined;
}

/** The price or quantity as an exact decimal. */
export const joinSteps = ({ whole, rest }: SplitNumber, step: Decimal): Decimal =>
  new Decimal(rest).div(PARTS_DECIMAL).plus(whole).times(step);

/** A funding rate; exact. `undefined` beyond ±2^53 billionths and with more than 18 decimals. */
export function splitRate(rate: Decimal): SplitNumber | undefined {
  if (!rate.isFinite()) return undefined;
  const billionths = rate.times(RATE_DECIMAL);
  const whole = billionths.trunc();
  const rest = billionths.minus(whole).times(RATE_DECIMAL);
  // Adding zero turns negative zero into zero.
  const split = { whole: whole.toNumber() + 0, rest: rest.toNumber() + 0 };
  return rest.isInteger() && Number.isSafeInteger(split.whole) ? split : undefined;
}

/** The rate as an exact decimal. */
export const joinRate = ({ whole, rest }: SplitNumber): Decimal =>
  new Decimal(rest).div(RATE_DECIMAL).plus(whole).div(RATE_DECIMAL);
