const PREFIX = /^[A-Za-z0-9_-]{1,16}$/;
const LENGTH_MIN = 8;

/**
 * Makes client order ids: `<prefix>-<counter>`, the counter in base 36 and padded so that ids are
 * 8 to 32 characters of `A-Z a-z 0-9 _ -` as venues ask for. The same prefix gives the same ids in
 * the same order; a prefix that no other run of the account has makes them unique.
 */
export class OrderIds {
  readonly #prefix: string;
  readonly #digits: number;
  #count: number;

  /** `start` is the number of ids that this prefix has given already. */
  constructor(prefix: string, start = 0) {
    if (!PREFIX.test(prefix)) {
      throw new RangeError(`an id prefix has 1 to 16 letters, digits, _ or -, not "${prefix}"`);
    }
    if (!Number.isSafeInteger(start) || start < 0) {
      throw new RangeError(`a count of ids is a whole number from 0, not ${start}`);
    }
    this.#prefix = `${prefix}-`;
    this.#digits = Math.max(4, LENGTH_MIN - this.#prefix.length);
    this.#count = start;
  }

  next(): string {
    const id = this.#prefix + this.#count.toString(36).padStart(this.#digits, '0');
    this.#count += 1;
    return id;
  }
}
