import type { OrderChange } from '../../engine/orders/order-store.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import type { Balance } from '../../strategy/context.ts';
import type { Micros } from '../../platform/time.ts';
import type { TradingState } from '../../risk/state.ts';

/** What a strategy is about to send. */
export interface Intent {
  readonly at: Micros;
  readonly strategy: string;
  readonly request: OrderRequest;
  /** True when it comes of a wish. */
  readonly wished: boolean;
}

/** A fill and the strategy whose it is. */
export interface JournaledFill extends Fill {
  readonly strategy: string;
}

/** What a strategy's fills have changed of a currency since the journal began. */
export interface JournaledHolding {
  readonly strategy: string;
  readonly currency: string;
  readonly change: Decimal;
}

/** What reconciliation found and did. */
export interface JournaledFinding {
  readonly at: Micros;
  readonly kind: string;
  readonly clientOrderId?: string | undefined;
  readonly symbol?: string | undefined;
  /** A sentence for people. */
  readonly message: string;
}

/** Whose a report was, and whether it told what was not known. */
export interface Heard {
  /** Absent for balances, and for orders and fills that are not ours. */
  readonly strategy?: string | undefined;
  /** False for a fill that was heard of before. */
  readonly isNew: boolean;
  /** What it changed of the orders. */
  readonly changes: readonly OrderChange[];
}

/** What a strategy, an account or the bot may do, and since when. */
export interface JournaledState {
  readonly scope: string;
  readonly state: TradingState;
  readonly why: string;
  readonly at: Micros;
}

/** What a day began with, in one quote currency. */
export interface DayStart {
  /** The midnight (UTC+0) that it began at. */
  readonly midnight: Micros;
  readonly equity: Decimal;
  /** The highest equity ever, from which drawdowns are counted. */
  readonly highest: Decimal;
}

/** Balances of a currency as last heard; `at` is the venue's time. */
export interface JournaledBalance extends Balance {
  readonly at: Micros;
}

/** What the journal has of all that a venue's truth names. */
export interface JournaledAccount {
  /** The open orders, and those that the truth names. */
  readonly orders: readonly Order[];
  /** Keys of the fills of others that are known, as `foreignKey` makes them. */
  readonly foreignFills: ReadonlySet<string>;
  /** Client order ids of the orders of others that were told of. */
  readonly foreignOrders: ReadonlySet<string>;
  readonly balances: ReadonlyMap<string, JournaledBalance>;
  readonly instruments: ReadonlyMap<string, Instrument>;
}

/** Tells a fill that is not ours from all others. */
export const foreignKey = ({ clientOrderId, symbol, id }: Fill): string =>
  `${clientOrderId} ${symbol} ${id}`;
