import type { MarginMode } from '../model/margin-terms.ts';
import type { DecimalText, TimeText } from './result-text.ts';

/** What margin accounts and their positions came to; money in the equity currency unless it is an account's. */
export interface MarginRecord {
  /** As they stood at the end of the run, closed ones too. */
  readonly accounts: readonly MarginAccountRecord[];
  /** Round trips on margin by their side; `trades` has them beside those of spot. */
  readonly long: MarginSide;
  readonly short: MarginSide;
  /** Received less paid, each at the prices of its time. */
  readonly funding: DecimalText;
  readonly interest: DecimalText;
  /** Losses beyond the funds of accounts, which the insurance fund and the house paid: 0 or more. */
  readonly insurance: DecimalText;
  /** Result of open positions at the mark price, less the fees of their entries. */
  readonly unrealised: DecimalText;
  /** Positions that were closed, in part or whole, without an order of the strategy. */
  readonly liquidations: number;
  readonly deleveraged: number;
  readonly settled: number;
  readonly marginCalls: number;
  /** Fills without an order of the strategy; `fills` has them, marked as forced. */
  readonly forcedFills: number;
  /** The most of the equity of all accounts that orders and positions held, after any report or at a sample. */
  readonly maxUse: number | null;
  /** The most that all accounts had together, after any change of one of them. */
  readonly maxFunds: DecimalText;
  /** Round trips, open positions, funding, interest and insurance together over that. */
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

/** What a margin account received, or paid where it is negative, beside its trades. */
export interface PaymentRow {
  readonly at: TimeText;
  readonly kind: PaymentKind;
  readonly mode: MarginMode;
  /** Whose position it is about; `null` for a cross account as a whole. */
  readonly symbol: string | null;
  readonly currency: string;
  readonly amount: DecimalText;
  /** By which the position was valued, and the rate that it paid. */
  readonly price: DecimalText | null;
  readonly rate: DecimalText | null;
}

/** Money in the account's own currency. */
export interface MarginAccountRecord {
  readonly mode: MarginMode;
  /** `null` for a cross account, which bears all symbols of its currency. */
  readonly symbol: string | null;
  readonly currency: string;
  readonly balance: DecimalText;
  /** The balance and the results of the open positions. */
  readonly equity: DecimalText;
  readonly positions: readonly {
    readonly symbol: string;
    /** Negative for a short. */
    readonly size: DecimalText;
    readonly entryPrice: DecimalText;
    readonly unrealized: DecimalText;
  }[];
}
