import type { MarginMode } from '../model/margin-terms.ts';
import type { ContingencyType, Side } from '../model/order.ts';
import { taking } from './arguments.ts';
import type { ListOrder, OrderOptions, PlaceList } from './commands.ts';
import { asGiven, saying } from './command.ts';
import type { PriceOf, QuantityOf } from './numbers.ts';
import { orderMarketOf, type Where } from './where.ts';
import type { LimitOrder, OrderInput, StopLimitOrder, StopMarketOrder } from './orders.ts';

/** An order of a list that names its own symbol, and the margin that it trades on. */
export type OrderOfList = OrderInput &
  Reducing & { readonly symbol: string; readonly margin?: MarginMode };

/** What an order of a list can say on margin, where lists are of one mode. */
interface Reducing {
  readonly reduceOnly?: boolean;
}

/** An order that excludes others: of any type but market. */
export type Leg = LimitOrder | StopLimitOrder | StopMarketOrder;

/** An order of `aon`: limit or market, and FOK without saying so. */
export type AllOrNoneOrder = {
  readonly symbol: string;
  readonly side: Side;
} & OrderOptions &
  (({ readonly type: 'limit' } & PriceOf) | { readonly type: 'market' }) &
  QuantityOf;

type TwoOrThree<T> = readonly [T, T] | readonly [T, T, T];

/**
 * Places two or three orders that are accepted or refused as one, of any symbols:
 *
 *     placeList('oneCancelOther', [
 *       { symbol: 'BTCUSDT', type: 'limit', side: 'buy', ticks: 6_100_000, lots: 10 },
 *       { symbol: 'ETHUSDT', type: 'stopLimit', side: 'buy', stopTicks: 270_000, ticks: 271_000, lots: 10 },
 *     ])
 *
 * `oco`, `oto`, `otoco`, `aon` and `bracket` say the same in fewer words. What the orders of a list
 * do to each other stands in docs/order-lists.md. Fractions of ticks and lots are refused by the engine.
 */
export const placeList = taking(
  'placeList(contingencyType, orders)',
  (contingencyType: ContingencyType, orders: TwoOrThree<OrderOfList>): PlaceList =>
    listOf(contingencyType, orders),
);

/** One cancels the other: the first to trade, in part too, cancels the rest. One plain limit order at most. */
export const oco = taking(
  'oco(where, legs)',
  (where: Where, legs: TwoOrThree<Leg & Reducing>): PlaceList =>
    listOf('oneCancelOther', on(where, legs)),
);

/** One triggers the other: the orders after the first become active when the first has filled whole. */
export const oto = taking(
  'oto(where, orders)',
  (where: Where, orders: TwoOrThree<OrderInput & Reducing>): PlaceList =>
    listOf('oneTriggerOther', on(where, orders)),
);

/**
 * One triggers a one-cancels-the-other: the two legs become active when the first order has filled
 * whole, and exclude each other from then on. `bracket` makes one of entry, take profit and stop loss.
 */
export const otoco = taking(
  'otoco(where, orders)',
  (
    where: Where,
    orders: readonly [OrderInput & Reducing, Leg & Reducing, Leg & Reducing],
  ): PlaceList => listOf('oneTriggerOneCancelOther', on(where, orders)),
);

/** All or none: orders of different symbols that fill whole at one instant, or expire all. */
export const aon = taking('aon(orders)', (orders: TwoOrThree<AllOrNoneOrder>): PlaceList =>
  listOf(
    'allOrNone',
    each(orders, (order) => saying({ timeInForce: 'FOK' }, order) as OrderOfList),
  ),
);

const on = (where: Where, orders: readonly OrderInput[]): readonly OrderOfList[] =>
  each(orders, (order) => saying(orderMarketOf(where), order) as OrderOfList);

/** Each of a list; what is no list stays as it is, for the engine to refuse. */
const each = <T, Made>(list: readonly T[], make: (one: T) => Made): readonly Made[] =>
  Array.isArray(list) ? list.map((one: T) => make(one)) : (list as never);

function listOf(contingencyType: ContingencyType, orders: readonly OrderOfList[]): PlaceList {
  return Object.freeze({
    kind: 'placeList',
    contingencyType,
    orders: Object.freeze(each(orders, member)),
  });
}

/** An order as it stands in a command: a frozen copy with the marks of its units. */
export function member(order: OrderOfList): ListOrder {
  return Object.freeze(asGiven(order) as unknown as ListOrder);
}
