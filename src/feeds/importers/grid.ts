import { parseDecimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';

const ZERO_CODE = 48;
const POINT_CODE = 46;
/** The largest value to which one more digit can be appended within 2^53. */
const APPENDABLE = Math.floor((Number.MAX_SAFE_INTEGER - 9) / 10);
const NUMBER = /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;
const EXPONENT_MAX = 60;
/** As many as decimal text of an instrument's terms may have. */
const DECIMALS_MAX = 40;

/**
 * Converts decimal text into whole steps of a grid (ticks of a price, lots of a size) without a binary
 * fraction. For the hot loop of an importer: plain text such as `61837.63000000` costs one pass over its
 * characters.
 */
export class ImportGrid {
  /** Size of one step as decimal text. */
  readonly step: string;
  /** Digits of the step after its point. */
  readonly decimals: number;
  /** The step as a whole number of 10^-decimals; as a BigInt for the slow path. */
  readonly unit: number;
  readonly #bigUnit: bigint;

  /** Throws `decimal-invalid` when the step is not a positive decimal. */
  constructor(step: string) {
    const value = parseDecimal(step);
    if (value === undefined || !value.greaterThan(0)) {
      throw new MillraceError('decimal-invalid', `"${step}" is not a positive step such as 0.01.`);
    }
    this.step = value.toFixed();
    const digits = unscaled(this.step);
    this.decimals = digits.decimals;
    this.#bigUnit = digits.value;
    this.unit = Number(digits.value);
  }

  /**
   * The number of steps of non-negative decimal text; NaN if the text is invalid, is not a whole number of
   * steps or exceeds 2^53 of them. `complaint` says which.
   */
  count(text: string): number {
    const decimals = this.decimals;
    const length = text.length;
    let value = 0;
    let fraction = -1;
    for (let index = 0; index < length; index++) {
      const digit = text.charCodeAt(index) - ZERO_CODE;
      if (digit < 0 || digit > 9) {
        if (digit !== POINT_CODE - ZERO_CODE || fraction >= 0 || index === 0) {
          return this.#slowly(text);
        }
        fraction = 0;
        continue;
      }
      if (fraction >= 0) {
        if (fraction === decimals) {
          if (digit !== 0) return this.#slowly(text);
          continue;
        }
        fraction += 1;
      }
      if (value > APPENDABLE) return this.#slowly(text);
      value = value * 10 + digit;
    }
    for (let position = fraction < 0 ? 0 : fraction; position < decimals; position++) {
      if (value > APPENDABLE) return this.#slowly(text);
      value *= 10;
    }
    if (length === 0) return Number.NaN;
    if (this.unit === 1) return value;
    return this.unit <= Number.MAX_SAFE_INTEGER && value % this.unit === 0
      ? value / this.unit
      : this.#slowly(text);
  }

  /** The same, rounded down between two steps. */
  countDown(text: string): number {
    const exact = this.count(text);
    if (!Number.isNaN(exact) || this.complaint(text) !== 'off the grid') return exact;
    const [numerator, denominator] = this.#ratio(unscaled(text));
    const steps = Number(numerator / denominator);
    return Number.isSafeInteger(steps) ? steps : Number.NaN;
  }

  /**
   * The same, rounded to the nearest step (a half up); also returns the distance in thousandths of a step.
   * A number that is not zero never becomes zero: its steps are NaN.
   */
  countNear(text: string): { readonly steps: number; readonly thousandths: number } {
    const exact = this.count(text);
    if (!Number.isNaN(exact) || this.complaint(text) !== 'off the grid') {
      return { steps: exact, thousandths: 0 };
    }
    const [numerator, denominator] = this.#ratio(unscaled(text));
    const near = (2n * numerator + denominator) / (2n * denominator);
    const distance = numerator - near * denominator;
    const size = distance < 0n ? -distance : distance;
    const steps = Number(near);
    return {
      steps: Number.isSafeInteger(steps) && steps > 0 ? steps : Number.NaN,
      thousandths: Number((1000n * size) / denominator),
    };
  }

  /** Why `count` gave NaN for this text, to follow "is". */
  complaint(text: string): 'not a number' | 'negative' | 'off the grid' | 'more than 2^53 steps' {
    const digits = NUMBER.test(text) ? unscaled(text) : undefined;
    if (digits === undefined) return 'not a number';
    if (digits.value < 0n) return 'negative';
    return this.#steps(digits) === undefined ? 'off the grid' : 'more than 2^53 steps';
  }

  /** Exponents, steps that are no power of ten with long numbers, and everything that is wrong. */
  #slowly(text: string): number {
    if (!NUMBER.test(text)) return Number.NaN;
    const steps = this.#steps(unscaled(text));
    if (steps === undefined || steps < 0n || steps > BigInt(Number.MAX_SAFE_INTEGER)) {
      return Number.NaN;
    }
    return Number(steps);
  }

  #steps(number: Unscaled): bigint | undefined {
    const [numerator, denominator] = this.#ratio(number);
    return numerator % denominator === 0n ? numerator / denominator : undefined;
  }

  /** The number divided by the step, as a fraction of two whole numbers. */
  #ratio({ value, decimals }: Unscaled): readonly [bigint, bigint] {
    const finer = decimals - this.decimals;
    return finer > 0
      ? [value, this.#bigUnit * 10n ** BigInt(finer)]
      : [value * 10n ** BigInt(-finer), this.#bigUnit];
  }
}

