import type { Rejection } from '../../model/rejections.ts';
import type { RejectReport } from '../../model/report.ts';
import { isOpen, type Order } from '../../model/order.ts';
import {
  discrepancy,
  type ComparedOrder,
  type Discrepancy,
  type ReconcileInput,
} from './finding.ts';

/** Consecutive snapshots without an order after which it counts as lost. */
const MISSING_MAX = 2;

interface Lost {
  readonly discrepancies: readonly Discrepancy[];
  readonly missing: ReadonlyMap<string, number>;
}

/**
 * The open orders that the snapshot does not name, and of these the lost ones: missing from two consecutive
 * snapshots, the second of which is at least `lostAfterUs` after their request.
 */
export function lostOrders(
  { snapshot, rules, missing }: ReconcileInput,
  compared: ReadonlyMap<string, ComparedOrder>,
): Lost {
  const found: Discrepancy[] = [];
  const nowMissing = new Map<string, number>();
  const lost = new Map<string, Order>();
  for (const one of compared.values()) {
    const { order } = one;
    if (order.requestedAt > snapshot.at || !isMissing(one, compared)) continue;
    const times = (missing.get(order.clientOrderId) ?? 0) + 1;
    nowMissing.set(order.clientOrderId, times);
    const isLate = snapshot.at - order.requestedAt >= rules.lostAfterUs;
    if (times >= MISSING_MAX && isLate) lost.set(order.clientOrderId, order);
  }
  for (const [orderListId, members] of wholeLists(lost, compared)) {
    found.push(lostList(orderListId, members, snapshot.at));
    for (const { clientOrderId } of members) lost.delete(clientOrderId);
  }
  for (const order of lost.values()) found.push(lostOrder(order, snapshot.at));
  for (const { clientOrderId } of found) nowMissing.delete(clientOrderId ?? '');
  return { discrepancies: found, missing: nowMissing };
}

/** True for an order that we think is open and of which the snapshot shows no trace. */
function isMissing(
  { order, reported, missed }: ComparedOrder,
  compared: ReadonlyMap<string, ComparedOrder>,
): boolean {
  if (reported !== undefined || missed.length > 0 || !isOpen(order)) return false;
  // Not every venue lists a replaced order; the replacing one ends it.
  for (const other of compared.values()) {
    if (other.order.replaces === order.clientOrderId && other.reported !== undefined) return false;
  }
  return true;
}

/** Order lists all of whose orders were lost without any report. */
function wholeLists(
  lost: ReadonlyMap<string, Order>,
  compared: ReadonlyMap<string, ComparedOrder>,
): ReadonlyMap<string, readonly Order[]> {
  const lists = new Map<string, Order[]>();
  for (const order of lost.values()) {
    const id = order.orderListId;
    if (id === undefined || id !== order.clientOrderId || order.venueOrder !== undefined) continue;
    const members = Array.from(compared.values(), (one) => one.order).filter(
      ({ orderListId, replaces }) => orderListId === id && replaces === undefined,
    );
    const isWhole = members.every(
      (one) => lost.has(one.clientOrderId) && one.venueOrder === undefined,
    );
    if (isWhole) lists.set(id, members);
  }
  return lists;
}

function lostList(
  orderListId: string,
  members: readonly Order[],
  at: RejectReport['at'],
): Discrepancy {
  const [{ strategy, symbol }] = members;
  const message = `The list ${orderListId} of ${strategy} with ${members.length} orders never arrived: the venue knows none of them.`;
  const report: RejectReport = {
    kind: 'rejected',
    at,
    request: 'placeList',
    clientOrderId: orderListId,
    symbol,
    rejection: rejection(message),
  };
  return discrepancy('list-lost', message, {
    clientOrderId: orderListId,
    symbol,
    reports: [report],
  });
}

function lostOrder(order: Order, at: RejectReport['at']): Discrepancy {
  const { clientOrderId, symbol, strategy, venueOrder, replaces } = order;
  const isReplacement = venueOrder === undefined && replaces !== undefined;
  const message =
    venueOrder === undefined
      ? `The ${isReplacement ? `replacement of ${replaces}` : 'order'} ${clientOrderId} of ${strategy} never arrived: the venue does not know it.`
      : `The order ${clientOrderId} of ${strategy} was ${venueOrder.status}, and the venue does not know it any more; it is taken for canceled.`;
  const report: RejectReport = {
    kind: 'rejected',
    at,
    request: isReplacement ? 'replace' : 'place',
    clientOrderId,
    symbol,
    rejection: rejection(message),
  };
  return discrepancy('order-lost', message, { clientOrderId, symbol, reports: [report] });
}

const rejection = (message: string): Rejection => ({ code: 'order-lost', message });
