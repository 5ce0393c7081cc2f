import { ownRates } from '../../rules/own-rates.ts';
import type { PlaceListRequest, PlaceRequest } from '../../model/order-request.ts';
import { dayEnd } from '../../exchange/orders/trading-day.ts';
import {
  isActive,
  type ContingencyType,
  type NewOrder,
  type Order,
  type OrderStatus,
  type VenueOrder,
} from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { previousRunOf, type PreviousRun } from './previous-run.ts';

/** An order that the journal holds for open. */
export type OpenOrder = Pick<
  Order,
  | 'clientOrderId'
  | 'symbol'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'lots'
  | 'filledLots'
  | 'ticks'
  | 'stopTicks'
  | 'takeRate'
  | 'makeRate'
  | 'status'
  | 'orderListId'
  | 'contingencyType'
  | 'listIndex'
  | 'replaces'
  | 'requestedAt'
  | 'venueOrder'
>;

/** Restored open orders of a previous run. */
export interface RestoredPaperOrders {
  readonly requests: readonly (PlaceRequest | PlaceListRequest)[];
  /** Their earlier state, by client order id. */
  readonly restoredOrders: ReadonlyMap<string, PreviousRun>;
  /** Orders that end here: they expired, or cannot be placed again. */
  readonly ended: readonly VenueOrder[];
  /** Orders without any report: they never rested, and a replacement among them has replaced nothing. */
  readonly lost: readonly OpenOrder[];
}

interface RestoredOrder {
  readonly order: OpenOrder;
  readonly venueOrder: VenueOrder;
  readonly requested: NewOrder;
}

/**
 * Makes the requests that place open orders again, each for its remaining quantity. An order without any
 * report never rested, an IOC or FOK order is over, and a Day or GTD order may have expired meanwhile.
 */
export function restoreRequests(orders: readonly OpenOrder[], now: Micros): RestoredPaperOrders {
  const restoredOrders = new Map<string, PreviousRun>();
  const ended: VenueOrder[] = [];
  const unacknowledged: OpenOrder[] = [];
  const restored: RestoredOrder[] = [];
  for (const order of orders) {
    if (order.venueOrder === undefined) {
      unacknowledged.push(order);
      continue;
    }
    const one = renew(order, order.venueOrder, now);
    if ('requested' in one) restored.push(one);
    else ended.push(one);
  }
  const requests: (PlaceRequest | PlaceListRequest)[] = [];
  // On margin older orders reduce a position first, so the original order is kept.
  const inOrder = restored.toSorted((a, b) => a.venueOrder.id - b.venueOrder.id);
  for (const group of groupsOf(inOrder)) {
    const primary = group.some(({ order }) => order.listIndex === 0);
    const [left, lost] = split(group, ({ venueOrder }) => primary || venueOrder.inactive !== true);
    for (const { venueOrder } of lost)
      ended.push({ ...venueOrder, status: 'canceled', updatedAt: now });
    requests.push(...requestsOf(left));
    for (const { venueOrder } of left) {
      restoredOrders.set(venueOrder.clientOrderId, previousRunOf(venueOrder));
    }
  }
  return { requests, restoredOrders, ended, lost: unacknowledged };
}

/** The order as it is to be placed, or as it ended. */
function renew(order: OpenOrder, received: VenueOrder, now: Micros): RestoredOrder | VenueOrder {
  if (!isActive(received.status)) return received;
  const filledLots = Math.max(received.filledLots, order.filledLots) as Lots;
  const venueOrder = { ...received, filledLots };
  // A close-position order takes its lots when it is triggered.
  const isOfPosition = received.margin?.closePosition === true;
  if (!isOfPosition && filledLots >= received.lots) return over(venueOrder, 'filled', now);
  if (endOf(venueOrder) <= now) return over(venueOrder, 'expired', now);
  if (!canRest(venueOrder)) return over(venueOrder, 'canceled', now);
  return { order, venueOrder, requested: { ...newOrderOf(venueOrder), ...ownRates(order) } };
}

const over = (order: VenueOrder, status: OrderStatus, updatedAt: Micros): VenueOrder => ({
  ...order,
  status,
  updatedAt,
});

function endOf({ timeInForce, expireAt, createdAt }: VenueOrder): number {
  if (timeInForce === 'GTD') return expireAt ?? Number.POSITIVE_INFINITY;
  return timeInForce === 'Day' ? dayEnd(createdAt) : Number.POSITIVE_INFINITY;
}

/** True for an order that waits for a price or another order, or rests in the book and is not expired. */
function canRest({ status, inactive, ticks, timeInForce }: VenueOrder): boolean {
  if (status === 'suspended' || inactive === true) return true;
  return ticks !== undefined && timeInForce !== 'IOC' && timeInForce !== 'FOK';
}

/** For the remaining quantity; one whose stop price was reached is a limit order from then on. */
function newOrderOf(order: VenueOrder): NewOrder {
  const { clientOrderId, symbol, side, timeInForce, ticks, stopTicks, expireAt } = order;
  const { postOnly, margin } = order;
  const waits = order.status === 'suspended' || order.inactive === true;
  return {
    clientOrderId,
    symbol,
    side,
    type: waits ? order.type : 'limit',
    timeInForce,
    lots: (order.lots - order.filledLots) as Lots,
    ticks,
    ...(!waits || stopTicks === undefined ? {} : { stopTicks }),
    ...(timeInForce !== 'GTD' || expireAt === undefined ? {} : { expireAt }),
    postOnly,
    ...(margin === undefined ? {} : { margin }),
  };
}

/** The orders of each list together, in list order; plain orders each for itself. */
function groupsOf(orders: readonly RestoredOrder[]): readonly (readonly RestoredOrder[])[] {
  const groups = new Map<string, RestoredOrder[]>();
  for (const one of orders) {
    const { orderListId, clientOrderId } = one.order;
    const key = orderListId === undefined ? `order ${clientOrderId}` : `list ${orderListId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => group.toSorted((a, b) => place(a) - place(b)));
}

const place = ({ order }: RestoredOrder): number => order.listIndex ?? 0;

function requestsOf(group: readonly RestoredOrder[]): readonly (PlaceRequest | PlaceListRequest)[] {
  if (group.length === 0) return [];
  const contingencyType = contingencyOf(group);
  const orders = group.map(({ requested }) => requested);
  if (contingencyType === undefined) return orders.map((order) => ({ kind: 'place', ...order }));
  return [{ kind: 'placeList', orderListId: orders[0].clientOrderId, contingencyType, orders }];
}

/** The remaining contingency of a list's orders; `undefined` if there is none. */
function contingencyOf(group: readonly RestoredOrder[]): ContingencyType | undefined {
  const was = group[0].order.contingencyType;
  const hasFirst = place(group[0]) === 0;
  if (was === undefined || group.length < 2) return undefined;
  switch (was) {
    case 'allOrNone':
    case 'oneCancelOther':
      return was;
    case 'oneTriggerOther':
      return hasFirst ? was : undefined;
    case 'oneTriggerOneCancelOther':
      if (!hasFirst) return 'oneCancelOther';
      return group.length === 2 ? 'oneTriggerOther' : was;
  }
}

function split<T>(
  all: readonly T[],
  test: (one: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
