import type { Micros } from '../platform/time.ts';
import {
  countedLots,
  isActive,
  isLost,
  isOpen,
  isUnanswered,
  type ListMembership,
  type NewOrder,
  type Order,
  type VenueOrder,
} from './order.ts';
import type { Refusal } from './refusals.ts';
import type { OrderReport } from './report.ts';
import type { Lots } from './units.ts';

/** What happens to one order. What it means for others of the account is for `OrderStore`. */
export type OrderEvent =
  /** The venue reported it. */
  | OrderReport
  /** Its cancel was sent. */
  | { readonly kind: 'cancelRequested' }
  /** The request that was to make it was rejected. */
  | { readonly kind: 'rejected'; readonly refusal: Refusal }
  /** A request to replace or cancel it was rejected. */
  | { readonly kind: 'requestRejected' }
  /** The venue does not know it: it never was, or its end was not reported. */
  | { readonly kind: 'lost'; readonly refusal: Refusal }
  /** Nothing was received of a request: it may have been done or not. */
  | { readonly kind: 'unknown' }
  /** Another order took its place. */
  | { readonly kind: 'replacedBy'; readonly clientOrderId: string }
  /** It took the place of another order and inherits what that has executed. */
  | { readonly kind: 'inherited'; readonly from: Order }
  /** A fill of an order that it replaced came after that. */
  | { readonly kind: 'inheritedFill'; readonly lots: number }
  /** A fill that was received before the order was known. */
  | { readonly kind: 'fill'; readonly id: number; readonly lots: number }
  /** Its end needs a word. */
  | { readonly kind: 'explained'; readonly refusal: Refusal };

/** Who asked for an order, and when. */
export type Requester = Pick<Order, 'strategy' | 'managed' | 'requestedAt'>;

/** An order that was asked for and of which nothing was received. */
export const pendingOrder = (
  terms: NewOrder,
  { strategy, managed, requestedAt }: Requester,
  list: ListMembership = {},
  replaces?: string,
): Order => ({
  clientOrderId: terms.clientOrderId,
  symbol: terms.symbol,
  side: terms.side,
  type: terms.type,
  timeInForce: terms.timeInForce,
  lots: terms.lots,
  ticks: terms.ticks,
  stopTicks: terms.stopTicks,
  expireAt: terms.expireAt,
  postOnly: terms.postOnly,
  margin: terms.margin,
  takeRate: terms.takeRate,
  makeRate: terms.makeRate,
  orderListId: list.orderListId,
  contingencyType: list.contingencyType,
  listIndex: list.listIndex,
  strategy,
  managed,
  requestedAt,
  endedAt: undefined,
  status: 'pending',
  refusal: undefined,
  executedLots: 0 as Lots,
  receivedLots: 0,
  settledLots: 0,
  fillIds: NO_FILLS,
  replaces,
  replacedBy: undefined,
  inactive: undefined,
  endedInactive: false,
  cancelRequested: false,
  rejectedRequests: 0,
  venueOrder: undefined,
});

const NO_FILLS: readonly number[] = Object.freeze([]);

/**
 * The order after an event, the same one where nothing changes. Events may come late, twice and in
 * any order: what is executed never shrinks, what has ended stays ended unless the venue itself
 * says that it is active, and a fill counts once, by its number. `at` is when it was received.
 */
export function applyOrderEvent(order: Order, event: OrderEvent, at: Micros): Order {
  const next = after(order, event);
  if (next === order || isOpen(next) !== (next.endedAt !== undefined)) return next;
  return { ...next, endedAt: isOpen(next) ? undefined : at };
}

function after(order: Order, event: OrderEvent): Order {
  switch (event.kind) {
    case 'cancelRequested':
      return order.cancelRequested ? order : { ...order, cancelRequested: true };
    case 'rejected':
      if (!isUnanswered(order)) return order;
      return { ...order, status: 'rejected', refusal: event.refusal, inactive: undefined };
    case 'requestRejected':
      return { ...order, rejectedRequests: order.rejectedRequests + 1 };
    case 'lost':
      return isOpen(order) ? lost(order, event.refusal) : order;
    case 'unknown':
      return isOpen(order) && order.status !== 'unknown' ? { ...order, status: 'unknown' } : order;
    case 'replacedBy':
      return order.replacedBy === undefined ? replaced(order, event.clientOrderId) : order;
    case 'inherited':
      return inherited(order, event.from);
    case 'inheritedFill':
      return received(order, event.lots);
    case 'fill':
      return filled(order, event.id, event.lots);
    case 'explained':
      return order.refusal === undefined ? { ...order, refusal: event.refusal } : order;
    default:
      return reported(order, event);
  }
}

