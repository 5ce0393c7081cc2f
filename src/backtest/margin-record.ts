import type { MarginMode } from '../model/margin-terms.ts';
import type { DecimalText, TimeText } from './result-text.ts';

/**
 * Results of margin accounts and positions; money in the equity currency unless it is an account's.
 */
export interface MarginRecord {
  /** At the end of the run, with closed ones. */
  readonly accounts: readonly MarginAccountRecord[];
  /** Margin round trips by side; `trades` has them with those of spot. */
  readonly long: MarginSide;
  readonly short: MarginSide;
  /** Received less paid, each at the prices of its time. */
  readonly funding: DecimalText;
  readonly interest: DecimalText;
  /**
   * Losses beyond the funds of accounts, paid by the insurance fund and the exchange: 0 or more.
   */
  readonly insurance: DecimalText;
  /** PnL of open positions at the mark price, less the fees of their entries. */
  readonly unrealized: DecimalText;
  /** Positions that were closed, in part or full, without an order of the strategy. */
  readonly liquidations: number;
  readonly deleveraged: number;
  readonly settled: number;
  readonly marginCalls: number;
  /** Fills without an order of the strategy; `fills` has them, marked as forced. */
  readonly forcedFills: number;
  /**
   * Peak margin of orders and positions as a share of all accounts' equity, after any report or at
   * a sample.
   */
  readonly maxUse: number | null;
  /** Peak balance of all accounts together, after any change. */
  readonly maxFunds: DecimalText;
  /** Round trips, open positions, funding, interest and insurance together over that balance. */
  readonly returnOnFunds: number | null;
}

export interface MarginSide {
  readonly count: number;
  readonly wins: number;
  readonly winRate: number | null;
  readonly net: DecimalText;
  readonly fees: DecimalText;
}

export type PaymentKind = 'funding' | 'interest' | 'insurance';

/** A receipt of a margin account, or a payment if negative, apart from trades. */
export interface PaymentRow {
  readonly at: TimeText;
  readonly kind: PaymentKind;
  readonly mode: MarginMode;
  /** Symbol of the position; `null` for a whole cross account. */
  readonly symbol: string | null;
  readonly currency: string;
  readonly amount: DecimalText;
  /** Valuation price of the position, and its rate. */
  readonly price: DecimalText | null;
  readonly rate: DecimalText | null;
}

/** Money in the account's own currency. */
export interface MarginAccountRecord {
  readonly mode: MarginMode;
  /** `null` for a cross account, which has all symbols of its currency. */
  readonly symbol: string | null;
  readonly currency: string;
  readonly balance: DecimalText;
  /** Balance and PnL of open positions. */
  readonly equity: DecimalText;
  readonly positions: readonly {
    readonly symbol: string;
    /** Negative for a short. */
    readonly size: DecimalText;
    readonly entryPrice: DecimalText;
    readonly unrealized: DecimalText;
  }[];
}
