import type { PassingCause } from './guards/breach.ts';
import type { Decimal } from '../model/decimal.ts';

/** Limits; whatever is absent is not limited. Values are in the quote currency of the instrument. */
export interface RiskSettings {
  /** Largest quantity of one order, by symbol. */
  readonly maxQuantity: ReadonlyMap<string, Decimal>;
  /** Largest price times quantity of one order, by quote currency. */
  readonly maxNotional: ReadonlyMap<string, Decimal>;
  /** How far a price may be beyond the market, as a fraction: 0.05 is 5 %. */
  readonly priceCollar?: Decimal | undefined;
  /** Largest long once all open buys have filled, and largest short once all open sells have, by symbol. */
  readonly maxPosition: ReadonlyMap<string, Decimal>;
  /** Largest short on margin once all open sells have filled, by symbol. */
  readonly maxShort?: ReadonlyMap<string, Decimal> | undefined;
  /** Largest value of all holdings, longs, shorts and what open orders can make of them, by quote currency. */
  readonly maxExposure: ReadonlyMap<string, Decimal>;
  /** Largest value of longs less shorts, either way, by quote currency. */
  readonly maxNetExposure?: ReadonlyMap<string, Decimal> | undefined;
  /** Largest effective leverage of a margin account, and the largest that may be set. */
  readonly maxLeverage?: Decimal | undefined;
  /** Largest part of a margin account's equity that its positions must keep, as a fraction. */
  readonly maxMarginUse?: Decimal | undefined;
  /** Shortest way of a mark price to the liquidation of a position, as a fraction of the mark price. */
  readonly minLiquidationDistance?: Decimal | undefined;
  /** What a distance below that leads to in running: a warning, if absent, or the state `reducing`. */
  readonly onLiquidationDistance?: 'warn' | 'reduce' | undefined;
  /** What becomes of a stop loss that liquidation comes before; it is warned of if absent. */
  readonly stopBeyondLiquidation?: 'warn' | 'reject' | undefined;
  readonly maxOpenOrders?: number | undefined;
  /** Order requests in any second. */
  readonly maxOrdersPerSecond?: number | undefined;
  /** An order that would trade with one of the account's own is refused. */
  readonly preventOwnCross: boolean;
  /** Loss since midnight UTC+0, by quote currency, at which the strategy is brought to `breach`. */
  readonly maxDailyLoss: ReadonlyMap<string, Decimal>;
  /** Fall of the equity from its highest, as a fraction. */
  readonly maxDrawdown?: Decimal | undefined;
  /** No market data for so long. */
  readonly staleAfterUs?: number | undefined;
  /** Refused requests in any minute. */
  readonly maxRejectsPerMinute?: number | undefined;
  /** Distance of the venue's clock from ours. */
  readonly maxClockSkewUs?: number | undefined;
  /** Change of an account by no fill, as a fraction of what it was worth. */
  readonly maxUnexplained?: Decimal | undefined;
  /** Causes whose breach is over when they are: trading goes on then by itself. None if absent. */
  readonly autoResume?: ReadonlySet<PassingCause> | undefined;
  /** The state that a breach in running leads to. */
  readonly onBreach: 'reducing' | 'halted' | 'killed';
}
