import type { Micros } from '../platform/time.ts';
import type { Decimal } from './decimal.ts';
import type { OrderMargin } from './margin-terms.ts';
import type { Rejection } from './rejections.ts';
import type { Lots, Ticks } from './units.ts';

export type Side = 'buy' | 'sell';
export const SIDES: readonly Side[] = ['buy', 'sell'];

export const ORDER_TYPES = [
  'limit',
  'market',
  'stopLimit',
  'stopMarket',
  'takeProfitLimit',
  'takeProfitMarket',
] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** True for the types that carry a limit price. */
export const hasPrice = (type: OrderType): boolean =>
  type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';

/** True for the types that wait for a trigger. */
export const hasStopPrice = (type: OrderType): boolean => type !== 'limit' && type !== 'market';

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'Day', 'GTD'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** How the orders of a list depend on each other. */
export const CONTINGENCY_TYPES = [
  'allOrNone',
  'oneCancelOther',
  'oneTriggerOther',
  'oneTriggerOneCancelOther',
] as const;
export type ContingencyType = (typeof CONTINGENCY_TYPES)[number];

/** Which price a stop price follows: the last trade, or the best bid for a sell and the best ask for a buy. */
export const TRAILED_PRICES = ['last', 'touch'] as const;
export type TrailedPrice = (typeof TRAILED_PRICES)[number];

/** Fee rates that an order asks for itself, as fractions; they can only raise what it pays. */
export interface OwnRates {
  readonly takeRate?: Decimal | undefined;
  readonly makeRate?: Decimal | undefined;
}

/** The terms of an order in whole ticks and lots, defaults filled in. */
export interface OrderTerms extends OwnRates {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Total quantity, what is executed included. */
  readonly lots: Lots;
  /** Limit price; with the limit types only. */
  readonly ticks?: Ticks | undefined;
  /** Trigger price; with stop and take-profit types only. */
  readonly stopTicks?: Ticks | undefined;
  /** With GTD only. */
  readonly expireAt?: Micros | undefined;
  readonly postOnly: boolean;
  /** Absent for a spot order. */
  readonly margin?: OrderMargin | undefined;
}

/** An order as it is asked for; its fields have passed the rules. */
export interface NewOrder extends OrderTerms {
  /** Given by whoever sends the order. */
  readonly clientOrderId: string;
  readonly symbol: string;
}

/** The list that an order belongs to, and its place there. */
export interface ListMembership {
  /** The client order id of the first order, which the list keeps for life. */
  readonly orderListId?: string | undefined;
  readonly contingencyType?: ContingencyType | undefined;
  /** 0 for the first order; a replacement takes the place of the order that it replaced. */
  readonly listIndex?: number | undefined;
}

/** As the trading service names them. */
export type OrderStatus =
  | 'new'
  | 'suspended'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'expired';

/** An order as a venue reports it, in whole ticks and lots. */
export interface VenueOrder extends Omit<NewOrder, keyof OwnRates> {
  /** Given by the venue; a replacement gets a new one. */
  readonly id: number;
  /** The client order id that this order replaced. */
  readonly originalClientOrderId?: string | undefined;
  readonly status: OrderStatus;
  readonly filledLots: Lots;
  /** Of an order of a list: the id that the list has for life, and what it is. */
  readonly orderListId?: string | undefined;
  readonly contingencyType?: ContingencyType | undefined;
  /** Of an order of a list that waits for the primary to fill. */
  readonly inactive?: true | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** What an order has come to, as far as we know. */
export type OrderState =
  /** Rejected: it never was at the venue. */
  | { readonly status: 'rejected'; readonly rejection: Rejection }
  | {
      /**
       * `pending`: sent, not answered. `unknown`: the outcome is not known and counts fully against
       * limits. The rest as the venue says.
       */
      readonly status: OrderStatus | 'pending' | 'unknown';
      /** Why it ended, where that is worth a word: its protection ended, the venue lost it. */
      readonly rejection?: Rejection | undefined;
    };

/**
 * An own order, from the request to its end. It is never changed: `applyOrderEvent` makes the next
 * one of it, and is the only place that does.
 */
export type Order = NewOrder &
  ListMembership &
  OrderState & {
    /** The strategy that asked for it. */
    readonly strategy: string;
    /** True when a target or a quote keeps it; the engine alone works on it then. */
    readonly managed: boolean;
    /** When it was asked for, by our clock. */
    readonly requestedAt: Micros;
    /** When we received its end; absent while it is open. */
    readonly endedAt?: Micros | undefined;
    /** As the venue says, or the fills received where they are ahead of that. */
    readonly filledLots: Lots;
    /** Sum of the fills received, those of the orders that it replaced included. */
    readonly receivedLots: number;
    /** Lots that the venue counts without a fill of ours: it gave its whole account of the order then. */
    readonly settledLots: number;
    /** Numbers of the fills received, lowest first. */
    readonly fillIds: readonly number[];
    /** The order that this one replaces, or is to replace. */
    readonly replaces?: string | undefined;
    /** The order that took its place: this one is `canceled` for it. */
    readonly replacedBy?: string | undefined;
    /** True for an open order of a list that waits for the first one to fill. */
    readonly inactive?: true | undefined;
    /** True for an order of a list that ended while it waited for the first one. */
    readonly endedInactive: boolean;
    /** True once its cancel was sent. */
    readonly cancelRequested: boolean;
    /** Requests to replace or cancel it that were rejected. */
    readonly rejectedRequests: number;
    /** As last reported; absent before the first report. */
    readonly venueOrder?: VenueOrder | undefined;
  };

/** Orders that depend on each other. */
export interface OrderList {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /** In list order, each as it now is; a replacement is at the place of the order that it replaced. */
  readonly orders: readonly Order[];
  /** True while one of its orders can still execute. */
  readonly active: boolean;
}

/** True while the order can still execute or be canceled. */
export const isActive = (status: OrderStatus): boolean =>
  status === 'new' || status === 'suspended' || status === 'partiallyFilled';

/** True while nothing is known of it: it may be at the venue or not. */
export const isUnanswered = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'pending' || status === 'unknown';

/** True while it can still execute, as far as we know. */
export const isOpen = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'pending' || status === 'unknown' || (status !== 'rejected' && isActive(status));

/** True for an order that was ended because the venue did not know it. */
export const isLost = ({ rejection }: Pick<Order, 'rejection'>): boolean =>
  rejection?.code === 'order-lost';

/** Lots that fills account for: received, or settled by the venue's whole account. */
export const countedLots = ({
  receivedLots,
  settledLots,
}: Pick<Order, 'receivedLots' | 'settledLots'>): number => receivedLots + settledLots;

/** Lots that may still come as fills: what is open, and what the venue executed but was not received. */
export const outstandingLots = (order: Order): number =>
  Math.max(0, (isOpen(order) ? order.lots : order.filledLots) - countedLots(order));
