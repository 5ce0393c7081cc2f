import { brief, parseDecimal, type Decimal } from '../../../model/decimal.ts';
import { MillraceError, type Warn } from '../../../model/errors.ts';
import type { Instrument } from '../../../model/instrument.ts';

/** Text of this length has at most 16 digits besides its point. */
const LENGTH_MAX = 17;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
/** Most digits of an exact unquoted JSON number. */
const DIGITS_EXACT = 15;
const EXACT_UNITS = 2 ** 51;
const POWERS_OF_TEN = Array.from({ length: 17 }, (_, exponent) => 10 ** exponent);

/** How a reader counts text that is not plain digits. */
interface Grid {
  readonly what: 'price' | 'quantity';
  readonly symbol: string;
  readonly step: Decimal;
  /** `undefined` off the grid. */
  exactly(value: Decimal): number | undefined;
  /** Throws beyond 2^53. */
  near(value: Decimal): number;
}

/**
 * Reads decimal text as a whole number of steps: of ticks, or of lots. Text of plain digits, as
 * services write it, is read digit by digit in whole numbers, without a decimal in between; all other
 * forms go through `Decimal`. Both are exact.
 *
 * A value off the grid is rounded to the nearest step, an exact half towards zero; a quantity above
 * zero becomes at least one lot, since a level of 0 would delete. That is warned of, once.
 */
export class StepReader {
  readonly #grid: Grid;
  readonly #warn: Warn;
  /** Decimals of the step. */
  readonly #places: number;
  /** The step as a whole number of its last decimal: 1 for 0.01, 25 for 0.25. */
  readonly #multiple: number;
  #warned = false;

  constructor(grid: Grid, warn: Warn) {
    this.#grid = grid;
    this.#warn = warn;
    this.#places = grid.step.decimalPlaces();
    this.#multiple = grid.step.times(POWERS_OF_TEN[Math.min(this.#places, 16)] ?? 1).toNumber();
    // No such step exists; all numbers then take the general path.
    if (this.#places > 15 || !Number.isSafeInteger(this.#multiple)) this.#multiple = Number.NaN;
  }

  /** The number of steps, 0 or more; NaN if it is no such number, or beyond 2^53 steps. */
  read(given: unknown): number {
    if (typeof given === 'string') {
      const steps = this.#plain(given);
      return steps === steps ? steps : this.#other(given);
    }
    if (typeof given !== 'number') return Number.NaN;
    const steps = this.#float(given);
    if (steps === steps) return steps;
    // A number with more digits was rounded when the JSON was read.
    const text = String(given);
    return text.replace(/\D/g, '').length <= DIGITS_EXACT ? this.#other(text) : Number.NaN;
  }

  /** The same of a decimal. */
  of(value: Decimal): number {
    if (value.isNegative() && !value.isZero()) return Number.NaN;
    return this.#grid.exactly(value) ?? this.#rounded(value);
  }

  /** Plain digits on the grid; NaN for all else. */
  #plain(text: string): number {
    const { length } = text;
    if (length === 0 || length > LENGTH_MAX) return Number.NaN;
    let units = 0;
    let point = -1;
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) units = units * 10 + (code - ZERO);
      else if (code === POINT && point < 0 && at > 0) point = at;
      else return Number.NaN;
    }
    const decimals = point < 0 ? 0 : length - 1 - point;
    if (point >= 0 && decimals === 0) return Number.NaN;
    // Above 2^53 digits were lost on the way, but never enough to look smaller.
    if (units > Number.MAX_SAFE_INTEGER) return Number.NaN;
    return this.#steps(units, decimals);
  }

  /** Converts units of some decimals into steps. */
  #steps(units: number, decimals: number): number {
    const places = this.#places;
    let scaled = units;
    if (decimals > places) {
      const power = POWERS_OF_TEN[decimals - places];
      if (units % power !== 0) return Number.NaN;
      scaled = units / power;
    } else if (decimals < places) {
      scaled = units * POWERS_OF_TEN[places - decimals];
      if (scaled > Number.MAX_SAFE_INTEGER) return Number.NaN;
    }
    const multiple = this.#multiple;
    if (multiple === 1) return scaled;
    return scaled % multiple === 0 ? scaled / multiple : Number.NaN;
  }

  /**
   * A binary float that is the nearest one to a number of steps; NaN for all others. Both a whole number of
   * units and a power of ten up to 22 are exact, so their quotient is the float to which the venue's text
   * was rounded.
   */
  #float(given: number): number {
    const power = POWERS_OF_TEN[this.#places] ?? Number.NaN;
    const steps = Math.round((given * power) / this.#multiple);
    const units = steps * this.#multiple;
    // Below 2^51 two neighboring numbers of units never have the same float.
    return units >= 0 && units < EXACT_UNITS && units / power === given ? steps : Number.NaN;
  }

  #other(text: string): number {
    const value = parseDecimal(text);
    return value === undefined ? Number.NaN : this.of(value);
  }

  #rounded(value: Decimal): number {
    const { what, symbol, step } = this.#grid;
    let near: number;
    try {
      near = this.#grid.near(value);
    } catch {
      return Number.NaN;
    }
    const steps = what === 'quantity' && near === 0 ? 1 : near;
    if (!this.#warned) {
      this.#warned = true;
      this.#warn(
        new MillraceError(
          'off-grid',
          `The service sent a ${what} of ${symbol}, ${brief(value)}, that is no multiple of ${step.toFixed()}; it was rounded to ${brief(step.times(steps))}, and others like it will be rounded without a warning.`,
          { field: what },
        ),
      );
    }
    return steps;
  }
}

/** Reads prices of an instrument as ticks. */
export const tickReader = (instrument: Instrument, warn: Warn): StepReader =>
  new StepReader(
    {
      what: 'price',
      symbol: instrument.symbol,
      step: instrument.tickSize,
      exactly: (value) => instrument.ticksExactly(value),
      near: (value) => instrument.ticks(value, 'near'),
    },
    warn,
  );

/** Reads quantities of an instrument as lots. */
export const lotReader = (instrument: Instrument, warn: Warn): StepReader =>
  new StepReader(
    {
      what: 'quantity',
      symbol: instrument.symbol,
      step: instrument.quantityIncrement,
      exactly: (value) => instrument.lotsExactly(value),
      near: (value) => instrument.lots(value, 'near'),
    },
    warn,
  );
