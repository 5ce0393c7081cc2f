import { BUY, SELL } from '../../src/exchange/orders/side.ts';

/** MarkPrices from 1 to this many ticks have a queue. */
const PRICES = 1 << 18;
/** Place of an order that nobody picks. */
const NOWHERE = -1;

/**
 * A plain market of queues by price that says, while a file of operations is drawn, which orders
 * are alive and where the best prices stand. It shares no code with what the file measures.
 */
export class Market {
  readonly #ticks: number[] = [];
  readonly #side: number[] = [];
  readonly #left: number[] = [];
  /** Orders alive that can be picked, in no order, and the place of each among them. */
  readonly #pickable: number[] = [];
  readonly #place: number[] = [];
  /** Of each price: the orders that came, those gone by included, and how many are alive. */
  readonly #queues: number[][] = [];
  readonly #count = new Int32Array(PRICES);
  /** Of each side: the best price with an order, as far as the last look; and how many orders. */
  readonly #best = [0, PRICES];
  readonly #resting = [0, 0];

  /** How many orders there are to pick from. */
  get pickable(): number {
    return this.#pickable.length;
  }

  /** The number of some order that can be picked. */
  pick(index: number): number {
    return this.#pickable[index];
  }

  /** The best price of a side; 0 for bids and a price beyond all for asks when nothing rests. */
  best(side: number): number {
    const step = side === BUY ? -1 : 1;
    if (this.#resting[side] === 0) this.#best[side] = side === BUY ? 0 : PRICES;
    else while (this.#count[this.#best[side]] === 0) this.#best[side] += step;
    return this.#best[side];
  }

  /** A resting order; it crosses nothing. */
  add(order: number, side: number, ticks: number, lots: number): void {
    const best = this.best(side);
    this.#ticks[order] = ticks;
    this.#side[order] = side;
    this.#left[order] = lots;
    this.#place[order] = this.#pickable.length;
    this.#pickable.push(order);
    (this.#queues[ticks] ??= []).push(order);
    this.#count[ticks] += 1;
    this.#resting[side] += 1;
    this.#best[side] = side === BUY ? Math.max(best, ticks) : Math.min(best, ticks);
  }

  remove(order: number): void {
    this.#left[order] = 0;
    this.#count[this.#ticks[order]] -= 1;
    this.#resting[this.#side[order]] -= 1;
    if (this.#place[order] !== NOWHERE) this.exclude(order);
  }

  /** Takes an order from those that can be picked. */
  exclude(order: number): void {
    const last = this.#pickable[this.#pickable.length - 1];
    this.#pickable[this.#place[order]] = last;
    this.#place[last] = this.#place[order];
    this.#place[order] = NOWHERE;
    this.#pickable.pop();
  }

  /** Executes what it can of an order of `side` up to a price; what is left of it is dropped. */
  take(side: number, ticks: number, lots: number): void {
    const against = side === BUY ? SELL : BUY;
    let left = lots;
    while (left > 0 && this.#resting[against] > 0) {
      const best = this.best(against);
      if (side === BUY ? best > ticks : best < ticks) return;
      const queue = this.#queues[best];
      const maker = queue[0];
      const part = Math.min(left, this.#left[maker]);
      this.#left[maker] -= part;
      left -= part;
      if (this.#left[maker] === 0 && part > 0) this.remove(maker);
      this.#queues[best] = queue.slice(this.#gone(queue));
    }
  }

  /** How many orders at the head of a queue are no longer alive. */
  #gone(queue: readonly number[]): number {
    const first = queue.findIndex((order) => this.#left[order] > 0);
    return first === -1 ? queue.length : first;
  }
}
