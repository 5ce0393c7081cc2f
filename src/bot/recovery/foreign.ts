import { marginAccountKey, marginAccountId } from '../../model/margin-account.ts';
import { cancelOf } from '../../model/order-request.ts';
import { isActive, type VenueOrder } from '../../model/order.ts';
import type { Fill, OrderReport } from '../../model/report.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import { foreignKey } from '../journal/records.ts';
import { discrepancy, type Discrepancy, type ReconcileInput } from './finding.ts';

/** Owner of adopted orders if none is configured. */
const OPERATOR = 'operator';

/** Discrepancies of orders and fills that the journal does not have, and their repair by the rules. */
export function foreignDiscrepancies(
  input: ReconcileInput,
  reported: ReadonlyMap<string, VenueOrder>,
  fills: ReadonlyMap<string, readonly Fill[]>,
): readonly Discrepancy[] {
  const known = new Set(input.orders.map(({ clientOrderId }) => clientOrderId));
  const found: Discrepancy[] = [];
  const adopted = new Set<string>();
  for (const order of reported.values()) {
    const { clientOrderId } = order;
    if (known.has(clientOrderId)) continue;
    const one = foreignOrder(input, order, fills.get(clientOrderId) ?? []);
    if (one === undefined) continue;
    if (one.adopt !== undefined) adopted.add(clientOrderId);
    found.push(one);
  }
  for (const [clientOrderId, all] of fills) {
    if (known.has(clientOrderId) || adopted.has(clientOrderId)) continue;
    for (const fill of all) {
      if (!input.foreignFills.has(foreignKey(fill))) found.push(foreignFill(fill));
    }
  }
  return found;
}

function foreignOrder(
  input: ReconcileInput,
  order: VenueOrder,
  fills: readonly Fill[],
): Discrepancy | undefined {
  const { rules } = input;
  const { clientOrderId, symbol, status } = order;
  const strategy = input.strategyOf?.(clientOrderId);
  if (strategy !== undefined && isOfTwin(input, order)) {
    if (input.foreignOrders.has(clientOrderId)) return undefined;
    const message = `The order ${clientOrderId} has an id of this journal and was placed since this bot started, and not by it: another process sends orders with the same ids, such as a bot at a copy of the journal. The order is not taken in.`;
    return discrepancy('order-conflict', message, { clientOrderId, symbol, foreignOrder: order });
  }
  if (strategy !== undefined) {
    const message = `The order ${clientOrderId} has an id of ${strategy} and is not in the journal, which may be an older copy; it is taken back.`;
    return adoption('order-unjournaled', message, order, strategy, fills);
  }
  if (!isActive(status)) return undefined;
  const what = `An order ${clientOrderId} to ${order.side} ${symbol} that this bot did not place is ${status}`;
  const adoptFor = ownerOf(input, order);
  if (rules.foreignOrders === 'adopt' && adoptFor !== undefined) {
    const message = `${what}; it is taken in for ${adoptFor}.`;
    return adoption('order-adopted', message, order, adoptFor, fills);
  }
  if (rules.foreignOrders === 'cancel') {
    const requests = [cancelOf(order)];
    const parts = { clientOrderId, symbol, foreignOrder: order, requests };
    return discrepancy('order-unwanted', `${what}; it is canceled.`, parts);
  }
  if (input.foreignOrders.has(clientOrderId)) return undefined;
  const parts = { clientOrderId, symbol, foreignOrder: order };
  return discrepancy('order-foreign', `${what}; it is left alone.`, parts);
}

/**
 * The strategy that adopts an order: for a margin order the owner of its margin account, if there is one.
 */
function ownerOf(
  { adoptFor = OPERATOR, margin, instruments }: ReconcileInput,
  order: VenueOrder,
): string | undefined {
  const instrument = instruments.get(order.symbol);
  if (order.margin === undefined || instrument === undefined) return adoptFor;
  const key = marginAccountKey(marginAccountId(instrument, order.margin.mode));
  return margin.find(({ marginAccount }) => marginAccountKey(marginAccount) === key)?.strategy;
}

/** Allowed difference between the clocks of venue and bot. */
const CLOCKS_US = 10 * US_PER_SECOND;

/**
 * True for an order that was placed after this process started, so that an older copy of the journal does
 * not explain it.
 */
const isOfTwin = ({ startedAt }: ReconcileInput, { createdAt }: VenueOrder): boolean =>
  startedAt !== undefined && createdAt > startedAt + CLOCKS_US;

/** Adopts an order with its fills, including those that were reported as foreign. */
function adoption(
  kind: 'order-unjournaled' | 'order-adopted',
  message: string,
  order: VenueOrder,
  strategy: string,
  fills: readonly Fill[],
): Discrepancy {
  const { clientOrderId, symbol } = order;
  const trades = fills.map((fill): OrderReport => ({ kind: 'trade', at: fill.at, order, fill }));
  const reports: OrderReport[] = [...trades, { kind: 'status', at: order.updatedAt, order }];
  return discrepancy(kind, message, { clientOrderId, symbol, adopt: { order, strategy }, reports });
}

export function foreignFill(fill: Fill): Discrepancy {
  const { clientOrderId, symbol, side, id, lots } = fill;
  const message = `Trade ${id} in ${symbol} is a fill (${side}, ${lots} lots) of the order ${clientOrderId}, which this bot did not place.`;
  return discrepancy('fill-foreign', message, { clientOrderId, symbol, foreignFills: [fill] });
}
