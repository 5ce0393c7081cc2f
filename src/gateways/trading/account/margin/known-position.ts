import { ZERO, type Decimal } from '../../../../model/decimal.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import type { Micros } from '../../../../platform/time.ts';
import { costShare } from '../../../../rules/margin/cost-share.ts';
import { entryPrice } from '../../../../rules/margin/position-value.ts';

/** A trade as a position sees it. */
export interface PositionTrade {
  readonly ticks: number;
  /** Negative if sold. */
  readonly lots: number;
  readonly fee: Decimal;
}

/**
 * Facts of a position from its trades and payments beyond its record: the exact cost of its lots, the PnL
 * of closed ones, and its payments. A record that contradicts them overrides them.
 */
export class KnownPosition {
  /** Absent until the service has reported it. */
  id: number | undefined;
  /** Negative for a short. */
  lots = 0;
  /** Cost or proceeds of its lots, in ticks × lots, positive either way. */
  cost = 0n;
  /** Results of closed lots, before fees. */
  realized: Decimal = ZERO;
  fees: Decimal = ZERO;
  /** Funding received less funding and interest paid. */
  carry: Decimal = ZERO;
  /** True if its history is complete: received live or from the histories. */
  isWhole = false;
  /** Last change by its record. */
  updatedAt: Micros | undefined;

  constructor(id: number | undefined) {
    this.id = id;
  }

  copy(): KnownPosition {
    return Object.assign(new KnownPosition(this.id), this);
  }

  /** Applies a trade, and returns the lots beyond the position: they belong to the next one. */
  trade({ ticks, lots, fee }: PositionTrade, instrument: Instrument): number {
    this.fees = this.fees.plus(fee);
    if (this.lots === 0 || this.lots > 0 === lots > 0) {
      this.lots += lots;
      this.cost += BigInt(ticks) * BigInt(Math.abs(lots));
      return 0;
    }
    const size = Math.min(Math.abs(this.lots), Math.abs(lots));
    const share = costShare(this.cost, size, Math.abs(this.lots));
    const proceeds = BigInt(ticks) * BigInt(size);
    const result = this.lots > 0 ? proceeds - share : share - proceeds;
    this.realized = this.realized.plus(instrument.tickValue.times(result.toString()));
    this.cost -= share;
    this.lots -= this.lots > 0 ? size : -size;
    return lots > 0 ? lots - size : lots + size;
  }

  /** Lots went without a trade: they take their share of the cost, and their PnL is unknown here. */
  shrink(lots: number): void {
    const gone = Math.abs(this.lots) - Math.abs(lots);
    this.cost -= costShare(this.cost, gone, Math.abs(this.lots));
    this.lots = lots;
    this.isWhole = false;
  }

  /** True if a record of lots at an entry price, rounded as shown, matches. */
  fits(lots: number, price: Decimal | undefined, instrument: Instrument): boolean {
    if (this.lots !== lots) return false;
    if (price === undefined || lots === 0) return true;
    const { tickSize, quantityIncrement } = instrument;
    const value = this.entryValue(instrument);
    return entryPrice({ quantity: quantityIncrement.times(lots), value }, tickSize).equals(price);
  }

  entryValue(instrument: Instrument): Decimal {
    return instrument.tickValue.times(this.cost.toString());
  }

  /** Sets lots and mean entry price from a record, which has no more. */
  take(lots: number, price: Decimal, instrument: Instrument): void {
    this.isWhole = false;
    this.lots = lots;
    const value = price.times(instrument.quantityIncrement).times(Math.abs(lots));
    this.cost = BigInt(value.div(instrument.tickValue).toFixed(0));
  }
}
