import type { Decimal } from '../../model/decimal.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Contract, Funding } from './contract.ts';

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

/** Which margin account something is about, and when it was. */
export interface MarginReportHeader {
  readonly at: number;
  readonly trader: number;
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Of an isolated account its symbol. */
  readonly symbol: string | undefined;
  readonly currency: string;
}

/** What happened to a margin account, as it stood then. */
export interface MarginReport extends MarginReportHeader {
  readonly type: 'created' | 'updated' | 'closed';
  readonly reason: MarginReason;
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
export interface Cover extends MarginReportHeader, Pick<MarginReport, 'leverage'> {
  /** Positive. */
  readonly amount: Decimal;
}

/** An ended position. */
export interface EndedPosition extends PositionState {
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** As of its account; undefined where every symbol has the most that it allows. */
  readonly leverage: Decimal | undefined;
  readonly end: PositionEnd;
  /** The most that it was, without a sign. */
  readonly quantityMax: Decimal;
  /** The mean price of what closed it, at the tick size, half up. */
  readonly priceClose: Decimal;
}

/** Ended positions that are kept of each trader: as many as one page of the history can hold. */
const ENDED_MAX = 1_000;

/** What happened to margin accounts and is not emitted yet, and the positions that have ended. */
export class MarginReports {
  pending: MarginReport[] = [];
  covers: Cover[] = [];
  readonly #ended = new Map<number, EndedPosition[]>();

  get isEmpty(): boolean {
    return this.pending.length === 0 && this.covers.length === 0;
  }

  /** Ended positions of a trader, oldest first, the last thousand of them. */
  ended(trader: number): readonly EndedPosition[] {
    return this.#ended.get(trader) ?? [];
  }

  keep(trader: number, position: EndedPosition): void {
    const ended = this.#ended.get(trader) ?? [];
    this.#ended.set(trader, ended);
    ended.push(position);
    if (ended.length > ENDED_MAX) ended.shift();
  }
}

/** The published pairs: a position that opens is `created`, an account without one `closed`. */
export const reportType = (reason: MarginReason): MarginReport['type'] => {
  if (reason === 'created' || reason === 'reopened' || reason === 'flipTrade') return 'created';
  return reason === 'closed' ? 'closed' : 'updated';
};

/** Listener of margin accounts and futures contracts. */
export interface MarginListener {
  /** Something happened to a margin account; called after the reports of orders, before the balances. */
  marginAccount?(report: MarginReport): void;
  /** What an account lacked was paid for it; called after the report of its account. */
  covered?(cover: Cover): void;
  /** A contract's funding was paid. */
  funding?(contract: Contract, funding: Funding): void;
  /** A cash-settled contract was settled at a price in ticks. */
  settled?(contract: Contract, ticks: number): void;
}
