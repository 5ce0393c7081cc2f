import type { MarginMode } from '../model/margin-terms.ts';
import type { DecimalText } from './result-text.ts';

/** What margin accounts and their positions came to; money in the equity currency unless it is an account's. */
export interface MarginEcho {
  /** As they stood at the end of the run, closed ones too. */
  readonly accounts: readonly MarginAccountEcho[];
  /** Round trips on margin by their side; `trades` has them beside those of spot. */
  readonly long: MarginSide;
  readonly short: MarginSide;
  /** Received less paid, each at the prices of its time. */
  readonly funding: DecimalText;
  readonly interest: DecimalText;
  /** Positions that were closed, in part or whole, without an order of the strategy. */
  readonly liquidations: number;
  readonly deleveraged: number;
  readonly settled: number;
  readonly marginCalls: number;
  /** The most of the equity of all accounts that orders and positions held at a sample, 0 to 1. */
  readonly maxUse: number | null;
  /** The most that all accounts had at a sample. */
  readonly maxFunds: DecimalText;
  /** Round trips, open positions, funding and interest together over that. */
  readonly returnOnFunds: number | null;
}

export interface MarginSide {
  readonly count: number;
  readonly wins: number;
  readonly winRate: number | null;
  readonly net: DecimalText;
  readonly fees: DecimalText;
}

/** Money in the account's own currency. */
export interface MarginAccountEcho {
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
