import { isActive, type VenueOrder } from '../../model/order.ts';
import type { Fill, OrderReport } from '../../model/report.ts';
import { foreignKey } from '../journal/records.ts';
import { finding, type Finding, type ReconcileInput } from './finding.ts';

/** Who gets orders that are taken in where nobody is named. */
const OPERATOR = 'operator';

/** What is found of orders and fills that the journal does not have, and what the rules do about it. */
export function foreignFindings(
  input: ReconcileInput,
  told: ReadonlyMap<string, VenueOrder>,
  fills: ReadonlyMap<string, readonly Fill[]>,
): readonly Finding[] {
  const known = new Set(input.orders.map(({ clientOrderId }) => clientOrderId));
  const found: Finding[] = [];
  const adopted = new Set<string>();
  for (const order of told.values()) {
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
): Finding | undefined {
  const { rules, adoptFor = OPERATOR } = input;
  const { clientOrderId, symbol, status } = order;
  const strategy = input.strategyOf?.(clientOrderId);
  if (strategy !== undefined) {
    const message = `The order ${clientOrderId} has an id of ${strategy} and is not in the journal, which may be an older copy; it is taken back.`;
    return adoption('order-unjournaled', message, order, strategy, fills);
  }
  if (!isActive(status)) return undefined;
  const what = `An order ${clientOrderId} to ${order.side} ${symbol} that this bot did not place is ${status}`;
  if (rules.foreignOrders === 'adopt') {
    const message = `${what}; it is taken in for ${adoptFor}.`;
    return adoption('order-adopted', message, order, adoptFor, fills);
  }
  if (rules.foreignOrders === 'cancel') {
    const requests = [{ kind: 'cancel', clientOrderId, symbol }] as const;
    const parts = { clientOrderId, symbol, foreignOrder: order, requests };
    return finding('order-unwanted', `${what}; it is canceled.`, parts);
  }
  if (input.foreignOrders.has(clientOrderId)) return undefined;
  const parts = { clientOrderId, symbol, foreignOrder: order };
  return finding('order-foreign', `${what}; it is left alone.`, parts);
}

/** Takes an order in, with its fills: those that were told of as foreign come with it by themselves. */
function adoption(
  kind: 'order-unjournaled' | 'order-adopted',
  message: string,
  order: VenueOrder,
  strategy: string,
  fills: readonly Fill[],
): Finding {
  const { clientOrderId, symbol } = order;
  const trades = fills.map((fill): OrderReport => ({ kind: 'trade', at: fill.at, order, fill }));
  const reports: OrderReport[] = [...trades, { kind: 'status', at: order.updatedAt, order }];
  return finding(kind, message, { clientOrderId, symbol, adopt: { order, strategy }, reports });
}

export function foreignFill(fill: Fill): Finding {
  const { clientOrderId, symbol, side, id, lots } = fill;
  const message = `Trade ${id} in ${symbol} is a fill (${side}, ${lots} lots) of the order ${clientOrderId}, which this bot did not place.`;
  return finding('fill-foreign', message, { clientOrderId, symbol, foreignFills: [fill] });
}
