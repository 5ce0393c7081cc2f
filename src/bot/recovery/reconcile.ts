import { hasFill } from '../../model/order-reducer.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import { micros } from '../../platform/time.ts';
import { comparedBalances } from './balances.ts';
import { isOtherOrder } from '../journal/order.ts';
import { conflictDiscrepancies, isOfOther, type Conflict } from './conflict.ts';
import type { ComparedOrder, Discrepancy, Reconciliation, ReconcileInput } from './finding.ts';
import { foreignDiscrepancies } from './foreign.ts';
import { repairedOrder } from './known.ts';
import { lostOrders } from './lost.ts';
import { comparedMargin } from './margin/margin.ts';

/**
 * Compares what the journal has with what the venue says is true, and says what heals each
 * difference; it changes nothing itself. The rules stand in `docs/journal.md`.
 *
 * Findings are in the order in which they are to be healed: orders as they were intended, so that
 * what an order inherits is there before it.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const { snapshot } = input;
  const { reported, conflicts } = reportedOrders(input);
  const fills = fillsByOrder(snapshot.fills);
  const compared = new Map<string, ComparedOrder>();
  for (const order of input.orders) {
    const { clientOrderId } = order;
    const conflict = conflicts.find((one) => one.order === order);
    const missed = (fills.get(clientOrderId) ?? []).filter(
      (fill) => !hasFill(order, fill.id) && (conflict === undefined || !isOfOther(conflict, fill)),
    );
    compared.set(clientOrderId, { order, reported: reported.get(clientOrderId), missed });
  }
  const discrepancies: Discrepancy[] = [];
  let needsSince = Number.POSITIVE_INFINITY;
  for (const one of inheritedFirst(compared)) {
    // A later request cannot be in the snapshot.
    if (one.order.requestedAt > snapshot.at) continue;
    const healed = repairedOrder(one, compared, snapshot.at);
    if (healed.discrepancy !== undefined) discrepancies.push(healed.discrepancy);
    needsSince = Math.min(needsSince, healed.needsSince ?? needsSince);
  }
  const lost = lostOrders(input, compared);
  const foreign = foreignDiscrepancies(input, reported, fills);
  const orders = [
    ...discrepancies,
    ...lost.discrepancies,
    ...conflictDiscrepancies(input, conflicts, fills),
    ...foreign,
  ];
  const margin = comparedMargin(input, orders);
  needsSince = Math.min(needsSince, margin.needsSince ?? needsSince);
  const { moved, balances } = comparedBalances(input, margin);
  return {
    discrepancies: [...margin.discrepancies, ...moved],
    balances,
    margin: margin.margin,
    missing: new Map([...lost.missing, ...margin.missing]),
    ...(Number.isFinite(needsSince) ? { needsSince: micros(needsSince) } : {}),
  };
}

/** All orders, each after the one that it replaces. */
function inheritedFirst(compared: ReadonlyMap<string, ComparedOrder>): ReadonlySet<ComparedOrder> {
  const sorted = new Set<ComparedOrder>();
  for (const first of compared.values()) {
    const chain: ComparedOrder[] = [];
    let one: ComparedOrder | undefined = first;
    while (one !== undefined && !chain.includes(one)) {
      chain.unshift(one);
      const { replaces }: ComparedOrder['order'] = one.order;
      one = replaces === undefined ? undefined : compared.get(replaces);
    }
    for (const each of chain) sorted.add(each);
  }
  return sorted;
}

/**
 * The snapshot's view of each client order id: a reused id means its last order that can be the journal's.
 * Others under such an id are conflicts.
 */
function reportedOrders({ snapshot, orders }: ReconcileInput): {
  readonly reported: ReadonlyMap<string, VenueOrder>;
  readonly conflicts: readonly Conflict[];
} {
  const journaled = new Map(orders.map((order) => [order.clientOrderId, order]));
  const reported = new Map<string, VenueOrder>();
  const conflicts = new Map<string, Conflict>();
  for (const order of [...snapshot.orders, ...snapshot.ended]) {
    const own = journaled.get(order.clientOrderId);
    if (own !== undefined && isOtherOrder(own, order)) {
      conflicts.set(order.clientOrderId, { order: own, reported: order });
      continue;
    }
    const before = reported.get(order.clientOrderId);
    const isLater =
      before === undefined ||
      order.id > before.id ||
      (order.id === before.id && order.updatedAt >= before.updatedAt);
    if (isLater) reported.set(order.clientOrderId, order);
  }
  return { reported, conflicts: [...conflicts.values()] };
}

function fillsByOrder(fills: readonly Fill[]): ReadonlyMap<string, readonly Fill[]> {
  const byOrder = new Map<string, Fill[]>();
  for (const fill of fills) {
    const known = byOrder.get(fill.clientOrderId);
    if (known === undefined) byOrder.set(fill.clientOrderId, [fill]);
    else known.push(fill);
  }
  return byOrder;
}
