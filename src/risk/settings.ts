import type { PassingCause } from './guards/breach.ts';
import type { Decimal } from '../model/decimal.ts';

/** Limits; an absent one is off. Values are in the quote currency of the instrument. */
export interface RiskSettings {
  /** Largest quantity of one order, by symbol. */
  readonly maxQuantity: ReadonlyMap<string, Decimal>;
  /** Largest price times quantity of one order, by quote currency. */
  readonly maxNotional: ReadonlyMap<string, Decimal>;
  /** How far a price may be beyond the market, as a fraction: 0.05 is 5 %. */
  readonly priceCollar?: Decimal | undefined;
  /**
   * Largest long once all open buys have filled, and largest short once all open sells have, by
   * symbol.
   */
  readonly maxPosition: ReadonlyMap<string, Decimal>;
  /** Largest short on margin once all open sells have filled, by symbol. */
  readonly maxShort?: ReadonlyMap<string, Decimal> | undefined;
  /**
   * Largest value of all holdings, longs, shorts and what open orders can make of them, by quote
   * currency.
   */
  readonly maxExposure: ReadonlyMap<string, Decimal>;
  /** Largest value of longs less shorts, either way, by quote currency. */
  readonly maxNetExposure?: ReadonlyMap<string, Decimal> | undefined;
  /** Largest effective leverage of a margin account, and the largest that may be set. */
  readonly maxLeverage?: Decimal | undefined;
  /** Largest maintenance margin of a margin account, as a fraction of its equity. */
  readonly maxMarginUse?: Decimal | undefined;
  /** Least distance of a mark price from the liquidation price, as a fraction of the mark price. */
  readonly minLiquidationDistance?: Decimal | undefined;
  /** Effect of a smaller distance: a warning, if absent, or the state `reducing`. */
  readonly onLiquidationDistance?: 'warn' | 'reduce' | undefined;
  /** Effect of a stop loss beyond the liquidation price, or too near before it; a warning if absent. */
  readonly stopBeyondLiquidation?: 'warn' | 'reject' | undefined;
  readonly maxOpenOrders?: number | undefined;
  /** Order requests in any second. */
  readonly maxOrdersPerSecond?: number | undefined;
  /** Rejects an order that would trade with one of the account's own. */
  readonly preventOwnCross: boolean;
  /** Loss since midnight UTC, by quote currency, that leads to the state `onBreach`. */
  readonly maxDailyLoss: ReadonlyMap<string, Decimal>;
  /** Largest drawdown of the equity, as a fraction. */
  readonly maxDrawdown?: Decimal | undefined;
  /** Longest time without market data. */
  readonly staleAfterUs?: number | undefined;
  /** Rejected requests in any minute. */
  readonly maxRejectsPerMinute?: number | undefined;
  /** Largest difference of the venue's clock from ours. */
  readonly maxClockSkewUs?: number | undefined;
  /** Largest change of an account without a fill, as a fraction of its value. */
  readonly maxUnexplained?: Decimal | undefined;
  /** Causes with which a breach ends: trading then resumes automatically. None if absent. */
  readonly autoResume?: ReadonlySet<PassingCause> | undefined;
  /** State after a breach while running. */
  readonly onBreach: 'reducing' | 'halted' | 'killed';
}
