import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Trade } from '../../strategy/context.ts';

/** A public trade as a strategy sees it; the decimals are made on demand. */
export class MarketTrade implements Trade {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stampedAt: Micros;
  readonly id: number;
  readonly aggressor: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;

  constructor(
    instrument: Instrument,
    at: Micros,
    stampedAt: Micros,
    id: number,
    aggressor: Side,
    ticks: Ticks,
    lots: Lots,
  ) {
    this.instrument = instrument;
    this.at = at;
    this.stampedAt = stampedAt;
    this.id = id;
    this.aggressor = aggressor;
    this.ticks = ticks;
    this.lots = lots;
  }

  get price(): Decimal {
    return this.instrument.price(this.ticks);
  }

  get size(): Decimal {
    return this.instrument.size(this.lots);
  }
}
