import type { OrderRequest } from '../../engine/gateway.ts';
import type { Membership } from '../../engine/orders/own-order.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { OrderType, Side, TimeInForce, VenueOrder } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { OwnRates } from '../../rules/own-rates.ts';
import type { TrackedOrder } from '../../strategy/context.ts';
import type { TradingState } from '../../risk/state.ts';

/** What a strategy is about to send. */
export interface Intent {
  readonly at: Micros;
  readonly strategy: string;
  readonly request: OrderRequest;
  /** True when it comes of a wish. */
  readonly wished: boolean;
}

/** An order of ours as the journal has it. */
export interface JournaledOrder extends OwnRates {
  readonly clientOrderId: string;
  readonly strategy: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly lots: Lots;
  readonly executedLots: Lots;
  /** Sum of the fills that were heard of, those of the orders it replaced included. */
  readonly seenLots: Lots;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  readonly status: TrackedOrder['status'];
  readonly wished: boolean;
  readonly membership?: Membership | undefined;
  /** The order that it replaces or replaced. */
  readonly replaces?: string | undefined;
  /** The order that took its place. */
  readonly replacedBy?: string | undefined;
  /** Why it was refused, or taken for lost. */
  readonly refusal?: Refusal | undefined;
  readonly intendedAt: Micros;
  /** When we heard of its end; absent while it is open. */
  readonly endedAt?: Micros | undefined;
  /** As last reported; absent while nothing was heard of it. */
  readonly venueOrder?: VenueOrder | undefined;
  /** Numbers of the fills that were heard of. */
  readonly fillIds: ReadonlySet<number>;
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
export type JournaledBalance = Omit<BalanceReport, 'kind'>;

/** What the journal has of all that a venue's truth names. */
export interface JournaledAccount {
  /** The open orders, and those that the truth names. */
  readonly orders: readonly JournaledOrder[];
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
