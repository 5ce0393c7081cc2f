import type { Amount } from '../../model/amount.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Position } from '../../strategy/context.ts';
import type { Holdings } from './holdings.ts';

class HeldPosition implements Position {
  readonly instrument: Instrument;
  readonly lots: Lots;
  readonly entryTicks: number;

  constructor(instrument: Instrument, lots: Lots, entryTicks: number) {
    this.instrument = instrument;
    this.lots = lots;
    this.entryTicks = entryTicks;
  }

  get size(): Decimal {
    return this.instrument.size(this.lots);
  }
}

/** Lots with a known price, and their average price in ticks, which may be fractional. */
export interface Entry {
  readonly lots: number;
  readonly ticks: number;
}

/** The entry after a fill: a purchase moves the average, a sale goes at the average. */
export function entryAfter(entry: Entry, { side, ticks, lots }: Fill): Entry {
  if (side === 'sell') return { lots: Math.max(0, entry.lots - lots), ticks: entry.ticks };
  const total = entry.lots + lots;
  if (entry.lots === 0) return { lots: total, ticks };
  return { lots: total, ticks: (entry.ticks * entry.lots + ticks * lots) / total };
}

/** Holding of an instrument's base currency in whole lots, and its average purchase price. */
export class PositionKeeper {
  readonly instrument: Instrument;
  present: Position;
  readonly #holdings: Holdings;
  /** Lots with a known price, and their average price. */
  #costedLots = 0;
  #meanTicks = Number.NaN;

  constructor(instrument: Instrument, holdings: Holdings) {
    this.instrument = instrument;
    this.#holdings = holdings;
    this.present = new HeldPosition(instrument, 0 as Lots, Number.NaN);
  }

  /** Restores the average price of a previous run. */
  restore({ lots, ticks }: Entry): void {
    this.#costedLots = lots;
    this.#meanTicks = ticks;
    this.refresh();
  }

  /** Lots with a known price, and their average price, to be stored for the next run. */
  get entry(): Entry {
    return { lots: this.#costedLots, ticks: this.#meanTicks };
  }

  /** Applies a fill to the average price; call `refresh` after it. */
  fill(fill: Fill): void {
    const { lots, ticks } = entryAfter(this.entry, fill);
    this.#costedLots = lots;
    this.#meanTicks = ticks;
  }

  /** Reads the holdings again; returns true if the position changed. */
  refresh(): boolean {
    const total = this.#holdings.total(this.instrument.baseCurrency);
    const lots = total.sign < 0 ? (0 as Lots) : wholeLots(total, this.instrument);
    if (lots === 0) this.#costedLots = 0;
    const entryTicks = this.#entryTicks(lots);
    const { present } = this;
    if (lots === present.lots && Object.is(entryTicks, present.entryTicks)) return false;
    this.present = new HeldPosition(this.instrument, lots, entryTicks);
    return true;
  }

  /** Unknown while lots are held whose price was never seen. */
  #entryTicks(lots: Lots): number {
    return lots === 0 || lots > this.#costedLots ? Number.NaN : this.#meanTicks;
  }
}

/** Throws `out-of-range` beyond 2^53 lots. */
function wholeLots(total: Amount, instrument: Instrument): Lots {
  const lots = total.floorDivide(instrument.lotAmount);
  return typeof lots === 'number' ? (lots as Lots) : instrument.lots(total.toDecimal(), 'down');
}
