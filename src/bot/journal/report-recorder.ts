import type { Order } from '../../model/order.ts';
import { idOf, type OrderRequest } from '../../model/order-request.ts';
import { requestedOrders } from '../../engine/orders/requested-orders.ts';
import { MillraceError } from '../../model/errors.ts';
import type { InstrumentRows } from './instrument-rows.ts';
import type { StoredOrder } from './order.ts';
import type { AnyIntent, Intent, ManagedIntent, MarginIntent } from './records.ts';
import type { ReportedOrder } from './order-event-log.ts';

type Find = (clientOrderId: string) => StoredOrder | undefined;

/** The orders that are there. */
interface Known {
  readonly kept: Find;
  /** The orders that a request makes, if they were requested already. */
  readonly asked?: (request: OrderRequest) => readonly Order[] | undefined;
}

/** Results of requests. */
export interface ReportRecorder {
  readonly orders: ReadonlyMap<string, StoredOrder>;
  /** Margin account settings. */
  readonly margin: readonly MarginIntent[];
  readonly managed: readonly ManagedIntent[];
  readonly reported: readonly ReportedOrder[];
}

/**
 * The orders that requests make and their log events; `isTaken` may leave some orders to be looked up
 * later. Throws `request-invalid` and `symbol-unknown` for what no table would accept.
 */
export function takeIn(
  intents: readonly AnyIntent[],
  instruments: InstrumentRows,
  { kept: known, asked = () => undefined }: Known,
  isTaken = (clientOrderId: string): boolean => known(clientOrderId) !== undefined,
): ReportRecorder {
  const orders = new Map<string, StoredOrder>();
  const margin: MarginIntent[] = [];
  const managed: ManagedIntent[] = [];
  const reported: ReportedOrder[] = [];
  const find: Find = (id) => orders.get(id) ?? known(id);
  for (const intent of intents) {
    if (isOfManaged(intent)) {
      managed.push(intent);
      continue;
    }
    const { at, strategy } = intent;
    if (isOfMargin(intent)) {
      const { request } = intent;
      // Throws for an unknown symbol.
      instruments.idOf(request.symbol);
      margin.push(intent);
      reported.push({ kind: 'intended', at, strategy, body: request });
      continue;
    }
    const { request } = intent;
    for (const kept of ordersOf(intent, instruments, find, asked(request))) {
      const { clientOrderId } = kept.order;
      if (orders.has(clientOrderId) || isTaken(clientOrderId)) throw takenId(clientOrderId);
      checkWhole(kept);
      orders.set(clientOrderId, kept);
    }
    const body = { ...request, managed: intent.managed };
    reported.push({ kind: 'intended', at, strategy, clientOrderId: idOf(request), body });
  }
  return { orders, margin, managed, reported };
}

const isOfManaged = (intent: AnyIntent): intent is ManagedIntent => !('request' in intent);

const isOfMargin = (intent: Intent | MarginIntent): intent is MarginIntent =>
  intent.request.kind === 'setMargin';

/** The orders that a request makes, none for a cancel; `find` returns the known ones. */
function ordersOf(
  { at, strategy, request, managed }: Intent,
  instruments: InstrumentRows,
  find: Find,
  asked: readonly Order[] | undefined,
): readonly StoredOrder[] {
  const replaced = request.kind === 'replace' ? find(request.clientOrderId) : undefined;
  if (request.kind === 'replace' && replaced === undefined) {
    throw unknownOrder(request.clientOrderId);
  }
  const requester = { strategy, managed: managed, requestedAt: at };
  const orders = asked ?? requestedOrders(request, () => replaced?.order, requester);
  return orders.map((order) => ({
    order,
    // A replacement is on the grid of what it replaces.
    instrumentId: replaced?.instrumentId ?? instruments.idOf(order.symbol),
    unwritten: [],
  }));
}

const unknownOrder = (clientOrderId: string): MillraceError =>
  new MillraceError(
    'request-invalid',
    `The journal knows no order "${clientOrderId}" that could be replaced.`,
    { field: 'clientOrderId' },
  );

/** Rejects values that are no numbers here, and not later when they are written to the tables. */
function checkWhole({ order }: StoredOrder): void {
  const { clientOrderId, lots, ticks = 0, stopTicks = 0 } = order;
  if ([lots, ticks, stopTicks].every(Number.isSafeInteger)) return;
  throw new MillraceError(
    'request-invalid',
    `The order "${clientOrderId}" has a quantity or price that is no whole number of lots or ticks; round it before it is sent.`,
    { field: 'lots' },
  );
}

/** Why an order cannot be journaled: its id belongs to another one. */
export const takenId = (clientOrderId: string): MillraceError =>
  new MillraceError(
    'request-invalid',
    `The journal of the account has an order "${clientOrderId}" already, of this run or an earlier one, of this strategy or another. An id belongs to one order for good: put the time into it, as in \`entry-\${clock.now()}\`, or leave clientOrderId out and the engine makes one.`,
    { field: 'clientOrderId' },
  );