/** A decimal number as `value` times 10^-`decimals`, without trailing zeros in its fraction. */
interface Unscaled {
  readonly value: bigint;
  readonly decimals: number;
}

/** Reads text that matches `NUMBER`; exponents beyond ±60 count as beyond every grid. */
function unscaled(text: string): Unscaled {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', rawFraction = ''] = mantissa.split('.');
  const fraction = rawFraction.replace(/0+$/, '');
  const shift = Math.max(-EXPONENT_MAX, Math.min(EXPONENT_MAX, Number(exponent)));
  const value = BigInt(`${whole}${fraction}`);
  const decimals = fraction.length - shift;
  if (value === 0n) return { value: 0n, decimals: 0 };
  return decimals >= 0
    ? withoutTrailingZeros(value, decimals)
    : { value: value * 10n ** BigInt(-decimals), decimals: 0 };
}

function withoutTrailingZeros(value: bigint, decimals: number): Unscaled {
  let shorter = value;
  let places = decimals;
  while (places > 0 && shorter % 10n === 0n) {
    shorter /= 10n;
    places -= 1;
  }
  return { value: shorter, decimals: places };
}

/** Follows the finest decimal that matters in a column of numbers: 61837.63000000 has two. */
export class Precision {
  #decimals = 0;
  /** True once a number was read. */
  hasSeen = false;

  /** Reads one number; false unless the text is a number of zero or more. */
  see(text: string): boolean {
    this.hasSeen = true;
    const point = text.indexOf('.');
    if (!PLAIN.test(text)) return this.#seeSlowly(text);
    if (point < 0) return true;
    for (let last = text.length - 1; last - point > this.#decimals; last--) {
      if (text.charCodeAt(last) !== ZERO_CODE) this.#decimals = last - point;
    }
    return true;
  }

  #seeSlowly(text: string): boolean {
    if (!NUMBER.test(text)) return false;
    const { value, decimals } = unscaled(text);
    if (value < 0n || decimals > DECIMALS_MAX) return false;
    this.#decimals = Math.max(this.#decimals, decimals);
    return true;
  }

  /** Decimals of the finest number seen. */
  get decimals(): number {
    return this.#decimals;
  }

  /** The step of the finest decimal seen: `1`, `0.1`, `0.01` and so on. */
  get step(): string {
    return stepOf(this.#decimals);
  }
}

/** The step of a number of decimals as text. */
export const stepOf = (decimals: number): string =>
  decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;

const PLAIN = /^\d+(?:\.\d*)?$/;
