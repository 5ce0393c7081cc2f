import type { Decimal } from '../../model/decimal.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';

/** A position at one moment; its quantity is 0 when it was closed. */
export interface PositionState {
  readonly id: number;
  readonly symbol: string;
  /** Negative for a short. */
  readonly quantity: Decimal;
  /** At the tick size, half up; of a closed position the last one. */
  readonly priceEntry: Decimal;
  /** What the open lots cost or brought; exact, positive either way. */
  readonly entryValue: Decimal;
  /** Results of closed lots, before fees. */
  readonly realisedPnl: Decimal;
  readonly feeCumulative: Decimal;
  /** Funding received less funding and interest paid. */
  readonly carry: Decimal;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What of a trade concerns the position. */
export interface PositionTrade {
  /** The trade's id; 0 for a settlement without a trade. */
  readonly id: number;
  /** The position that its result and its fees count to: of a turn the old one. */
  readonly positionId: number;
  /** The order that executed; undefined for a settlement without a trade. */
  readonly clientOrderId: string | undefined;
  readonly ticks: number;
  /** What the position has gained; negative where sold. */
  readonly lots: number;
  /** Result of what it closed, before fees. */
  readonly pnl: Decimal;
  /** Fees of the trade; of a liquidation the force close fee included. */
  readonly fee: Decimal;
  /** How a position ends that it closes. */
  readonly end: PositionEnd;
}

/** What happened to a margin account, as it stood then. */
export interface MarginReport {
  readonly type: 'created' | 'updated' | 'closed';
  readonly reason: MarginReason;
  readonly at: number;
  readonly trader: number;
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Of an isolated account its symbol. */
  readonly symbol: string | undefined;
  readonly currency: string;
  /** As of the account; undefined where every symbol has the most that it allows. */
  readonly leverage: Decimal | undefined;
  /** When the account was opened. */
  readonly createdAt: number;
  readonly marginBalance: Decimal;
  readonly isCalled: boolean;
  /** The position that it is about, where it is about one. */
  readonly position: PositionState | undefined;
  readonly trade: PositionTrade | undefined;
  readonly carry: FullCarry | undefined;
}

/** What an account without positions lacked, and the insurance fund and the house paid. */
export interface Cover extends Pick<
  MarginReport,
  'at' | 'trader' | 'mode' | 'isContract' | 'symbol' | 'currency' | 'leverage'
> {
  /** Positive. */
  readonly amount: Decimal;
}

/** The published pairs: a position that opens is `created`, an account without one `closed`. */
export const reportType = (reason: MarginReason): MarginReport['type'] => {
  if (reason === 'created' || reason === 'reopened' || reason === 'flipTrade') return 'created';
  return reason === 'closed' ? 'closed' : 'updated';
};
