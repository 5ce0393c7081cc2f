import type { Order, VenueOrder } from '../../model/order.ts';
import { hasFill } from '../../model/order-reducer.ts';
import type { Fill } from '../../model/report.ts';
import { foreignKey } from '../journal/records.ts';
import { discrepancy, type Discrepancy, type ReconcileInput } from './finding.ts';
import { foreignFill } from './foreign.ts';

/** A journaled order, and a different one that the venue has under its id. */
export interface Conflict {
  readonly order: Order;
  readonly reported: VenueOrder;
}

/** Fills that belong to the venue's order instead of the journal's. */
export const isOfOther = ({ order, reported }: Conflict, fill: Fill): boolean =>
  !hasFill(order, fill.id) &&
  (fill.side === reported.side || fill.side !== order.side) &&
  (fill.symbol === reported.symbol || fill.symbol !== order.symbol);

/**
 * Discrepancies of orders that another process, such as a copy of this journal, placed under ids of this
 * journal. Each is reported once and never counts as the journal's own, nor do its fills.
 */
export function conflictDiscrepancies(
  { foreignOrders, foreignFills }: ReconcileInput,
  conflicts: readonly Conflict[],
  fills: ReadonlyMap<string, readonly Fill[]>,
): readonly Discrepancy[] {
  return conflicts.flatMap((conflict) => {
    const { order, reported } = conflict;
    const { clientOrderId, symbol } = reported;
    const found: Discrepancy[] = [];
    if (!foreignOrders.has(clientOrderId)) {
      const message = `The venue has an order ${clientOrderId} that is ${orderText(reported)}, and the journal's is ${orderText(order)}: another process sends orders with the ids of this journal, such as a bot at a copy of it. The order is not taken in.`;
      found.push(
        discrepancy('order-conflict', message, { clientOrderId, symbol, foreignOrder: reported }),
      );
    }
    const others = (fills.get(clientOrderId) ?? []).filter((fill) => isOfOther(conflict, fill));
    for (const fill of others) {
      if (!foreignFills.has(foreignKey(fill))) found.push(foreignFill(fill));
    }
    return found;
  });
}

const orderText = ({ side, type, symbol }: Pick<VenueOrder, 'side' | 'type' | 'symbol'>): string =>
  `a ${type} to ${side} ${symbol}`;
