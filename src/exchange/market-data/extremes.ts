const INITIAL_CAPACITY = 64;

/**
 * Maximum or minimum of a moving window: a queue in which each value is beyond all that come after
 * it. Each value enters once and leaves once.
 */
export class Extremes {
  readonly #sign: 1 | -1;
  #values = new Float64Array(INITIAL_CAPACITY);
  #indexes = new Float64Array(INITIAL_CAPACITY);
  #first = 0;
  #end = 0;

  /** `sign` is 1 for the maximum, -1 for the minimum. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** The extreme of the window, NaN if it is empty. */
  get value(): number {
    return this.#first === this.#end
      ? Number.NaN
      : this.#values[this.#first & (this.#values.length - 1)];
  }

  /** Adds a value to the window; indexes rise. */
  enter(index: number, value: number): void {
    const mask = this.#values.length - 1;
    let end = this.#end;
    while (end > this.#first && (this.#values[(end - 1) & mask] - value) * this.#sign <= 0) {
      end -= 1;
    }
    this.#end = end;
    if (end - this.#first > mask) this.#grow();
    const position = end & (this.#values.length - 1);
    this.#values[position] = value;
    this.#indexes[position] = index;
    this.#end = end + 1;
  }

  /** Removes the value of that index, the oldest in the window. */
  leave(index: number): void {
    const position = this.#first & (this.#values.length - 1);
    if (this.#first < this.#end && this.#indexes[position] === index) this.#first += 1;
  }

  #grow(): void {
    this.#values = widened(this.#values, this.#first, this.#end);
    this.#indexes = widened(this.#indexes, this.#first, this.#end);
  }
}

/** A ring of twice the power-of-two size; entry `i` is at `i & (length - 1)` in both. */
export function widened(
  ring: Float64Array<ArrayBuffer>,
  first: number,
  end: number,
): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(2 * ring.length);
  const mask = ring.length - 1;
  const wideMask = wider.length - 1;
  for (let i = first; i < end; i += 1) wider[i & wideMask] = ring[i & mask];
  return wider;
}
