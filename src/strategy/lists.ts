import type { MarginMode } from '../model/margin-terms.ts';
import type { ContingencyType, Side } from '../model/order.ts';
import { commandFactory } from './arguments.ts';
import type { ListOrder, OrderOptions, PlaceList } from './commands.ts';
import { argumentMembers, commandFrom } from './command.ts';
import type { PriceOf, QuantityOf } from './numbers.ts';
import { orderMarketOf, type Where } from './where.ts';
import type { LimitOrder, OrderInput, StopLimitOrder, StopMarketOrder } from './orders.ts';

/** An order of a list with its symbol and its margin mode. */
export type OrderOfList = OrderInput &
  Reducing & { readonly symbol: string; readonly margin?: MarginMode };

/** Margin members of an order of a list, all of one mode. */
interface Reducing {
  readonly reduceOnly?: boolean;
}

/** An order that excludes others: of any type but market. */
export type Leg = LimitOrder | StopLimitOrder | StopMarketOrder;

/** An order of `aon`: limit or market, FOK by default. */
export type AllOrNoneOrder = {
  readonly symbol: string;
  readonly side: Side;
} & OrderOptions &
  (({ readonly type: 'limit' } & PriceOf) | { readonly type: 'market' }) &
  QuantityOf;

type TwoOrThree<T> = readonly [T, T] | readonly [T, T, T];

/**
 * Places two or three orders that are accepted or rejected together, of any symbols:
 *
 *     placeList('oneCancelOther', [
 *       { symbol: 'BTCUSDT', type: 'limit', side: 'buy', ticks: 6_100_000, lots: 10 },
 *       { symbol: 'ETHUSDT', type: 'stopLimit', side: 'buy', stopTicks: 270_000, ticks: 271_000, lots: 10 },
 *     ])
 *
 * `oco`, `oto`, `otoco`, `aon` and `bracket` are shorter forms. docs/order-lists.md describes how
 * the orders of a list affect each other. The engine rejects fractions of ticks and lots.
 */
export const placeList = commandFactory(
  'placeList(contingencyType, orders)',
  (contingencyType: ContingencyType, orders: TwoOrThree<OrderOfList>): PlaceList =>
    listOf(contingencyType, orders),
);

/**
 * One cancels the other: the first to trade, in part too, cancels the rest. At most one plain limit
 * order.
 */
export const oco = commandFactory(
  'oco(where, legs)',
  (where: Where, legs: TwoOrThree<Leg & Reducing>): PlaceList =>
    listOf('oneCancelOther', on(where, legs)),
);

/** One triggers the other: the other orders become active when the first is completely filled. */
export const oto = commandFactory(
  'oto(where, orders)',
  (where: Where, orders: TwoOrThree<OrderInput & Reducing>): PlaceList =>
    listOf('oneTriggerOther', on(where, orders)),
);

/**
 * One triggers a one-cancels-the-other: the two legs become active when the first order is
 * completely filled, and exclude each other from then on. `bracket` makes one of entry, take profit
 * and stop loss.
 */
export const otoco = commandFactory(
  'otoco(where, orders)',
  (
    where: Where,
    orders: readonly [OrderInput & Reducing, Leg & Reducing, Leg & Reducing],
  ): PlaceList => listOf('oneTriggerOneCancelOther', on(where, orders)),
);

/**
 * All or none: orders of different symbols that all fill completely at one instant, or all expire.
 */
export const aon = commandFactory('aon(orders)', (orders: TwoOrThree<AllOrNoneOrder>): PlaceList =>
  listOf(
    'allOrNone',
    each(orders, (order) => commandFrom({ timeInForce: 'FOK' }, order) as OrderOfList),
  ),
);

const on = (where: Where, orders: readonly OrderInput[]): readonly OrderOfList[] =>
  each(orders, (order) => commandFrom(orderMarketOf(where), order) as OrderOfList);

/** Each item of a list; any other value stays unchanged, for the engine to reject. */
const each = <T, Made>(list: readonly T[], make: (one: T) => Made): readonly Made[] =>
  Array.isArray(list) ? list.map((one: T) => make(one)) : (list as never);

function listOf(contingencyType: ContingencyType, orders: readonly OrderOfList[]): PlaceList {
  return Object.freeze({
    kind: 'placeList',
    contingencyType,
    orders: Object.freeze(each(orders, member)),
  });
}

/** An order in a command: a frozen copy with its unit types. */
export function member(order: OrderOfList): ListOrder {
  return Object.freeze(argumentMembers(order) as unknown as ListOrder);
}
