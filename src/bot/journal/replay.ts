import { OrderStore } from '../../engine/orders/order-store.ts';
import { requestedOrders } from '../../engine/orders/requested-orders.ts';
import { isOpen, type Order, type VenueOrder } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { applyOrderEvent, pendingOrder } from '../../model/order-reducer.ts';
import type { Micros } from '../../platform/time.ts';
import { isOtherOrder } from './order.ts';
import type { ReportedOrder } from './order-event-log.ts';

/** An order that was not journaled before it was sent. */
export function adoptedOrder(order: VenueOrder, strategy: string, at: Micros): Order {
  const requester = { strategy, managed: false, requestedAt: at };
  const pending = pendingOrder(order, requester, {}, order.originalClientOrderId);
  return applyOrderEvent(pending, { kind: 'unknown' }, at);
}

/**
 * Replays events in their order and returns the resulting orders, except those whose beginning is missing.
 */
export function replayed(log: Iterable<ReportedOrder>): ReadonlyMap<string, Order> {
  const orders = new Map<string, Order>();
  const store = new OrderStore();
  store.subscribe(
    (id) => orders.get(id),
    (order) => orders.set(order.clientOrderId, order),
  );
  for (const event of log) take(event, store, orders);
  return orders;
}

function take(event: ReportedOrder, store: OrderStore, orders: ReadonlyMap<string, Order>): void {
  const { at, strategy = '', clientOrderId = '' } = event;
  switch (event.kind) {
    case 'started':
      for (const order of [...orders.values()]) restart(order, store, at);
      return;
    case 'intended': {
      const { body } = event;
      if (body.kind === 'setMargin') return;
      request(body, { strategy, managed: body.managed === true, requestedAt: at }, store);
      return;
    }
    case 'adopted':
      if (event.body !== null) store.add(adoptedOrder(event.body, strategy, at));
      return;
    case 'inherited':
      store.apply(clientOrderId, { kind: 'fill', ...event.body }, at);
      return;
    case 'received': {
      const { body } = event;
      if (body.kind === 'balance' || body.kind === 'marginAccount' || body.kind === 'marginRejected') return; // prettier-ignore
      const order = orders.get(clientOrderId);
      const isOther = order !== undefined && 'order' in body && isOtherOrder(order, body.order);
      if (!isOther) store.take(body, at);
      return;
    }
    case 'sent':
    case 'found':
    case 'state':
  }
}

function request(
  body: OrderRequest,
  requester: Parameters<typeof requestedOrders>[2],
  store: OrderStore,
): void {
  const made = requestedOrders(body, (id) => store.find(id), requester);
  if (body.kind === 'placeList') store.addList(body.orderListId, body.contingencyType, made);
  else for (const order of made) store.add(order);
}

/** A new process knows an order by its row; the outcome of an unanswered one is unknown. */
function restart(order: Order, store: OrderStore, at: Micros): void {
  const { filledLots, receivedLots, venueOrder } = order;
  const loaded: Order = {
    ...order,
    settledLots: filledLots - receivedLots,
    inactive: isOpen(order) && venueOrder?.inactive === true ? true : undefined,
    endedInactive: false,
    cancelRequested: false,
    rejectedRequests: 0,
  };
  store.add(loaded);
  if (loaded.status === 'pending') store.apply(loaded.clientOrderId, { kind: 'unknown' }, at);
}

/** The difference between a row and the replayed events of its order; `undefined` if there is none. */
export function differenceOf(row: Order, stored: Order): string | undefined {
  for (const name of COMPARED) {
    const [one, other] = [row, stored].map((order) => JSON.stringify(order[name]) ?? 'nothing');
    if (one !== other) return `its ${name} is ${one}, and its story comes to ${other}`;
  }
  const ids = (order: Order): string => [...order.fillIds].sort((a, b) => a - b).join(' ');
  return ids(row) === ids(stored)
    ? undefined
    : `it has the fills ${ids(row)}, and its story ${ids(stored)}`;
}

const COMPARED = [
  ...(['strategy', 'symbol', 'side', 'type', 'timeInForce', 'managed', 'margin'] as const),
  ...(['takeRate', 'makeRate', 'orderListId', 'contingencyType', 'listIndex'] as const),
  ...(['replaces', 'replacedBy', 'requestedAt', 'endedAt', 'status', 'lots', 'ticks'] as const),
  ...(['stopTicks', 'filledLots', 'receivedLots', 'venueOrder', 'rejection'] as const),
];
