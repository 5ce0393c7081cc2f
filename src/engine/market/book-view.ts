import type { Depth, DepthSide } from '../../model/depth.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Book, Level } from '../../strategy/context.ts';

/** The living view of a book that strategies read; it writes nothing. */
export class BookView implements Book {
  readonly instrument: Instrument;
  /** When the last whole message arrived. */
  at = 0 as Micros;
  readonly #depth: Depth;

  constructor(instrument: Instrument, depth: Depth) {
    this.instrument = instrument;
    this.#depth = depth;
  }

  get stale(): boolean {
    return this.#depth.stale;
  }

  count(side: Side): number {
    return this.#side(side).length;
  }

  ticksAt(side: Side, rank: number): Ticks {
    return this.#side(side).ticksAt(rank);
  }

  lotsAt(side: Side, rank: number): Lots {
    return this.#side(side).lotsAt(rank);
  }

  depthLots(side: Side, count: number): number {
    const levels = this.#side(side);
    const end = Math.min(count, levels.length);
    let sum = 0;
    for (let rank = 0; rank < end; rank += 1) sum += levels.lotsAt(rank);
    return sum;
  }

  levels(side: Side, count: number): readonly Level[] {
    const from = this.#side(side);
    return Array.from({ length: Math.min(count, from.length) }, (_, rank) => ({
      ticks: from.ticksAt(rank),
      lots: from.lotsAt(rank),
    }));
  }

  #side(side: Side): DepthSide {
    return side === 'buy' ? this.#depth.bids : this.#depth.asks;
  }
}
