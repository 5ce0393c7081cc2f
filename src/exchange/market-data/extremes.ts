const ROOM = 64;

/**
 * The greatest of the values in a window that moves on, or the least: a queue in which each value
 * is beyond all that come after it. A value goes in once and out once, whatever comes.
 */
export class Extremes {
  readonly #sign: 1 | -1;
  #values = new Float64Array(ROOM);
  #indexes = new Float64Array(ROOM);
  #first = 0;
  #end = 0;

  /** For the greatest values `sign` is 1, for the least -1. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  /** The extreme of the window, NaN when it is empty. */
  get value(): number {
    return this.#first === this.#end
      ? Number.NaN
      : this.#values[this.#first & (this.#values.length - 1)];
  }

  /** A value enters the window; indexes rise. */
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

  /** The value of that index, the oldest in the window, leaves it. */
  leave(index: number): void {
    const position = this.#first & (this.#values.length - 1);
    if (this.#first < this.#end && this.#indexes[position] === index) this.#first += 1;
  }

  #grow(): void {
    this.#values = widened(this.#values, this.#first, this.#end);
    this.#indexes = widened(this.#indexes, this.#first, this.#end);
  }
}

/** A ring of a power of two places with twice the room; entry `i` stands at `i & (length - 1)` in both. */
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
