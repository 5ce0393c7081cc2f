import type { PositionCarry } from '../../gateways/venue-account.ts';
import type { OrderChange } from '../../engine/orders/order-store.ts';
import type {
  MarginAccountId,
  MarginAccountReport,
  MarginAccountState,
  MarginReport,
} from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { ManagedState } from '../../model/managed-state.ts';
import type { Order } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';
import type { Micros } from '../../platform/time.ts';
import type { TradingState } from '../../risk/state.ts';
import type { SharedParts } from '../../rules/margin/shared-account.ts';

/** A request that a strategy is about to send. */
export interface Intent {
  readonly at: Micros;
  readonly strategy: string;
  readonly request: OrderRequest;
  /** True if a managed order made it. */
  readonly managed: boolean;
}

/** A margin account setting that a strategy is about to send. */
export interface MarginIntent {
  readonly at: Micros;
  readonly strategy: string;
  readonly request: MarginRequest;
}

/**
 * State of a managed order that a restart needs, on disk together with the requests that follow from it.
 */
export interface ManagedIntent {
  readonly strategy: string;
  readonly managed: ManagedState;
}

export type AnyIntent = Intent | MarginIntent | ManagedIntent;

/** A margin account and its journaled state. */
export interface JournaledMargin {
  readonly marginAccount: MarginAccountId;
  /** The owner; absent while no strategy has used it. */
  readonly strategy?: string | undefined;
  /** As last reported. */
  readonly state?: MarginAccountState | undefined;
  /** The time of the last report. */
  readonly at?: Micros | undefined;
  /** The time of the first report. */
  readonly since?: Micros | undefined;
  /** The time of the last snapshot that it was compared with: everything before is known. */
  readonly comparedAt?: Micros | undefined;
  /** Amount moved from the spot balance less the amount returned, as far as it is its strategy's. */
  readonly transferred: Decimal;
  /** The last transfers, oldest first; negative if funds came back. */
  readonly moves: readonly MarginMove[];
  /** The unanswered setting, and who requested it if the account is shared. */
  readonly asked?: MarginAsked | undefined;
  /** Its parts, if several strategies share it. */
  readonly parts?: SharedParts | undefined;
  /** Its state before reports that may follow missing ones; absent while all reports are known. */
  readonly base?: MarginBase | undefined;
  /**
   * Of a shared account: reports of this connection that wait until it is known what happened before the
   * first of them. They are not in the file: the next connection begins with the account as it is.
   */
  readonly held?: readonly MarginAccountReport[] | undefined;
}

export interface MarginAsked extends Pick<MarginRequest, 'balance' | 'leverage'> {
  readonly by?: string | undefined;
}

/** A report of a margin account as emitted to a strategy. */
export interface ReceivedMargin {
  readonly strategy: string;
  readonly report: MarginReport;
  /** Its state before; absent if the account as a whole has it. */
  readonly before?: MarginAccountState | undefined;
}

/** A snapshot with which everything was compared. */
export interface ComparedSnapshot {
  readonly at: Micros;
  /** True for an account that is left to the next snapshot. */
  readonly isLeft?: (marginAccount: MarginAccountId) => boolean;
  /** False while the connection is lost. */
  readonly isReceived?: boolean;
}

/** A report that was held, and what is now emitted to strategies. */
export interface CaughtUp {
  readonly report: MarginAccountReport;
  readonly received: readonly ReceivedMargin[];
}

/** A transfer between a margin account and the spot balance. */
export interface MarginMove {
  readonly at: Micros;
  readonly amount: Decimal;
}

export interface MarginBase {
  readonly state?: MarginAccountState | undefined;
  readonly at?: Micros | undefined;
  /** `transferred` of that time. */
  readonly transferred: Decimal;
  /** Positions whose end was reported since. */
  readonly ends: readonly number[];
  /** Of a shared account its parts at that time. */
  readonly parts?: SharedParts | undefined;
  /** Own fills since then that are not counted into these parts. */
  readonly fills?: readonly PartFill[] | undefined;
}

/** A fill of a strategy on a shared account. */
export interface PartFill {
  readonly strategy: string;
  readonly fill: Fill;
  /** How many of the held reports preceded it; none for a missed fill. */
  readonly heldBefore: number;
}

/** A fill and its strategy. */
export interface JournaledFill extends Fill {
  readonly strategy: string;
}

/**
 * Changes of a currency since the journal began, by a strategy's fills and its transfers to margin
 * accounts.
 */
export interface JournaledHolding {
  readonly strategy: string;
  readonly currency: string;
  readonly change: Decimal;
}

/** A discrepancy that reconciliation found, and its repair. */
export interface JournaledDiscrepancy {
  readonly at: Micros;
  readonly kind: string;
  readonly clientOrderId?: string | undefined;
  readonly symbol?: string | undefined;
  /** A sentence for people. */
  readonly message: string;
}

/** The strategy of a report, and whether it was new. */
export interface JournaledReport {
  /** Absent for balances, and for orders and fills that are not ours. */
  readonly strategy?: string | undefined;
  /** False for a fill that was received before. */
  readonly isNew: boolean;
  /** Changes of the orders by it. */
  readonly changes: readonly OrderChange[];
}

/** Trading state of a strategy, an account or the bot, and since when. */
export interface JournaledState {
  readonly scope: string;
  readonly state: TradingState;
  readonly why: string;
  readonly at: Micros;
}

/** Equity at the start of a day, in one quote currency. */
export interface DayStart {
  /** The midnight (UTC+0) that it began at. */
  readonly midnight: Micros;
  readonly equity: Decimal;
  /** The highest equity ever, from which drawdowns are counted. */
  readonly highest: Decimal;
}

/** Balances of a currency as last received; `at` is the venue's time. */
export interface JournaledBalance extends Balance {
  readonly at: Micros;
}

/** The journal's records of everything in a venue's snapshot. */
export interface JournaledAccount {
  /** The open orders, and those that the snapshot names. */
  readonly orders: readonly Order[];
  /** Keys of known foreign fills, as `foreignKey` makes them. */
  readonly foreignFills: ReadonlySet<string>;
  /** Client order ids of reported foreign orders. */
  readonly foreignOrders: ReadonlySet<string>;
  readonly balances: ReadonlyMap<string, JournaledBalance>;
  readonly instruments: ReadonlyMap<string, Instrument>;
  readonly margin: readonly JournaledMargin[];
  /** True for funding and interest that were booked. */
  readonly knowsCarry: (carry: AccountCarry) => boolean;
}

/** A payment of a margin account: a report of a cross account may leave out its symbol. */
export type AccountCarry = Omit<PositionCarry, 'symbol' | 'mode'> & {
  readonly symbol?: string | undefined;
  readonly mode: MarginMode;
};

/** Identifies a fill that is not ours. */
export const foreignKey = ({ clientOrderId, symbol, id }: Fill): string =>
  `${clientOrderId} ${symbol} ${id}`;
