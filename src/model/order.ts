import type { Micros } from '../platform/time.ts';
import type { Lots, Ticks } from './units.ts';

export type Side = 'buy' | 'sell';

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

/** As the trading service names them. */
export type OrderStatus =
  | 'new'
  | 'suspended'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'expired';

/** An order as a venue reports it, in whole ticks and lots. */
export interface VenueOrder {
  /** Given by the venue; a replacement gets a new one. */
  readonly id: number;
  /** Given by whoever sent the order. */
  readonly clientOrderId: string;
  /** The client order id that this order replaced. */
  readonly originalClientOrderId?: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly status: OrderStatus;
  /** Total quantity, what is executed included. */
  readonly lots: Lots;
  readonly executedLots: Lots;
  /** Limit price; absent for orders without one. */
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
  readonly expireAt?: Micros;
  readonly postOnly: boolean;
  /** Of an order of a list: the id that the list has for life, and what it is. */
  readonly orderListId?: string;
  readonly contingencyType?: ContingencyType;
  /** Of an order of a list that waits for the primary to fill. */
  readonly inactive?: true;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** True while the order can still execute or be canceled. */
export const isActive = (status: OrderStatus): boolean =>
  status === 'new' || status === 'suspended' || status === 'partiallyFilled';
