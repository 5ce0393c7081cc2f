const SIZE = 256;
/** Counts of entries by the last bits of their keys. */
const COUNTS = 256;

/**
 * Lots at prices of one side of the market, remembered for a while: a ring that grows with what is
 * remembered at once. An entry counts for all keys from its low one to its high one.
 */
export class RecentLots {
  readonly #spanUs: number;
  #low = new Float64Array(SIZE);
  #high = new Float64Array(SIZE);
  #lots = new Float64Array(SIZE);
  #at = new Float64Array(SIZE);
  /** How many entries are of keys with these last bits, by which most keys are known to have none. */
  readonly #counts = new Int32Array(COUNTS);
  /** How many entries are of more than one key. */
  #ranges = 0;
  /** No later than the oldest entry. */
  #oldestAt = Number.POSITIVE_INFINITY;
  /** Entries ever forgotten, entries ever made. */
  #first = 0;
  #end = 0;

  constructor(spanUs: number) {
    this.#spanUs = spanUs;
  }

  /** Adds lots to what is remembered; times never fall. */
  add(low: number, high: number, lots: number, at: number): void {
    this.#forget(at);
    if (this.#end - this.#first === this.#at.length) this.#grow();
    if (this.#first === this.#end) this.#oldestAt = at;
    const place = this.#end & (this.#at.length - 1);
    this.#low[place] = low;
    this.#high[place] = high;
    this.#lots[place] = lots;
    this.#at[place] = at;
    this.#end += 1;
    this.#count(low, high, 1);
  }

  /** Uses up to so many of the lots that are remembered of these keys, the oldest first; gives how many. */
  use(low: number, high: number, lots: number, at: number): number {
    if (this.#first === this.#end) return 0;
    this.#forget(at);
    if (low === high && this.#hasNone(low)) return 0;
    const mask = this.#at.length - 1;
    let used = 0;
    for (let i = this.#first; i < this.#end && used < lots; i += 1) {
      const place = i & mask;
      if (this.#low[place] > high || this.#high[place] < low) continue;
      const part = Math.min(lots - used, this.#lots[place]);
      this.#lots[place] -= part; // Endless lots stay endless, whatever is used of them.
      used += part;
    }
    return used;
  }

  /** Lots that are remembered of a key. */
  sum(key: number, at: number): number {
    if (this.#first === this.#end) return 0;
    this.#forget(at);
    if (this.#hasNone(key)) return 0;
    const mask = this.#at.length - 1;
    let sum = 0;
    for (let i = this.#first; i < this.#end; i += 1) {
      const place = i & mask;
      if (this.#low[place] <= key && key <= this.#high[place]) sum += this.#lots[place];
    }
    return sum;
  }

  #forget(at: number): void {
    const oldest = at - this.#spanUs;
    if (this.#oldestAt >= oldest) return;
    const mask = this.#at.length - 1;
    while (this.#first < this.#end && this.#at[this.#first & mask] < oldest) {
      const place = this.#first & mask;
      this.#count(this.#low[place], this.#high[place], -1);
      this.#first += 1;
    }
    this.#oldestAt =
      this.#first < this.#end ? this.#at[this.#first & mask] : Number.POSITIVE_INFINITY;
  }

  #count(low: number, high: number, by: 1 | -1): void {
    if (low === high) this.#counts[low & (COUNTS - 1)] += by;
    else this.#ranges += by;
  }

  #hasNone(key: number): boolean {
    return this.#ranges === 0 && this.#counts[key & (COUNTS - 1)] === 0;
  }

  #grow(): void {
    const length = this.#at.length;
    const first = this.#first & (length - 1);
    this.#low = unrolled(this.#low, first);
    this.#high = unrolled(this.#high, first);
    this.#lots = unrolled(this.#lots, first);
    this.#at = unrolled(this.#at, first);
    this.#first = 0;
    this.#end = length;
  }
}

/** A full ring with twice the room, its oldest entry at the start. */
function unrolled(ring: Float64Array<ArrayBuffer>, first: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(2 * ring.length);
  wider.set(ring.subarray(first));
  wider.set(ring.subarray(0, first), ring.length - first);
  return wider;
}
