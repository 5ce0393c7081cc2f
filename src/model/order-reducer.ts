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
import type { Rejection } from './rejections.ts';
import type { OrderReport } from './report.ts';
import type { Lots } from './units.ts';

/** Events of one order. `OrderStore` applies their effects on other orders of the account. */
export type OrderEvent =
  /** A report of the venue. */
  | OrderReport
  /** A cancel was sent. */
  | { readonly kind: 'cancelRequested' }
  /** The request for the order was rejected. */
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** A request to replace or cancel it was rejected. */
  | { readonly kind: 'requestRejected' }
  /** The venue does not know it: it was never placed, or its end was not reported. */
  | { readonly kind: 'lost'; readonly rejection: Rejection }
  /** A request was not answered: its outcome is unknown. */
  | { readonly kind: 'unknown' }
  /** Another order replaced it. */
  | { readonly kind: 'replacedBy'; readonly clientOrderId: string }
  /** It replaced another order and inherits its fills. */
  | { readonly kind: 'inherited'; readonly from: Order }
  /** A late fill of an order that it replaced. */
  | { readonly kind: 'inheritedFill'; readonly lots: number }
  /** A fill that was received before the order was known. */
  | { readonly kind: 'fill'; readonly id: number; readonly lots: number }
  /** A reason for its end, or a better one with the same code. */
  | { readonly kind: 'explained'; readonly rejection: Rejection };

/** Sender and time of an order request. */
export type Requester = Pick<Order, 'strategy' | 'managed' | 'requestedAt'>;

/** A requested order without a report. */
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
  rejection: undefined,
  filledLots: 0 as Lots,
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

/** An order under construction. */
type Draft = { -readonly [K in keyof Order]: Order[K] };
/** An order or a draft, read-only. */
type Known = Readonly<Draft>;

/**
 * The order after an event, the same one if nothing changes. Events may come late, twice and in any
 * order: filled lots never decrease, an ended order stays ended unless the venue itself reports it
 * as active, and a fill counts once, by its id. `at` is the time of receipt.
 */
export function applyOrderEvent(order: Order, event: OrderEvent, at: Micros): Order {
  if (!changes(order, event)) return order;
  const draft: Draft = { ...order };
  apply(draft, event);
  if (isOpen(draft) === (draft.endedAt !== undefined))
    draft.endedAt = isOpen(draft) ? undefined : at;
  // A rejected order has its reason: `end` sets both.
  return draft as Order;
}

/** True if an event changes an order. */
function changes(order: Known, event: OrderEvent): boolean {
  switch (event.kind) {
    case 'cancelRequested':
      return !order.cancelRequested;
    case 'rejected':
      return isUnanswered(order);
    case 'lost':
      return isOpen(order);
    case 'unknown':
      return isOpen(order) && order.status !== 'unknown';
    case 'replacedBy':
      return order.replacedBy === undefined;
    case 'explained':
      return isWord(order.rejection, event.rejection);
    case 'fill':
      return !hasFill(order, event.id);
    case 'requestRejected':
    case 'inherited':
    case 'inheritedFill':
      return true;
    case 'trade':
      return !hasFill(order, event.fill.id) || isNews(order, event);
    case 'status':
      return isNews(order, event) || order.filledLots !== countedLots(order);
    default:
      return isNews(order, event);
  }
}

/** True if a reason adds to the known one. */
const isWord = (known: Rejection | undefined, { code, message }: Rejection): boolean =>
  known === undefined || (known.code === code && known.message !== message);

function apply(draft: Draft, event: OrderEvent): void {
  switch (event.kind) {
    case 'cancelRequested':
      draft.cancelRequested = true;
      break;
    case 'rejected':
      end(draft, 'rejected', event.rejection);
      break;
    case 'requestRejected':
      draft.rejectedRequests += 1;
      break;
    case 'lost':
      end(draft, draft.venueOrder === undefined ? 'rejected' : 'canceled', event.rejection);
      break;
    case 'unknown':
      draft.status = 'unknown';
      break;
    case 'replacedBy':
      draft.replacedBy = event.clientOrderId;
      if (isOpen(draft)) end(draft, 'canceled', undefined);
      break;
    case 'inherited':
      count(draft, event.from.receivedLots, countedLots(event.from), event.from.settledLots);
      break;
    case 'inheritedFill':
      count(draft, event.lots, event.lots, 0);
      break;
    case 'fill':
      fill(draft, event.id, event.lots);
      break;
    case 'explained':
      draft.rejection = event.rejection;
      break;
    default:
      report(draft, event);
  }
}

