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

/** True for the types with a limit price. */
export const hasPrice = (type: OrderType): boolean =>
  type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';

/** True for the types with a stop price. */
export const hasStopPrice = (type: OrderType): boolean => type !== 'limit' && type !== 'market';

export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'Day', 'GTD'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** How orders of a list depend on each other. */
export const CONTINGENCY_TYPES = [
  'allOrNone',
  'oneCancelOther',
  'oneTriggerOther',
  'oneTriggerOneCancelOther',
] as const;
export type ContingencyType = (typeof CONTINGENCY_TYPES)[number];

/**
 * Price that a stop price trails: the last trade, or the best bid for a sell and the best ask for a
 * buy.
 */
export const TRAILED_PRICES = ['last', 'touch'] as const;
export type TrailedPrice = (typeof TRAILED_PRICES)[number];

/** An order's own fee rates, as fractions; they can only raise its account's. */
export interface OwnRates {
  readonly takeRate?: Decimal | undefined;
  readonly makeRate?: Decimal | undefined;
}

/** Terms of an order in whole ticks and lots, with defaults. */
export interface OrderTerms extends OwnRates {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Total quantity, filled lots included. */
  readonly lots: Lots;
  /** Limit price; only for the limit types. */
  readonly ticks?: Ticks | undefined;
  /** Stop price; only for stop and take-profit types. */
  readonly stopTicks?: Ticks | undefined;
  /** Only for GTD. */
  readonly expireAt?: Micros | undefined;
  readonly postOnly: boolean;
  /** Absent for a spot order. */
  readonly margin?: OrderMargin | undefined;
}

/** A requested order whose fields have passed the rules. */
export interface NewOrder extends OrderTerms {
  /** Chosen by the sender. */
  readonly clientOrderId: string;
  readonly symbol: string;
}

/** The list of an order, and its position there. */
export interface ListMembership {
  /** Original client order id of the first order; it never changes. */
  readonly orderListId?: string | undefined;
  readonly contingencyType?: ContingencyType | undefined;
  /** 0 for the first order; a replacement has the index of the replaced order. */
  readonly listIndex?: number | undefined;
}

/** Order statuses of the trading service. */
export type OrderStatus =
  | 'new'
  | 'suspended'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'expired';

/** An order as a venue reports it, in whole ticks and lots. */
export interface VenueOrder extends Omit<NewOrder, keyof OwnRates> {
  /** Issued by the venue; a replacement gets a new one. */
  readonly id: number;
  /** The client order id that this order replaced. */
  readonly originalClientOrderId?: string | undefined;
  readonly status: OrderStatus;
  readonly filledLots: Lots;
  /** For an order of a list: the constant id of the list, and its contingency type. */
  readonly orderListId?: string | undefined;
  readonly contingencyType?: ContingencyType | undefined;
  /** True for an order of a list that waits for the primary to fill. */
  readonly inactive?: true | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** Known state of an order. */
export type OrderState =
  /** Rejected: the venue never accepted it. */
  | { readonly status: 'rejected'; readonly rejection: Rejection }
  | {
      /**
       * `pending`: sent, not answered. `unknown`: the outcome is unknown and counts fully against
       * limits. The others are the venue's.
       */
      readonly status: OrderStatus | 'pending' | 'unknown';
      /** Why it ended, if it needs an explanation: its protection ended, the venue lost it. */
      readonly rejection?: Rejection | undefined;
    };

/**
 * An own order, from the request to its end. It is immutable: only `applyOrderEvent` makes its next
 * state.
 */
export type Order = NewOrder &
  ListMembership &
  OrderState & {
    /** Strategy that sent it. */
    readonly strategy: string;
    /** True for a managed order, which only the engine changes. */
    readonly managed: boolean;
    /** Time of the request, by our clock. */
    readonly requestedAt: Micros;
    /** Time of receipt of its end; absent while it is open. */
    readonly endedAt?: Micros | undefined;
    /** As the venue reports it, or the fills received if they are ahead. */
    readonly filledLots: Lots;
    /** Sum of the fills received, those of replaced orders included. */
    readonly receivedLots: number;
    /** Lots in the venue's full state of the order for which no fill was received. */
    readonly settledLots: number;
    /** Ids of the fills received, lowest first. */
    readonly fillIds: readonly number[];
    /** The order that this one replaces, or is meant to replace. */
    readonly replaces?: string | undefined;
    /** The order that replaced this one, which is `canceled`. */
    readonly replacedBy?: string | undefined;
    /** True for an open order of a list that waits for the primary to fill. */
    readonly inactive?: true | undefined;
    /** True for an order of a list that ended while it waited for the primary. */
    readonly endedInactive: boolean;
    /** True once its cancel was sent. */
    readonly cancelRequested: boolean;
    /** Number of rejected requests to replace or cancel it. */
    readonly rejectedRequests: number;
    /** As last reported; absent before the first report. */
    readonly venueOrder?: VenueOrder | undefined;
  };

/** Orders that depend on each other. */
export interface OrderList {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /**
   * In list order, each in its current state; a replacement has the index of the replaced order.
   */
  readonly orders: readonly Order[];
  /** True while one of its orders can still execute. */
  readonly active: boolean;
}

/** True while the order can execute or be canceled. */
export const isActive = (status: OrderStatus): boolean =>
  status === 'new' || status === 'suspended' || status === 'partiallyFilled';

/** True while its outcome is unknown: it may be at the venue or not. */
export const isUnanswered = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'pending' || status === 'unknown';

/** True while it can still execute, as far as known. */
export const isOpen = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'pending' || status === 'unknown' || (status !== 'rejected' && isActive(status));

/** True for an order that ended because the venue did not know it. */
export const isLost = ({ rejection }: Pick<Order, 'rejection'>): boolean =>
  rejection?.code === 'order-lost';

/** Lots with fills: received, or settled by the venue's full state. */
export const countedLots = ({
  receivedLots,
  settledLots,
}: Pick<Order, 'receivedLots' | 'settledLots'>): number => receivedLots + settledLots;

/**
 * Lots that may still come as fills: open ones, and those that the venue filled without a received
 * report.
 */
export const outstandingLots = (order: Order): number =>
  Math.max(0, (isOpen(order) ? order.lots : order.filledLots) - countedLots(order));
