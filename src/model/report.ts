import type { Micros } from '../platform/time.ts';
import type { Amount } from './amount.ts';
import type { MarginMode } from './margin-terms.ts';
import type { Side, VenueOrder } from './order.ts';
import type { Rejection } from './rejections.ts';
import type { Lots, Ticks } from './units.ts';

/** One execution of an own order. */
export interface Fill {
  /** The venue's trade id. */
  readonly id: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  /** In `feeCurrency`; negative for a rebate. */
  readonly fee: Amount;
  readonly feeCurrency: string;
  /** True if this order was the taker. */
  readonly taker: boolean;
  /** Margin mode; absent for spot. */
  readonly margin?: MarginMode | undefined;
  /** Time of the execution at the venue. */
  readonly at: Micros;
}

/** A report with the order's state after it. */
export type OrderReport =
  | {
      readonly kind: 'new' | 'suspended' | 'canceled' | 'expired' | 'replaced' | 'status';
      readonly at: Micros;
      readonly order: VenueOrder;
    }
  | {
      readonly kind: 'trade';
      readonly at: Micros;
      readonly order: VenueOrder;
      readonly fill: Fill;
    };

/**
 * A rejected request: the orders of a rejected `place` or `placeList` never existed, the order of a
 * rejected `replace` or `cancel` is unchanged.
 */
export interface RejectReport {
  readonly kind: 'rejected';
  readonly at: Micros;
  readonly request: 'place' | 'placeList' | 'replace' | 'cancel';
  /**
   * Client order id of the request: the new order's for a replacement, the list's id, which is that
   * of its first order, for a list.
   */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly rejection: Rejection;
}

/**
 * A request that was sent and not answered: it may have been done or not. The outcome comes later, as a report of kind `status`
 * or as a rejection.
 */
export interface UnknownOutcomeReport {
  readonly kind: 'outcome-unknown';
  readonly at: Micros;
  readonly request: RejectReport['request'];
  /** As in `RejectReport`. */
  readonly clientOrderId: string;
  readonly symbol: string;
}

/** Balances of one currency after a change. */
export interface BalanceReport {
  readonly kind: 'balance';
  readonly at: Micros;
  readonly currency: string;
  readonly available: Amount;
  /** Held for active orders. */
  readonly reserved: Amount;
}

/** Reports of a venue about an account, in order. */
export type Report = OrderReport | RejectReport | UnknownOutcomeReport | BalanceReport;

/** A report on an order or an order request. */
export type AnyOrderReport = Exclude<Report, BalanceReport>;

/** The client order id that a report names. */
export const reportedId = (report: AnyOrderReport): string =>
  'order' in report ? report.order.clientOrderId : report.clientOrderId;

/** The symbol of the order or request that a report names. */
export const reportedSymbol = (report: AnyOrderReport): string =>
  'order' in report ? report.order.symbol : report.symbol;
