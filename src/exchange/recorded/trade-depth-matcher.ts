/**
 * Most time between the display and the print of one trade, in microseconds. Venues send both on
 * separate channels: in a capture of Binance the display came before the print for more than half
 * of the trades, mostly by a few milliseconds, and depth messages collect 100 ms of changes.
 */
export const TRADE_DEPTH_US = 100_000;

/**
 * Matches the lots that one side's display loses with those printed there, as one trade appears in
 * both: each printed lot explains one lost lot, whichever comes first.
 */
export class TradeDepthMatcher {
  /** Lots lost by the display that no print has explained yet. */
  readonly #shrinks = new RecentLots(TRADE_DEPTH_US);
  /** Printed lots that the display has not lost yet. */
  readonly #prints = new RecentLots(TRADE_DEPTH_US);

  /**
   * Notes lots that the display lost at a key, or an unknown number (+Infinity) at each of a range
   * of keys.
   */
  shrank(low: number, high: number, lots: number, at: number): void {
    const left = lots - this.#prints.use(low, high, lots, at);
    if (left > 0) this.#shrinks.add(low, high, left, at);
  }

  /** Applies a print at a key; returns how many of its lots the display had lost before. */
  counted(key: number, lots: number, at: number): number {
    return this.#shrinks.use(key, key, lots, at);
  }

  /** Notes lots of a print that left the queue before the display lost them. */
  ahead(key: number, lots: number, at: number): void {
    if (lots > 0) this.#prints.add(key, key, lots, at);
  }

  /**
   * Notes an order that arrives at a key: earlier prints have not passed it, so none explains a
   * later loss.
   */
  forget(key: number, at: number): void {
    this.#prints.use(key, key, Number.POSITIVE_INFINITY, at);
  }

  /** Lots that the display lost at a key and whose print may still come. */
  pending(key: number, at: number): number {
    return this.#shrinks.sum(key, at);
  }
}

const SIZE = 256;
/** Number of counters, indexed by the last bits of a key. */
const COUNTS = 256;

/**
 * Lots at prices of one side, remembered for a while in a ring that grows as needed. An entry
 * counts for all keys from its low one to its high one.
 */
export class RecentLots {
  readonly #spanUs: number;
  #low = new Float64Array(SIZE);
  #high = new Float64Array(SIZE);
  #lots = new Float64Array(SIZE);
  #at = new Float64Array(SIZE);
  /** Entries by the last bits of their keys; 0 shows quickly that a key has none. */
  readonly #counts = new Int32Array(COUNTS);
  /** Entries of more than one key. */
  #ranges = 0;
  /** Not later than the oldest entry. */
  #oldestAt = Number.POSITIVE_INFINITY;
  /** Entries ever forgotten, entries ever added. */
  #first = 0;
  #end = 0;

  constructor(spanUs: number) {
    this.#spanUs = spanUs;
  }

  /** Adds lots; times never fall. */
  add(low: number, high: number, lots: number, at: number): void {
    this.#forget(at);
    if (this.#end - this.#first === this.#at.length) this.#grow();
    if (this.#first === this.#end) this.#oldestAt = at;
    const index = this.#end & (this.#at.length - 1);
    this.#low[index] = low;
    this.#high[index] = high;
    this.#lots[index] = lots;
    this.#at[index] = at;
    this.#end += 1;
    this.#count(low, high, 1);
  }

  /**
   * Uses up to `lots` of the lots remembered for these keys, the oldest first; returns how many.
   */
  use(low: number, high: number, lots: number, at: number): number {
    if (this.#first === this.#end) return 0;
    this.#forget(at);
    if (low === high && this.#hasNone(low)) return 0;
    const mask = this.#at.length - 1;
    let used = 0;
    for (let i = this.#first; i < this.#end && used < lots; i += 1) {
      const index = i & mask;
      if (this.#low[index] > high || this.#high[index] < low) continue;
      const part = Math.min(lots - used, this.#lots[index]);
      this.#lots[index] -= part; // Endless lots stay endless, whatever is used of them.
      used += part;
    }
    return used;
  }

  /** Lots remembered for a key. */
  sum(key: number, at: number): number {
    if (this.#first === this.#end) return 0;
    this.#forget(at);
    if (this.#hasNone(key)) return 0;
    const mask = this.#at.length - 1;
    let sum = 0;
    for (let i = this.#first; i < this.#end; i += 1) {
      const index = i & mask;
      if (this.#low[index] <= key && key <= this.#high[index]) sum += this.#lots[index];
    }
    return sum;
  }

  #forget(at: number): void {
    const oldest = at - this.#spanUs;
    if (this.#oldestAt >= oldest) return;
    const mask = this.#at.length - 1;
    while (this.#first < this.#end && this.#at[this.#first & mask] < oldest) {
      const index = this.#first & mask;
      this.#count(this.#low[index], this.#high[index], -1);
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

/** A copy of a full ring with twice the room, its oldest entry at the start. */
function unrolled(ring: Float64Array<ArrayBuffer>, first: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(2 * ring.length);
  wider.set(ring.subarray(first));
  wider.set(ring.subarray(0, first), ring.length - first);
  return wider;
}
