import { Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import { grown } from '../queues/grown.ts';
import {
  Factor,
  HIGH_MAX as AMOUNT_HIGH_MAX,
  joined,
  LedgerAmount,
  LIMB as AMOUNT_LIMB,
} from './amount.ts';

/** V8 inlines constants of this file and reads imported ones at each use. */
const HIGH_MAX = AMOUNT_HIGH_MAX;
const LIMB = AMOUNT_LIMB;

/** Available for orders and transfers. */
export const AVAILABLE = 0;
/** Reserved for active orders. */
export const RESERVED = 1;
/** Funds of isolated margin accounts, without open PnL. */
export const MARGIN = 2;
/** Funds of the cross margin account. */
export const CROSS = 3;
const POCKETS = 4;
/** Bits of a cell below the row. */
const POCKET_BITS = 2;
/** Low limbs of available and reserved, counted from the first limb of a row. */
const ROW_BITS = 3;
const AVAILABLE_LOW = 1;
const RESERVED_LOW = 3;

/**
 * Exact balances of one currency, a row for each account. The atomic unit is a power of ten so
 * small that every possible amount is whole; it becomes smaller when a finer amount comes. Amounts
 * are two limbs of a Float64Array. All move to BigInt as soon as one does not fit (beyond 2^103
 * units), which takes absurd price or quantity steps.
 */
export class CurrencyBalances {
  readonly currency: string;
  #scale = 0;
  #rows = 0;
  #limbs = new Float64Array(2 * POCKETS * 16);
  #wide: bigint[] | undefined;
  readonly #factors = new Set<Factor>();
  readonly #amount = new LedgerAmount();

  constructor(currency: string) {
    this.currency = currency;
  }

  /** Makes room for rows 0 to `count` - 1. */
  grow(count: number): void {
    this.#rows = count;
    while (this.#limbs.length < 2 * POCKETS * count) this.#limbs = grown(this.#limbs);
    if (this.#wide !== undefined) {
      while (this.#wide.length < POCKETS * count) this.#wide.push(0n);
    }
  }

  /** Returns a factor for a constant amount, whole in the atomic unit. */
  factor(value: Decimal): Factor {
    this.#refine(value);
    const factor = new Factor(this.#units(value));
    this.#factors.add(factor);
    return factor;
  }

  /** Drops a factor that is no longer used. */
  forget(factor: Factor): void {
    this.#factors.delete(factor);
  }

  /** Adds an amount from outside to the available balance. */
  deposit(row: number, amount: Decimal): void {
    this.change(row, AVAILABLE, amount);
  }

  /** Adds an amount to a pocket; a negative one is subtracted. */
  change(row: number, pocket: number, amount: Decimal): void {
    this.#refine(amount);
    const units = this.#units(amount);
    const cell = (row << POCKET_BITS) | pocket;
    if (this.#wide === undefined && this.#amount.set(units)) this.#addAmount(cell);
    else this.#addWhole(cell, units);
  }

  /**
   * Adds a × b × factor. Most amounts have one limb and change only the low limb of a balance, and
   * such a product is exact: the factor is whole, so a × b was no larger, and nothing was rounded.
   * The same holds for the methods below.
   */
  add(row: number, pocket: number, a: number, b: number, factor: Factor): void {
    const index = (((row << POCKET_BITS) | pocket) << 1) | 1;
    const limbs = this.#limbs;
    const low = limbs[index] + a * b * factor.near;
    if (low >= 0 && low < LIMB && this.#wide === undefined) limbs[index] = low;
    else this.#addLong(index >> 1, a, b, factor);
  }

  /** Subtracts a × b × factor. */
  subtract(row: number, pocket: number, a: number, b: number, factor: Factor): void {
    const index = (((row << POCKET_BITS) | pocket) << 1) | 1;
    const limbs = this.#limbs;
    const low = limbs[index] - a * b * factor.near;
    if (low >= 0 && low < LIMB && this.#wide === undefined) limbs[index] = low;
    else this.#subtractLong(index >> 1, a, b, factor);
  }

  /** Moves a × b × factor from one pocket to another. */
  move(row: number, from: number, to: number, a: number, b: number, factor: Factor): void {
    const index = (((row << POCKET_BITS) | from) << 1) | 1;
    const other = (((row << POCKET_BITS) | to) << 1) | 1;
    const limbs = this.#limbs;
    const value = a * b * factor.near;
    const low = limbs[index] - value;
    const otherLow = limbs[other] + value;
    if (value >= 0 && low >= 0 && otherLow < LIMB && this.#wide === undefined) {
      limbs[index] = low;
      limbs[other] = otherLow;
    } else {
      this.#subtractLong(index >> 1, a, b, factor);
      this.#addLong(other >> 1, a, b, factor);
    }
  }

  /**
   * Reserves a × b × factor, if at least `more` units remain available. Returns false without a
   * change if they do not, or if the low limbs cannot decide it.
   */
  hold(row: number, a: number, b: number, factor: Factor, more: number): boolean {
    const limbs = this.#limbs;
    const index = row << ROW_BITS;
    const value = a * b * factor.near;
    const low = limbs[index | AVAILABLE_LOW] - value;
    const held = limbs[index | RESERVED_LOW] + value;
    if (!(value >= 0 && low >= more && held < LIMB) || limbs[index] < 0) return false;
    if (this.#wide !== undefined) return false;
    limbs[index | AVAILABLE_LOW] = low;
    limbs[index | RESERVED_LOW] = held;
    return true;
  }

  /** Pays c × d × price out of the reserved a × b × reserve and releases the rest. */
  pay(
    row: number,
    a: number,
    b: number,
    reserve: Factor,
    c: number,
    d: number,
    price: Factor,
  ): void {
    const limbs = this.#limbs;
    const held = a * b * reserve.near;
    const paid = c * d * price.near;
    const low = limbs[(row << ROW_BITS) | AVAILABLE_LOW] + (held - paid);
    const otherLow = limbs[(row << ROW_BITS) | RESERVED_LOW] - held;
    const isShort = held >= 0 && held < LIMB && paid >= 0 && paid < LIMB;
    if (isShort && low >= 0 && low < LIMB && otherLow >= 0 && this.#wide === undefined) {
      limbs[(row << ROW_BITS) | AVAILABLE_LOW] = low;
      limbs[(row << ROW_BITS) | RESERVED_LOW] = otherLow;
    } else {
      this.#payLong(row, a, b, reserve, c, d, price);
    }
  }

  #payLong(
    row: number,
    a: number,
    b: number,
    reserve: Factor,
    c: number,
    d: number,
    price: Factor,
  ): void {
    const cell = (row << POCKET_BITS) | AVAILABLE;
    this.#subtractLong((row << POCKET_BITS) | RESERVED, a, b, reserve);
    this.#addLong(cell, a, b, reserve);
    this.#subtractLong(cell, c, d, price);
  }

  /** Sign of available − a × b × factor. */
  compare(row: number, a: number, b: number, factor: Factor): -1 | 0 | 1 {
    const value = a * b * factor.near;
    if (value >= 0 && value < LIMB && this.#wide === undefined) {
      const index = ((row << POCKET_BITS) | AVAILABLE) << 1;
      const high = this.#limbs[index];
      return high === 0 ? signOf(this.#limbs[index | 1] - value) : signOf(high);
    }
    return this.#compareLong(row, a, b, factor);
  }

  #compareLong(row: number, a: number, b: number, factor: Factor): -1 | 0 | 1 {
    if (this.#wide !== undefined || !this.#amount.setProduct(a, b, factor)) {
      return this.#compareWhole(row, BigInt(a) * BigInt(b) * factor.exact);
    }
    const cell = (row << POCKET_BITS) | AVAILABLE;
    const high = this.#limbs[2 * cell] - this.#amount.high;
    return signOf(high !== 0 ? high : this.#limbs[2 * cell + 1] - this.#amount.low);
  }

  /** Sign of available − count × factor, for a count of 0 or more. */
  compareCount(row: number, count: number | bigint, factor: Factor): -1 | 0 | 1 {
    if (typeof count === 'number' && count <= Number.MAX_SAFE_INTEGER) {
      return this.compare(row, count, 1, factor);
    }
    return this.#compareWhole(row, BigInt(count) * factor.exact);
  }

  /** The balance in atomic units. */
  units(row: number, pocket: number): bigint {
    const cell = (row << POCKET_BITS) | pocket;
    if (this.#wide !== undefined) return this.#wide[cell];
    return joined(this.#limbs[2 * cell], this.#limbs[2 * cell + 1]);
  }

  /** The balance, exact. */
  balance(row: number, pocket: number): Amount {
    const index = ((row << POCKET_BITS) | pocket) << 1;
    const limbs = this.#limbs;
    if (this.#wide !== undefined || limbs[index] !== 0) {
      return Amount.units(this.units(row, pocket), this.#scale);
    }
    return Amount.units(limbs[index | 1], this.#scale);
  }

  /** The balance as a decimal. */
  amount(row: number, pocket: number): Decimal {
    return this.balance(row, pocket).toDecimal();
  }

  #compareWhole(row: number, units: bigint): -1 | 0 | 1 {
    const available = this.units(row, AVAILABLE);
    return available === units ? 0 : available > units ? 1 : -1;
  }

  #addLong(cell: number, a: number, b: number, factor: Factor): void {
    if (this.#wide === undefined && this.#amount.setProduct(a, b, factor)) this.#addAmount(cell);
    else this.#addWhole(cell, BigInt(a) * BigInt(b) * factor.exact);
  }

  #subtractLong(cell: number, a: number, b: number, factor: Factor): void {
    if (this.#wide !== undefined || !this.#amount.setProduct(a, b, factor)) {
      this.#addWhole(cell, -BigInt(a) * BigInt(b) * factor.exact);
      return;
    }
    const limbs = this.#limbs;
    const low = limbs[2 * cell + 1] - this.#amount.low;
    const high = limbs[2 * cell] - this.#amount.high;
    limbs[2 * cell + 1] = low < 0 ? low + LIMB : low;
    limbs[2 * cell] = low < 0 ? high - 1 : high;
    if (high < -HIGH_MAX || high > HIGH_MAX) this.#widened();
  }

  #addAmount(cell: number): void {
    const limbs = this.#limbs;
    const low = limbs[2 * cell + 1] + this.#amount.low;
    const high = limbs[2 * cell] + this.#amount.high;
    limbs[2 * cell + 1] = low >= LIMB ? low - LIMB : low;
    limbs[2 * cell] = low >= LIMB ? high + 1 : high;
    if (high < -HIGH_MAX || high > HIGH_MAX) this.#widened();
  }

  #addWhole(cell: number, units: bigint): void {
    this.#widened()[cell] += units;
  }

  /** Moves every balance of the currency to BigInt. */
  #widened(): bigint[] {
    if (this.#wide !== undefined) return this.#wide;
    const wide: bigint[] = [];
    for (let cell = 0; cell < POCKETS * this.#rows; cell += 1) {
      wide.push(joined(this.#limbs[2 * cell], this.#limbs[2 * cell + 1]));
    }
    this.#wide = wide;
    return wide;
  }

  /** Makes the atomic unit small enough for an amount, and scales every balance and factor. */
  #refine(amount: Decimal): void {
    const scale = Math.max(this.#scale, amount.decimalPlaces());
    if (scale === this.#scale) return;
    const ratio = 10n ** BigInt(scale - this.#scale);
    this.#scale = scale;
    for (const factor of this.#factors) factor.scale(ratio);
    const wide = this.#widened().map((units) => units * ratio);
    this.#wide = wide;
    this.#narrow(wide);
  }

  /** Moves the balances back to limbs if they all fit. */
  #narrow(wide: readonly bigint[]): void {
    for (let cell = 0; cell < wide.length; cell += 1) {
      if (!this.#amount.set(wide[cell])) return;
      this.#limbs[2 * cell] = this.#amount.high;
      this.#limbs[2 * cell + 1] = this.#amount.low;
    }
    this.#wide = undefined;
  }

  #units(amount: Decimal): bigint {
    return BigInt(amount.times(new Decimal(10).pow(this.#scale)).toFixed(0));
  }
}

const signOf = (value: number): -1 | 0 | 1 => (value > 0 ? 1 : value < 0 ? -1 : 0);
