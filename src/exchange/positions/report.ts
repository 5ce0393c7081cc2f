import type { Decimal } from '../../model/decimal.ts';
import type { FullCarry, MarginReason, PositionEnd } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Contract, Funding } from './contract.ts';

/** A position at one moment; quantity 0 if it is closed. */
export interface PositionState {
  readonly id: number;
  readonly symbol: string;
  /** Negative for a short. */
  readonly quantity: Decimal;
  /** At the tick size, half up; the last one of a closed position. */
  readonly priceEntry: Decimal;
  /** Entry value of the open lots; exact, positive for both sides. */
  readonly entryValue: Decimal;
  /** PnL of closed lots, before fees. */
  readonly realizedPnl: Decimal;
  readonly feeCumulative: Decimal;
  /** Funding received less funding and interest paid. */
  readonly carry: Decimal;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A trade as it affects a position. */
export interface PositionTrade {
  /** Id of the trade; 0 for a settlement without one. */
  readonly id: number;
  /** Position that its PnL and its fees belong to: the old one at a flip. */
  readonly positionId: number;
  /** The order that executed; undefined for a settlement without one. */
  readonly clientOrderId: string | undefined;
  readonly ticks: number;
  /** Change of the position; negative for a sale. */
  readonly lots: number;
  /** PnL of the closed lots, before fees. */
  readonly pnl: Decimal;
  /** Fees of the trade; with the force close fee of a liquidation. */
  readonly fee: Decimal;
  /** How the position ends if the trade closes it. */
  readonly end: PositionEnd;
}

/** Margin account and time of a report. */
export interface MarginReportHeader {
  readonly at: number;
  readonly trader: number;
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Symbol of an isolated account. */
  readonly symbol: string | undefined;
  readonly currency: string;
}

/** A change of a margin account, with its state after it. */
export interface MarginReport extends MarginReportHeader {
  readonly type: 'created' | 'updated' | 'closed';
  readonly reason: MarginReason;
  /** Of the account; undefined if every symbol has its maximum. */
  readonly leverage: Decimal | undefined;
  /** When the account was opened. */
  readonly createdAt: number;
  readonly marginBalance: Decimal;
  readonly isCalled: boolean;
  /** The position that changed, if it is about one. */
  readonly position: PositionState | undefined;
  readonly trade: PositionTrade | undefined;
  readonly carry: FullCarry | undefined;
}

/** A deficit of an account without positions that the insurance fund and the exchange paid. */
export interface Cover extends MarginReportHeader, Pick<MarginReport, 'leverage'> {
  /** Positive. */
  readonly amount: Decimal;
}

/** An ended position. */
export interface EndedPosition extends PositionState {
  readonly mode: MarginMode;
  readonly isContract: boolean;
  /** Of its account; undefined if every symbol has its maximum. */
  readonly leverage: Decimal | undefined;
  readonly end: PositionEnd;
  /** Largest size, without sign. */
  readonly quantityMax: Decimal;
  /** Average price of its closing trades, at the tick size, half up. */
  readonly priceClose: Decimal;
}

/** Ended positions kept of each trader: one page of the history. */
const ENDED_MAX = 1_000;

/** Margin reports that are not emitted yet, and ended positions. */
export class MarginReports {
  pending: MarginReport[] = [];
  covers: Cover[] = [];
  readonly #ended = new Map<number, EndedPosition[]>();

  get isEmpty(): boolean {
    return this.pending.length === 0 && this.covers.length === 0;
  }

  /** The last thousand ended positions of a trader, oldest first. */
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
  /** A margin account changed; called after the reports of orders, before the balances. */
  marginAccount?(report: MarginReport): void;
  /** A deficit was paid; called after the report of its account. */
  covered?(cover: Cover): void;
  /** A contract's funding was paid. */
  funding?(contract: Contract, funding: Funding): void;
  /** A cash-settled contract was settled at a price in ticks. */
  settled?(contract: Contract, ticks: number): void;
}
