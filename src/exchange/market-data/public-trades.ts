import type { Side } from '../../model/order.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { sideName } from '../orders/side.ts';
import { grown } from '../queues/grown.ts';
import { type Page, turn } from './page.ts';

/** A public trade. */
export interface PublicTrade {
  readonly id: number;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** Aggressor side. */
  readonly side: Side;
  readonly at: Micros;
}

export interface TradePage extends Page {
  /** Unit of `from` and `till`: trade ids, or times in microseconds. */
  readonly by: 'id' | 'timestamp';
}

const INITIAL_CAPACITY = 1_024;

/** The latest trades of an instrument. Ids rise and times do not fall, so both are searched. */
export class PublicTrades {
  /** Trades kept at most. */
  readonly capacity: number;
  #ids = new Float64Array(0);
  #ticks = new Float64Array(0);
  #lots = new Float64Array(0);
  #at = new Float64Array(0);
  #sides = new Uint8Array(0);
  #count = 0;
  /** Index of the next write, and of the oldest trade once the ring is full. */
  #next = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#widen(Math.min(INITIAL_CAPACITY, capacity));
  }

  /** Trades kept now. */
  get count(): number {
    return this.#count;
  }

  add(id: number, ticks: number, lots: number, side: number, at: number): void {
    if (this.#next === this.#ids.length) {
      if (this.#next < this.capacity) this.#widen(Math.min(2 * this.#next, this.capacity));
      else this.#next = 0;
    }
    const index = this.#next;
    this.#ids[index] = id;
    this.#ticks[index] = ticks;
    this.#lots[index] = lots;
    this.#at[index] = at;
    this.#sides[index] = side;
    this.#next = index + 1;
    if (this.#count < this.capacity) this.#count += 1;
  }

  /** The latest trade, undefined if there was none. */
  last(): PublicTrade | undefined {
    return this.#count === 0 ? undefined : this.#trade(this.#next - 1);
  }

  /** A page of the trades that are kept. */
  query(page: TradePage): PublicTrade[] {
    const keys = page.by === 'id' ? this.#ids : this.#at;
    const found: PublicTrade[] = [];
    turn(
      page,
      this.#count,
      (rank) => keys[this.#place(rank)],
      (rank) => found.push(this.#trade(this.#place(rank))),
    );
    return found;
  }

  /** Ring index of the trade `rank` after the oldest. */
  #place(rank: number): number {
    const index = this.#count < this.capacity ? rank : this.#next + rank;
    return index < this.capacity ? index : index - this.capacity;
  }

  #trade(index: number): PublicTrade {
    return {
      id: this.#ids[index],
      ticks: this.#ticks[index] as Ticks,
      lots: this.#lots[index] as Lots,
      side: sideName(this.#sides[index]),
      at: this.#at[index] as Micros,
    };
  }

  #widen(room: number): void {
    this.#ids = grown(this.#ids, room);
    this.#ticks = grown(this.#ticks, room);
    this.#lots = grown(this.#lots, room);
    this.#at = grown(this.#at, room);
    this.#sides = grown(this.#sides, room);
  }
}
