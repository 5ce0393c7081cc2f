import { Decimal, unitsAt, ZERO } from './decimal.ts';

const ZERO_DIGIT = 48;
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * An exact amount: a whole number of units of 10^-places. Arithmetic never rounds. Units are a
 * number below 2^53 and a BigInt beyond, so that nearly all sums and products cost what numbers
 * cost. The decimal is made on demand.
 */
export class Amount {
  readonly units: number | bigint;
  readonly places: number;
  #decimal: Decimal | undefined;

  private constructor(units: number | bigint, places: number) {
    this.units = units;
    this.places = places;
  }

  /** An amount of units of 10^-places; units given as a number are a safe integer. */
  static units(units: number | bigint, places: number): Amount {
    return new Amount(typeof units === 'bigint' ? narrowed(units) : units + 0, places);
  }

  static count(count: number): Amount {
    return new Amount(count + 0, 0);
  }

  /** The amount of a finite decimal. */
  static of(decimal: Decimal): Amount {
    const places = decimal.decimalPlaces();
    const amount = new Amount(
      unitsAt(decimal, places) ?? narrowed(BigInt(decimal.toFixed(places).replace('.', ''))),
      places,
    );
    amount.#decimal = decimal.isZero() ? ZERO : decimal;
    return amount;
  }

  get isZero(): boolean {
    return this.units === 0;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.units === 0 ? 0 : this.units > 0 ? 1 : -1;
  }

  plus(other: Amount): Amount {
    const a = this.units;
    const b = other.units;
    if (this.places === other.places && typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum)) return new Amount(sum, this.places);
    }
    return this.#added(other, 1n);
  }

  minus(other: Amount): Amount {
    const a = this.units;
    const b = other.units;
    if (this.places === other.places && typeof a === 'number' && typeof b === 'number') {
      const difference = a - b;
      if (Number.isSafeInteger(difference)) return new Amount(difference, this.places);
    }
    return this.#added(other, -1n);
  }

  times(other: Amount): Amount {
    return new Amount(productOf(this.units, other.units), this.places + other.places);
  }

  /** Product with a safe integer. */
  timesCount(count: number): Amount {
    return new Amount(productOf(this.units, count), this.places);
  }

  /** Product with two safe integers. */
  timesCounts(one: number, other: number): Amount {
    const count = one * other;
    if (Number.isSafeInteger(count)) return this.timesCount(count);
    return this.timesCount(one).timesCount(other);
  }

  /** Quotient by a safe integer: exact if possible, else to the digits of `Decimal`. */
  dividedBy(count: number): Amount {
    const { units, places } = this;
    if (typeof units === 'number' && units % count === 0) return new Amount(units / count, places);
    return Amount.of(this.toDecimal().div(count));
  }

  negated(): Amount {
    return new Amount(typeof this.units === 'number' ? 0 - this.units : -this.units, this.places);
  }

  /** Negative if this is less than the other, positive if it is more. */
  compare(other: Amount): number {
    const a = this.unitsAt(Math.max(this.places, other.places));
    const b = other.unitsAt(Math.max(this.places, other.places));
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Amount): boolean {
    return this.compare(other) === 0;
  }

  lessThan(other: Amount): boolean {
    return this.compare(other) < 0;
  }

  greaterThan(other: Amount): boolean {
    return this.compare(other) > 0;
  }

  /** Number of whole `step`s in it, rounded down; neither is negative, and the step is not 0. */
  floorDivide(step: Amount): number | bigint {
    const places = Math.max(this.places, step.places);
    const a = this.unitsAt(places);
    const b = step.unitsAt(places);
    if (typeof a === 'number' && typeof b === 'number') {
      const quotient = Math.floor(a / b);
      // A quotient just below a whole number may have been rounded up to it.
      return quotient * b > a ? quotient - 1 : quotient;
    }
    return narrowed(BigInt(a) / BigInt(b));
  }

  static min(one: Amount, other: Amount): Amount {
    return other.lessThan(one) ? other : one;
  }

  static max(one: Amount, other: Amount): Amount {
    return other.greaterThan(one) ? other : one;
  }

  /** Units at `places`, which are at least its own. */
  unitsAt(places: number): number | bigint {
    const more = places - this.places;
    return more === 0 ? this.units : productOf(this.units, powerOfTen(more));
  }

  toDecimal(): Decimal {
    this.#decimal ??= decimalOf(this.units, this.places);
    return this.#decimal;
  }

  /** Decimal text without exponent and trailing zeros. */
  toFixed(): string {
    const { units, places } = this;
    if (places === 0 || units === 0) return String(units);
    const digits = String(units < 0 ? -units : units).padStart(places + 1, '0');
    const point = digits.length - places;
    let end = digits.length;
    while (end > point && digits.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
    const sign = units < 0 ? '-' : '';
    const whole = digits.slice(0, point);
    return end === point ? sign + whole : `${sign}${whole}.${digits.slice(point, end)}`;
  }

  /** The nearest double. */
  toNumber(): number {
    const { units, places } = this;
    // Both are exact, so that the quotient is the nearest double.
    if (typeof units === 'number' && places < POWERS.length) return units / POWERS[places];
    // Reading text rounds to the nearest double as well.
    return Number(`${units}e-${places}`);
  }

  toString(): string {
    return this.toFixed();
  }

  toJSON(): string {
    return this.toFixed();
  }

  #added(other: Amount, sign: 1n | -1n): Amount {
    const places = Math.max(this.places, other.places);
    const a = this.unitsAt(places);
    const b = other.unitsAt(places);
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = sign === 1n ? a + b : a - b;
      if (Number.isSafeInteger(sum)) return new Amount(sum, places);
    }
    return new Amount(narrowed(BigInt(a) + sign * BigInt(b)), places);
  }
}

export const NOTHING = Amount.count(0);

const productOf = (a: number | bigint, b: number | bigint): number | bigint => {
  if (typeof a === 'number' && typeof b === 'number') {
    const value = a * b;
    if (Number.isSafeInteger(value)) return value + 0;
  }
  return narrowed(BigInt(a) * BigInt(b));
};

const powerOfTen = (exponent: number): number | bigint =>
  exponent < POWERS.length ? POWERS[exponent] : 10n ** BigInt(exponent);

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** A number if it fits. */
const narrowed = (units: bigint): number | bigint =>
  units <= MOST && units >= -MOST ? Number(units) : units;

function decimalOf(units: number | bigint, places: number): Decimal {
  if (units === 0) return ZERO;
  return new Decimal(places === 0 ? units.toString() : `${units.toString()}e-${places}`);
}
