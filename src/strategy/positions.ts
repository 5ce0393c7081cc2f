import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Lots } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** What the strategy holds of an instrument's base currency. */
export interface Position {
  readonly instrument: Instrument;
  /** Holdings in whole lots, rounded down; reserved ones included. */
  readonly lots: Lots;
  readonly size: Decimal;
  /** Quantity-weighted mean price of the holding in ticks, not rounded; NaN if nothing is held or the cost is not known. */
  readonly entryTicks: number;
}

/** A position on margin as it stands at one moment. `lots` and `size` are negative for a short. */
export interface MarginPosition extends Position {
  readonly margin: MarginMode;
  readonly side: 'long' | 'short' | 'none';
  /** Absent without a position, as all that follows from one. */
  readonly entryPrice?: Decimal | undefined;
  /** What the position is judged by: of spot the index, of a contract the mark price. Absent while unknown. */
  readonly markPrice?: Decimal | undefined;
  /** What it is worth at that price, positive either way. */
  readonly notional?: Decimal | undefined;
  /** Its result at that price, fees apart. */
  readonly unrealizedPnl?: Decimal | undefined;
  /** Results of its closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly fees: Decimal;
  /** Funding and interest since it was opened; negative where it paid more than it received. */
  readonly carry: Decimal;
  readonly marginCallPrice?: Decimal | undefined;
  readonly liquidationPrice?: Decimal | undefined;
  /** How far the mark price is from the liquidation, as a fraction of the mark price; not rounded. */
  readonly distance?: number | undefined;
}

/** `none` before it is opened, and once it is closed. */
export type MarginState = 'none' | 'normal' | 'marginCall';

/** A margin account: the one of a symbol, or the one that all symbols of a currency share. */
export interface MarginAccount {
  readonly mode: MarginMode;
  readonly state: MarginState;
  /** Currency of its funds. */
  readonly currency: string;
  /** Funds, results of closed positions included and of open ones not. */
  readonly balance: Decimal;
  /** Held for active orders and for open positions, as of its last report. */
  readonly reservedOrders: Decimal;
  readonly reservedPositions: Decimal;
  /** What is neither held nor lost so far; 0 at least. */
  readonly available: Decimal;
  /** The balance with the results of open positions at their mark prices; absent while one is unknown. */
  readonly equity?: Decimal | undefined;
  /** The most that its positions may have when they are opened; absent where each symbol's own limit holds. */
  readonly leverage?: Decimal | undefined;
  /** What its positions are worth over its equity, to 4 decimals, half up; absent where that is not known. */
  readonly effectiveLeverage?: Decimal | undefined;
}

interface MarginEventBase {
  readonly at: Micros;
  readonly mode: MarginMode;
  /** Of the position, or of the isolated account; absent for what concerns a cross account as a whole. */
  readonly symbol?: string | undefined;
  /** True if it happened while the venue was disconnected, as while a bot was down. */
  readonly missed?: true | undefined;
}

/** What happens to margin accounts without an order of the strategy, and what its requests come to. */
export type MarginEvent = MarginEventBase &
  (
    | {
        /** Positive where the position received. */
        readonly kind: 'funding' | 'interest';
        readonly amount: Decimal;
        /** Index of a spot symbol or mark price of a contract; absent where the venue does not give it. */
        readonly price?: Decimal | undefined;
        /** Of interest a day's, of funding a period's; absent where the venue does not give it. */
        readonly rate?: Decimal | undefined;
      }
    | { readonly kind: 'marginCall' | 'recovered' }
    | {
        /** A position was closed by the venue, in part or whole; `lots` is what is left of it. */
        readonly kind: 'liquidated' | 'deleveraged' | 'settled';
        readonly lots: number;
      }
    /** Somebody else traded the position or moved the funds; `lots` is what it is now. */
    | { readonly kind: 'changedByOthers'; readonly lots: number }
    | { readonly kind: 'marginChanged'; readonly balance: Decimal }
    | { readonly kind: 'leverageChanged'; readonly leverage: Decimal | undefined }
    | { readonly kind: 'rejected'; readonly rejection: Rejection }
  );
