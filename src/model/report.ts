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
  /** True when this order took the liquidity. */
  readonly taker: boolean;
  /** On which margin it was executed; absent for spot. */
  readonly margin?: MarginMode | undefined;
  /** When the venue executed it. */
  readonly at: Micros;
}

/** What happened to an order, with the order as it stands after it. */
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
 * A request that came to nothing: the order of a refused `place` and all orders of a refused
 * `placeList` never existed, the order of a refused `replace` or `cancel` stands as it stood.
 */
export interface RejectReport {
  readonly kind: 'rejected';
  readonly at: Micros;
  readonly request: 'place' | 'placeList' | 'replace' | 'cancel';
  /**
   * The client order id that the request named: for a replacement the id of the new order, for a list
   * the id of the list, which is that of its first order.
   */
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly rejection: Rejection;
}

/**
 * A request that was sent and not answered: it may have been done or not. The outcome comes later, as a
 * report of kind `status` or as a rejection.
 */
export interface UnknownOutcomeReport {
  readonly kind: 'outcome-unknown';
  readonly at: Micros;
  readonly request: RejectReport['request'];
  /** As in a rejection. */
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

/** All that a venue says about an account, in the order in which it happened. */
export type Report = OrderReport | RejectReport | UnknownOutcomeReport | BalanceReport;

/** A report on an order or on a request for one. */
export type AnyOrderReport = Exclude<Report, BalanceReport>;

/** The client order id that a report names. */
export const reportedId = (report: AnyOrderReport): string =>
  'order' in report ? report.order.clientOrderId : report.clientOrderId;

/** The symbol of the order or request that a report names. */
export const reportedSymbol = (report: AnyOrderReport): string =>
  'order' in report ? report.order.symbol : report.symbol;
