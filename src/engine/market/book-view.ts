import type { Depth, DepthSide } from '../../model/depth.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Book, Level } from '../../strategy/context.ts';

/** The live book view of strategies; it writes nothing. */
export class BookView implements Book {
  readonly instrument: Instrument;
  /** Time of receipt of the last complete message. */
  at = 0 as Micros;
  readonly #depth: Depth;

  constructor(instrument: Instrument, depth: Depth) {
    this.instrument = instrument;
    this.#depth = depth;
  }

  get stale(): boolean {
    return this.#depth.stale;
  }

  depth(side: Side): number {
    return this.#side(side).length;
  }

  ticksAt(side: Side, level: number): Ticks {
    return this.#side(side).ticksAt(level);
  }

  lotsAt(side: Side, level: number): Lots {
    return this.#side(side).lotsAt(level);
  }

  depthLots(side: Side, count: number): number {
    const levels = this.#side(side);
    const end = Math.min(count, levels.length);
    let sum = 0;
    for (let level = 0; level < end; level += 1) sum += levels.lotsAt(level);
    return sum;
  }

  levels(side: Side, count: number): readonly Level[] {
    const from = this.#side(side);
    return Array.from({ length: Math.min(count, from.length) }, (_, level) => ({
      ticks: from.ticksAt(level),
      lots: from.lotsAt(level),
    }));
  }

  #side(side: Side): DepthSide {
    return side === 'buy' ? this.#depth.bids : this.#depth.asks;
  }
}