function reported(order: Order, report: OrderReport): Order {
  const { order: venueOrder } = report;
  const revived: Order = isRevived(order, report)
    ? { ...order, status: 'unknown', refusal: undefined }
    : order;
  const updated = update(revived, venueOrder);
  if (report.kind === 'status') return settled(updated);
  return report.kind === 'trade' ? filled(updated, report.fill.id, report.fill.lots) : updated;
}

/**
 * True where the venue, asked for its account, has an order active whose end was reported: by a
 * rejection that came of something else, or by a report older than this.
 */
const isRevived = (order: Order, { kind, order: told }: OrderReport): boolean =>
  kind === 'status' &&
  !isOpen(order) &&
  isActive(told.status) &&
  (order.venueOrder === undefined
    ? order.replacedBy === undefined
    : told.updatedAt > order.venueOrder.updatedAt && !isActive(order.venueOrder.status));

/** Takes over what the venue says, unless it is older than what is known. */
function update(order: Order, venueOrder: VenueOrder): Order {
  const { status, lots, executedLots, ticks, stopTicks } = venueOrder;
  const wasLost = isLost(order);
  if (isActive(status) && !wasLost && isOlder(order, venueOrder)) return order;
  return {
    ...order,
    status,
    refusal: wasLost || order.status === 'rejected' ? undefined : order.refusal,
    lots,
    ticks,
    stopTicks,
    executedLots: executedLots > order.executedLots ? executedLots : order.executedLots,
    inactive: isActive(status) && venueOrder.inactive === true ? true : undefined,
    endedInactive: isOpen(order) && order.inactive === true && !isActive(status),
    venueOrder,
  };
}

/** True where more is known than that an order is active: its end, more fills, or a later report. */
const isOlder = (order: Order, told: VenueOrder): boolean => {
  const { venueOrder: known } = order;
  if (!isOpen(order) || told.executedLots < order.executedLots) return true;
  if (known === undefined || told.updatedAt > known.updatedAt) return false;
  return told.updatedAt < known.updatedAt || waitsMore(told, known);
};

/** True where one waits for what the other waits no more for: an order never goes back to that. */
const waitsMore = (one: VenueOrder, other: VenueOrder): boolean =>
  one.inactive === true
    ? other.inactive !== true
    : one.status === 'suspended' && other.status !== 'suspended' && other.inactive !== true;

/** The venue's whole account of the order has come: fills that were missed are not waited for. */
function settled(order: Order): Order {
  const settledLots = order.executedLots - order.receivedLots;
  return settledLots === order.settledLots ? order : { ...order, settledLots };
}

function filled(order: Order, id: number, lots: number): Order {
  if (hasFill(order, id)) return order;
  return { ...received(order, lots), fillIds: [...order.fillIds, id] };
}

/** True for a fill that was received before. */
export function hasFill({ fillIds }: Pick<Order, 'fillIds'>, id: number): boolean {
  // Numbers rise nearly always, so nothing has to be looked for.
  const last = fillIds.at(-1);
  return last !== undefined && id <= last && fillIds.includes(id);
}

/** Counts lots of a fill; those of one that comes late are in the venue's account already. */
function received(order: Order, lots: number): Order {
  const late = Math.min(lots, order.settledLots);
  const receivedLots = order.receivedLots + lots;
  const settledLots = order.settledLots - late;
  const counted = receivedLots + settledLots;
  const executedLots = counted > order.executedLots ? (counted as Lots) : order.executedLots;
  return { ...order, receivedLots, settledLots, executedLots };
}

function inherited(order: Order, from: Order): Order {
  const late = Math.min(countedLots(from), order.settledLots);
  const receivedLots = order.receivedLots + from.receivedLots;
  const settledLots = order.settledLots - late + from.settledLots;
  const counted = receivedLots + settledLots;
  const executedLots = counted > order.executedLots ? (counted as Lots) : order.executedLots;
  return { ...order, receivedLots, settledLots, executedLots };
}

const lost = (order: Order, refusal: Refusal): Order => ({
  ...order,
  status: order.venueOrder === undefined ? 'rejected' : 'canceled',
  refusal,
  inactive: undefined,
});

const replaced = (order: Order, replacedBy: string): Order => {
  if (!isOpen(order)) return { ...order, replacedBy };
  return { ...order, replacedBy, status: 'canceled', inactive: undefined };
};
