import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { BUY } from '../orders/side.ts';
import { grown } from '../queues/grown.ts';

/** A public price level. */
export interface Level {
  readonly ticks: Ticks;
  readonly lots: Lots;
}

/** One change of a book: the changed levels, size 0 for a removed one. */
export interface BookUpdate {
  readonly sequence: number;
  readonly at: Micros;
  /** Best first. */
  readonly bids: readonly Level[];
  /** Best first. */
  readonly asks: readonly Level[];
}

const INITIAL_CAPACITY = 256;

/** The latest changes of a book, in a ring of single levels. */
export class BookLog {
  readonly #capacity: number;
  #sequences = new Float64Array(INITIAL_CAPACITY);
  #at = new Float64Array(INITIAL_CAPACITY);
  #sides = new Uint8Array(INITIAL_CAPACITY);
  #ticks = new Float64Array(INITIAL_CAPACITY);
  #lots = new Float64Array(INITIAL_CAPACITY);
  /** Number of entries so far. */
  #end = 0;
  /** Sequence of the latest entry that was overwritten. */
  #lost = 0;

  /** Keeps at least `capacity` changes of single levels. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(sequence: number, at: number, side: number, ticks: number, lots: number): void {
    const room = this.#sequences.length;
    if (this.#end >= room && room < this.#capacity) this.#widen();
    const index = this.#end & (this.#sequences.length - 1);
    if (this.#end >= this.#sequences.length) this.#lost = this.#sequences[index];
    this.#sequences[index] = sequence;
    this.#at[index] = at;
    this.#sides[index] = side;
    this.#ticks[index] = ticks;
    this.#lots[index] = lots;
    this.#end += 1;
  }

  /** Every update after a sequence number, or undefined if some of them are no longer kept. */
  since(sequence: number): BookUpdate[] | undefined {
    if (sequence < this.#lost) return undefined;
    const mask = this.#sequences.length - 1;
    let first = this.#end;
    const oldest = Math.max(0, this.#end - this.#sequences.length);
    while (first > oldest && this.#sequences[(first - 1) & mask] > sequence) first -= 1;
    const updates: BookUpdate[] = [];
    for (let i = first; i < this.#end;) {
      let next = i;
      const number = this.#sequences[i & mask];
      while (next < this.#end && this.#sequences[next & mask] === number) next += 1;
      updates.push(this.#update(i, next));
      i = next;
    }
    return updates;
  }

  #update(first: number, end: number): BookUpdate {
    const mask = this.#sequences.length - 1;
    const bids: Level[] = [];
    const asks: Level[] = [];
    for (let i = first; i < end; i += 1) {
      const index = i & mask;
      const level = { ticks: this.#ticks[index] as Ticks, lots: this.#lots[index] as Lots };
      (this.#sides[index] === BUY ? bids : asks).push(level);
    }
    bids.sort((a, b) => b.ticks - a.ticks);
    asks.sort((a, b) => a.ticks - b.ticks);
    const index = first & mask;
    return { sequence: this.#sequences[index], at: this.#at[index] as Micros, bids, asks };
  }

  /**
   * Widens the ring; entries keep their positions, as it is not full before it has its final size.
   */
  #widen(): void {
    this.#sequences = grown(this.#sequences);
    this.#at = grown(this.#at);
    this.#ticks = grown(this.#ticks);
    this.#lots = grown(this.#lots);
    this.#sides = grown(this.#sides);
  }
}
