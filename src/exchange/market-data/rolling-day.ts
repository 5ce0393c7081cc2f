import { US_PER_DAY } from '../../platform/time.ts';
import { ExactSum } from './exact-sum.ts';
import { Extremes, widened } from './extremes.ts';

const INITIAL_CAPACITY = 1_024;

/**
 * Trades of the last 24 hours, `now − 24 h < time ≤ now`, with their extremes and exact sums. Each
 * trade enters once and leaves once, so its cost does not depend on how many there are. Old trades
 * are dropped at each write or read, without a timer.
 */
export class RollingDay {
  readonly #lots = new ExactSum();
  readonly #value = new ExactSum();
  readonly #highs = new Extremes(1);
  readonly #lows = new Extremes(-1);
  #atOf = new Float64Array(INITIAL_CAPACITY);
  #ticksOf = new Float64Array(INITIAL_CAPACITY);
  #lotsOf = new Float64Array(INITIAL_CAPACITY);
  /** Number of trades that ever left, and that ever entered. */
  #first = 0;
  #end = 0;
  /** Price of the trade that left last. */
  #previousTicks = Number.NaN;
  #lastTicks = Number.NaN;

  /** Adds a trade; times do not fall. */
  trade(at: number, ticks: number, lots: number): void {
    this.age(at);
    if (this.#end - this.#first === this.#atOf.length) this.#grow();
    const index = this.#end & (this.#atOf.length - 1);
    this.#atOf[index] = at;
    this.#ticksOf[index] = ticks;
    this.#lotsOf[index] = lots;
    this.#highs.enter(this.#end, ticks);
    this.#lows.enter(this.#end, ticks);
    this.#lots.add(lots);
    this.#value.addProduct(ticks, lots);
    this.#end += 1;
    this.#lastTicks = ticks;
  }

  /** Advances time to `now`; an earlier time changes nothing. */
  age(now: number): void {
    const mask = this.#atOf.length - 1;
    const over = now - US_PER_DAY;
    while (this.#first < this.#end) {
      const index = this.#first & mask;
      if (this.#atOf[index] > over) return;
      this.#lots.subtract(this.#lotsOf[index]);
      this.#value.subtractProduct(this.#ticksOf[index], this.#lotsOf[index]);
      this.#highs.leave(this.#first);
      this.#lows.leave(this.#first);
      this.#previousTicks = this.#ticksOf[index];
      this.#first += 1;
    }
  }

  /**
   * Price 24 hours ago: of the last trade at or before then, else of the first after it; NaN
   * without trades.
   */
  get openTicks(): number {
    if (!Number.isNaN(this.#previousTicks) || this.#first === this.#end) return this.#previousTicks;
    return this.#ticksOf[this.#first & (this.#atOf.length - 1)];
  }

  /** Price of the last trade, however old; NaN without trades. */
  get lastTicks(): number {
    return this.#lastTicks;
  }

  /** Highest price; NaN if there is no trade in the window. */
  get highTicks(): number {
    return this.#highs.value;
  }

  /** Lowest price; NaN if there is no trade in the window. */
  get lowTicks(): number {
    return this.#lows.value;
  }

  /** Sum of the lots. */
  get lots(): bigint {
    return this.#lots.value;
  }

  /** Sum of ticks × lots. */
  get value(): bigint {
    return this.#value.value;
  }

  #grow(): void {
    this.#atOf = widened(this.#atOf, this.#first, this.#end);
    this.#ticksOf = widened(this.#ticksOf, this.#first, this.#end);
    this.#lotsOf = widened(this.#lotsOf, this.#first, this.#end);
  }
}
