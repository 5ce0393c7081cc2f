import { isOpen } from '../../model/order.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { Markets } from '../market/markets.ts';
import type { OrderChange, OrderStore } from './order-store.ts';
import { neverActive, protectionLost, type Unprotected } from './protection.ts';
import { withHolders } from './reserving.ts';

/** What is asked and told for the reason of an end. */
export interface Explaining {
  readonly orders: OrderStore;
  readonly markets: Markets;
  readonly scheduler: Pick<Scheduler, 'now'>;
  readonly log: Log;
  readonly tell: (happening: { readonly kind: 'unprotected' } & Unprotected) => void;
}

/** A change with the reason why protection ended, where it did; that is logged then. */
export function explained(change: OrderChange, using: Explaining): OrderChange {
  const { order, isSilent } = change;
  if (isSilent === true || isOpen(order)) return change;
  const { orders, markets, scheduler, tell, log } = using;
  const list = orders.listOf(order);
  const { clientOrderId, symbol } = order;
  const lost = protectionLost(order, list);
  const why = lost?.refusal ?? neverActive(order, list, markets.get(symbol).instrument);
  if (why === undefined) return change;
  const refusal = withHolders(why, order, orders, markets);
  if (lost !== undefined) {
    tell({ kind: 'unprotected', ...lost, refusal });
    log.warn(refusal.message, { ...lost, refusal });
  }
  const event = { kind: 'explained', refusal } as const;
  const after = orders.apply(clientOrderId, event, scheduler.now());
  return after === undefined ? change : { ...change, order: after };
}
