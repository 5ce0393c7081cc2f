import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Lots } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** The strategy's holding of an instrument's base currency. */
export interface Position {
  readonly instrument: Instrument;
  /** Holding in whole lots, rounded down, with reserved ones. */
  readonly lots: Lots;
  readonly size: Decimal;
  /**
   * Average entry price in ticks, weighted by quantity, not rounded; NaN if nothing is held or the
   * cost is unknown.
   */
  readonly entryTicks: number;
}

/** A margin position at one moment. `lots` and `size` are negative for a short. */
export interface MarginPosition extends Position {
  readonly margin: MarginMode;
  readonly side: 'long' | 'short' | 'none';
  /** Absent without a position, as all that follows from one. */
  readonly entryPrice?: Decimal | undefined;
  /**
   * Price that the position is checked by: the index for spot, the mark price for a contract.
   * Absent while unknown.
   */
  readonly markPrice?: Decimal | undefined;
  /** Value at that price, positive for both sides. */
  readonly notional?: Decimal | undefined;
  /** PnL at that price, before fees. */
  readonly unrealizedPnl?: Decimal | undefined;
  /** PnL of its closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly fees: Decimal;
  /** Funding and interest since it was opened; negative if it paid more than it received. */
  readonly carry: Decimal;
  readonly marginCallPrice?: Decimal | undefined;
  readonly liquidationPrice?: Decimal | undefined;
  /**
   * Distance of the mark price from the liquidation price, as a fraction of the mark price; not
   * rounded.
   */
  readonly distance?: number | undefined;
}

/** `none` before it is opened, and once it is closed. */
export type MarginState = 'none' | 'normal' | 'marginCall';

/** A margin account: that of a symbol, or the shared one of all symbols of a currency. */
export interface MarginAccount {
  readonly mode: MarginMode;
  readonly state: MarginState;
  /** Currency of its funds. */
  readonly currency: string;
  /** Funds with the PnL of closed positions, without that of open ones. */
  readonly balance: Decimal;
  /** Margin of active orders and of open positions, as of its last report. */
  readonly reservedOrders: Decimal;
  readonly reservedPositions: Decimal;
  /** Funds that are neither held nor lost so far; at least 0. */
  readonly available: Decimal;
  /** Balance with the PnL of open positions at their mark prices; absent while one is unknown. */
  readonly equity?: Decimal | undefined;
  /** Maximum leverage when its positions are opened; absent if each symbol's own limit applies. */
  readonly leverage?: Decimal | undefined;
  /** Value of its positions ÷ its equity, to 4 decimals, half up; absent while unknown. */
  readonly effectiveLeverage?: Decimal | undefined;
}

interface MarginEventBase {
  readonly at: Micros;
  readonly mode: MarginMode;
  /** Symbol of the position or isolated account; absent for an event of a whole cross account. */
  readonly symbol?: string | undefined;
  /** True if it happened while the venue was disconnected, for example while a bot was down. */
  readonly missed?: true | undefined;
}

/** Events of margin accounts without an order of the strategy, and results of its requests. */
export type MarginEvent = MarginEventBase &
  (
    | {
        /** Positive if the position received. */
        readonly kind: 'funding' | 'interest';
        readonly amount: Decimal;
        /**
         * Index of a spot symbol or mark price of a contract; absent if the venue does not send it.
         */
        readonly price?: Decimal | undefined;
        /** Daily for interest, per period for funding; absent if the venue does not send it. */
        readonly rate?: Decimal | undefined;
      }
    | { readonly kind: 'marginCall' | 'recovered' }
    | {
        /** The venue closed a position, in part or full; `lots` remain. */
        readonly kind: 'liquidated' | 'deleveraged' | 'settled';
        readonly lots: number;
      }
    /** Another client traded the position or moved the funds; `lots` is the new size. */
    | { readonly kind: 'changedByOthers'; readonly lots: number }
    | { readonly kind: 'marginChanged'; readonly balance: Decimal }
    | { readonly kind: 'leverageChanged'; readonly leverage: Decimal | undefined }
    | { readonly kind: 'rejected'; readonly rejection: Rejection }
  );
