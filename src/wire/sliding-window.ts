/** Most calls that may be answered in any second: the rate and the burst together. */
export interface Quota {
  readonly rate: number;
  readonly burst: number;
}

const WINDOW_US = 1_000_000;

/**
 * Counts calls in a sliding window: a call passes while fewer than rate plus burst passed in the second
 * before it. Calls that did not pass do not count. The passes of the last second are in a ring, so that a
 * call costs the same however many came before. Times are microseconds and may not go backwards; an earlier
 * one counts as the latest.
 */
export class SlidingWindow {
  readonly #limit: number;
  readonly #windowUs: number;
  #passes: Float64Array;
  #oldest = 0;
  #count = 0;
  #latestUs = Number.NEGATIVE_INFINITY;

  constructor({ rate, burst }: Quota, windowUs: number = WINDOW_US) {
    this.#limit = rate + burst;
    this.#windowUs = windowUs;
    this.#passes = new Float64Array(Math.min(Math.max(this.#limit, 1), 16));
  }

  /** Passes a call at `nowUs`, or returns false. */
  take(nowUs: number): boolean {
    this.#advance(nowUs);
    if (this.#count >= this.#limit) return false;
    if (this.#count === this.#passes.length) this.#grow();
    this.#passes[(this.#oldest + this.#count) % this.#passes.length] = this.#latestUs;
    this.#count += 1;
    return true;
  }

  /** Time from `nowUs` until a call passes: 0 if it passes at once. */
  waitUs(nowUs: number): number {
    this.#advance(nowUs);
    if (this.#count < this.#limit) return 0;
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    return this.#passes[this.#oldest] + this.#windowUs - this.#latestUs;
  }

  /** Forgets what has left the window. */
  #advance(nowUs: number): void {
    this.#latestUs = Math.max(this.#latestUs, nowUs);
    while (this.#count > 0 && this.#passes[this.#oldest] + this.#windowUs <= this.#latestUs) {
      this.#oldest = (this.#oldest + 1) % this.#passes.length;
      this.#count -= 1;
    }
  }

  /** A longer ring, from the oldest pass on; only heavily used counters have one. */
  #grow(): void {
    const longer = new Float64Array(Math.min(this.#limit, this.#passes.length * 2));
    const fromOldest = this.#passes.subarray(this.#oldest);
    longer.set(fromOldest);
    longer.set(this.#passes.subarray(0, this.#oldest), fromOldest.length);
    this.#passes = longer;
    this.#oldest = 0;
  }
}

/**
 * One window for each key, an address or an account. A key without calls for a window is as good as new, so
 * keys are kept in two generations and the older one is dropped once in a window: memory follows the keys
 * of the last two windows, without a scan.
 */
export class SlidingWindows<Key> {
  readonly #quota: Quota;
  #current = new Map<Key, SlidingWindow>();
  #previous = new Map<Key, SlidingWindow>();
  #turnedUs = Number.NEGATIVE_INFINITY;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** Passes a call of a key at `nowUs`, or returns false. */
  take(key: Key, nowUs: number): boolean {
    return this.#window(key, nowUs).take(nowUs);
  }

  /** How long from `nowUs` until a call of the key passes. */
  waitUs(key: Key, nowUs: number): number {
    return this.#window(key, nowUs).waitUs(nowUs);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#current.size + this.#previous.size;
  }

  #window(key: Key, nowUs: number): SlidingWindow {
    if (nowUs - this.#turnedUs >= WINDOW_US) {
      const silent = nowUs - this.#turnedUs >= 2 * WINDOW_US;
      this.#previous = silent ? new Map<Key, SlidingWindow>() : this.#current;
      this.#current = new Map();
      this.#turnedUs = nowUs;
    }
    let window = this.#current.get(key);
    if (window === undefined) {
      window = this.#previous.get(key) ?? new SlidingWindow(this.#quota);
      this.#previous.delete(key);
      this.#current.set(key, window);
    }
    return window;
  }
}
