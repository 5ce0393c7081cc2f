/** A sum is `high × LIMB + low`, `0 ≤ low < LIMB`, so that every step is exact in doubles. */
const LIMB = 2 ** 52;

/**
 * An exact sum of whole numbers and of their products, however large. Terms below 2^53 cost two
 * additions of doubles; larger products are added to a BigInt.
 */
export class ExactSum {
  #low = 0;
  #high = 0;
  #beyond = 0n;

  get value(): bigint {
    return BigInt(this.#high) * BigInt(LIMB) + BigInt(this.#low) + this.#beyond;
  }

  /** Resets the sum to zero. */
  clear(): void {
    this.#low = 0;
    this.#high = 0;
    this.#beyond = 0n;
  }

  /** Adds a safe integer, not negative. */
  add(term: number): void {
    let low = this.#low + (term < LIMB ? term : term - LIMB);
    if (term >= LIMB) this.#high += 1;
    if (low >= LIMB) {
      low -= LIMB;
      this.#high += 1;
    }
    this.#low = low;
  }

  /** Subtracts a safe integer, not negative. */
  subtract(term: number): void {
    let low = this.#low - (term < LIMB ? term : term - LIMB);
    if (term >= LIMB) this.#high -= 1;
    if (low < 0) {
      low += LIMB;
      this.#high -= 1;
    }
    this.#low = low;
  }

  /** Adds the product of two safe integers, not negative. */
  addProduct(a: number, b: number): void {
    const product = a * b;
    if (product <= Number.MAX_SAFE_INTEGER) this.add(product);
    else this.#beyond += BigInt(a) * BigInt(b);
  }

  /** Subtracts the product of two safe integers, not negative. */
  subtractProduct(a: number, b: number): void {
    const product = a * b;
    if (product <= Number.MAX_SAFE_INTEGER) this.subtract(product);
    else this.#beyond -= BigInt(a) * BigInt(b);
  }

  /** Adds another sum. */
  addSum(other: ExactSum): void {
    this.add(other.#low);
    this.#high += other.#high;
    this.#beyond += other.#beyond;
  }
}
