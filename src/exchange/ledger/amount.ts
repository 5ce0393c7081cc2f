/** Amounts are whole numbers of a currency's atomic unit, held as `high × LIMB + low`. */
export const LIMB = 2 ** 52;

const HALF = 2 ** 26;
const MASK = BigInt(LIMB) - 1n;
const LIMB_BITS = 52n;
/** Beyond it an amount no longer counts as narrow; far enough below 2^53 that a sum of two is exact. */
export const HIGH_MAX = 2 ** 51;

/**
 * A constant that turns counts into an amount: atomic units per tick and lot, or per lot, with a
 * fee rate included. `exact` is the value, `near` the same as a double, NaN if that is not exact.
 */
export class Factor {
  declare exact: bigint;
  declare near: number;

  constructor(exact: bigint) {
    this.exact = exact;
    this.near = nearOf(exact);
  }

  /** Multiplies the factor for an atomic unit that became finer by this ratio. */
  scale(ratio: bigint): void {
    this.exact *= ratio;
    this.near = nearOf(this.exact);
  }
}

const nearOf = (exact: bigint): number => {
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : Number.NaN;
};

/** An amount of two limbs, `0 ≤ low < LIMB`, with the sign of `high`. Reused by each operation. */
export class LedgerAmount {
  high = 0;
  low = 0;

  /**
   * Sets it to a × b × factor, exactly, for safe integers a, b ≥ 0. False if that takes more than
   * two limbs.
   */
  setProduct(a: number, b: number, factor: Factor): boolean {
    const value = a * b * factor.near;
    // Below one limb nothing was rounded: the factor is whole, so a × b was no larger.
    if (value >= 0 && value < LIMB) {
      this.high = 0;
      this.low = value + 0;
      return true;
    }
    if (value < 0 && value > -LIMB) {
      this.high = -1;
      this.low = value + LIMB;
      return true;
    }
    return this.#setLongProduct(a, b, factor);
  }

  /** False if the value takes more than two limbs. */
  set(value: bigint): boolean {
    const high = Number(value >> LIMB_BITS);
    if (high > HIGH_MAX || high < -HIGH_MAX) return false;
    this.high = high;
    this.low = Number(value & MASK);
    return true;
  }

  #setLongProduct(a: number, b: number, factor: Factor): boolean {
    const counts = a * b;
    const size = Math.abs(factor.near);
    if (!(counts <= Number.MAX_SAFE_INTEGER && size < HALF)) {
      return this.set(BigInt(a) * BigInt(b) * factor.exact);
    }
    // Schoolbook multiplication with digits of 26 bits; every term stays below 2^53.
    const upper = Math.floor(counts / HALF);
    const middle = upper * size;
    const carry = Math.floor(middle / HALF);
    const low = (middle - carry * HALF) * HALF + (counts - upper * HALF) * size;
    this.high = low >= LIMB ? carry + 1 : carry;
    this.low = low >= LIMB ? low - LIMB : low;
    if (factor.near < 0) this.#negate();
    return true;
  }

  #negate(): void {
    this.high = this.low === 0 ? 0 - this.high : -1 - this.high;
    this.low = this.low === 0 ? 0 : LIMB - this.low;
  }
}

/** Below it two limbs fit a signed 64-bit integer. */
const SHORT_HIGH = 2 ** 11;
const WORD = 2 ** 32;
const words = new Uint32Array(2);
const long = new BigInt64Array(words.buffer);
/** Index of the lower half of a 64-bit integer in memory. */
const LOWER = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** The integer value of two limbs. */
export function joined(high: number, low: number): bigint {
  if (high >= SHORT_HIGH || high < -SHORT_HIGH) return (BigInt(high) << LIMB_BITS) + BigInt(low);
  const upper = Math.floor(low / WORD);
  words[LOWER] = low - upper * WORD;
  words[1 - LOWER] = high * (LIMB / WORD) + upper;
  return long[0];
}
