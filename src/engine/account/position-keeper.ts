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

/** Lots whose price is known, and their mean price in ticks, which need not be whole. */
export interface Entry {
  readonly lots: number;
  readonly ticks: number;
}

/** The entry once a fill is counted in: what is bought moves the mean, what is sold goes at the mean. */
export function entryAfter(entry: Entry, { side, ticks, lots }: Fill): Entry {
  if (side === 'sell') return { lots: Math.max(0, entry.lots - lots), ticks: entry.ticks };
  const total = entry.lots + lots;
  if (entry.lots === 0) return { lots: total, ticks };
  return { lots: total, ticks: (entry.ticks * entry.lots + ticks * lots) / total };
}

/** What is held of an instrument's base currency, in whole lots, and at what mean price it was bought. */
export class PositionKeeper {
  readonly instrument: Instrument;
  present: Position;
  readonly #holdings: Holdings;
  /** Lots whose price is known, and their mean price. */
  #costedLots = 0;
  #meanTicks = Number.NaN;

  constructor(instrument: Instrument, holdings: Holdings) {
    this.instrument = instrument;
    this.#holdings = holdings;
    this.present = new HeldPosition(instrument, 0 as Lots, Number.NaN);
  }

  /** Takes up the mean price of a previous run. */
  restore({ lots, ticks }: Entry): void {
    this.#costedLots = lots;
    this.#meanTicks = ticks;
    this.refresh();
  }

  /** Lots whose price is known, and their mean price; read by whoever keeps it for the next run. */
  get entry(): Entry {
    return { lots: this.#costedLots, ticks: this.#meanTicks };
  }

  /** Counts a fill into the mean price; `refresh` follows. */
  fill(fill: Fill): void {
    const { lots, ticks } = entryAfter(this.entry, fill);
    this.#costedLots = lots;
    this.#meanTicks = ticks;
  }

  /** Reads the holdings again; gives true when the position is not as it was. */
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

  /** Not known as long as something is held whose price was never seen. */
  #entryTicks(lots: Lots): number {
    return lots === 0 || lots > this.#costedLots ? Number.NaN : this.#meanTicks;
  }
}

/** Throws `out-of-range` beyond 2^53 lots. */
function wholeLots(total: Amount, instrument: Instrument): Lots {
  const lots = total.wholes(instrument.lotAmount);
  return typeof lots === 'number' ? (lots as Lots) : instrument.lots(total.toDecimal(), 'down');
}