function report(draft: Draft, event: OrderReport): void {
  if (isRevived(draft, event)) {
    draft.status = 'unknown';
    draft.rejection = undefined;
  }
  if (isNews(draft, event)) update(draft, event.order);
  // The venue's full state of the order: missed fills are not expected any more.
  if (event.kind === 'status') draft.settledLots = draft.filledLots - draft.receivedLots;
  if (event.kind === 'trade' && !hasFill(draft, event.fill.id)) {
    fill(draft, event.fill.id, event.fill.lots);
  }
}

/**
 * True if the venue, when asked, reports an order as active whose end was received: by a rejection
 * with another cause, or by an older report.
 */
const isRevived = (order: Known, { kind, order: reported }: OrderReport): boolean =>
  kind === 'status' &&
  !isOpen(order) &&
  isActive(reported.status) &&
  (order.venueOrder === undefined
    ? order.replacedBy === undefined
    : reported.updatedAt > order.venueOrder.updatedAt && !isActive(order.venueOrder.status));

/** True if a report is not older than the known state. */
const isNews = (order: Known, event: OrderReport): boolean =>
  !isActive(event.order.status) ||
  isLost(order) ||
  !isOlder(order, event.order) ||
  isRevived(order, event);

/** True if the known state is later than `active`: ended, more fills, or a later report. */
const isOlder = (order: Known, reported: VenueOrder): boolean => {
  const { venueOrder: known } = order;
  if (!isOpen(order) || reported.filledLots < order.filledLots) return true;
  if (known === undefined || reported.updatedAt > known.updatedAt) return false;
  return reported.updatedAt < known.updatedAt || waitsMore(reported, known);
};

/**
 * True if one still waits for something that the other no longer does: an order never goes back.
 */
const waitsMore = (order: VenueOrder, other: VenueOrder): boolean =>
  order.inactive === true
    ? other.inactive !== true
    : order.status === 'suspended' && other.status !== 'suspended' && other.inactive !== true;

/** Copies the venue's state. */
function update(draft: Draft, venueOrder: VenueOrder): void {
  const { status, lots, filledLots, ticks, stopTicks, inactive } = venueOrder;
  if (isLost(draft) || draft.status === 'rejected') draft.rejection = undefined;
  draft.endedInactive = isOpen(draft) && draft.inactive === true && !isActive(status);
  draft.inactive = isActive(status) && inactive === true ? true : undefined;
  draft.status = status;
  draft.lots = lots;
  draft.ticks = ticks;
  draft.stopTicks = stopTicks;
  if (filledLots > draft.filledLots) draft.filledLots = filledLots;
  draft.venueOrder = venueOrder;
}

/** True for a fill that was received before. */
export function hasFill({ fillIds }: Pick<Order, 'fillIds'>, id: number): boolean {
  // They are sorted, and ids nearly always rise, so no search is needed.
  const last = fillIds.at(-1);
  return last !== undefined && id <= last && fillIds.includes(id);
}

function fill(draft: Draft, id: number, lots: number): void {
  count(draft, lots, lots, 0);
  const { fillIds } = draft;
  const isMissed = id < (fillIds.at(-1) ?? id);
  const all = [...fillIds, id];
  draft.fillIds = isMissed ? all.sort((one, other) => one - other) : all;
}

/**
 * Adds lots of fills, which the venue's state may include already, and lots that it has without a
 * fill.
 */
function count(draft: Draft, received: number, counted: number, settled: number): void {
  const late = Math.min(counted, draft.settledLots);
  draft.receivedLots += received;
  draft.settledLots += settled - late;
  const all = countedLots(draft);
  if (all > draft.filledLots) draft.filledLots = all as Lots;
}

function end(
  draft: Draft,
  status: 'rejected' | 'canceled',
  rejection: Rejection | undefined,
): void {
  draft.status = status;
  draft.inactive = undefined;
  if (rejection !== undefined) draft.rejection = rejection;
}
