import { isOpen } from '../../model/order.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { Markets } from '../market/markets.ts';
import type { OrderChange } from './order-store.ts';
import { neverActive, protectionLost, type Unprotected } from './protection.ts';
import { withHolders } from './reserving.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** Dependencies of the explanations. */
export interface Explaining {
  readonly orders: StrategyOrders;
  readonly markets: Markets;
  readonly scheduler: Pick<Scheduler, 'now'>;
  readonly log: Log;
  readonly emit: (happening: { readonly kind: 'unprotected' } & Unprotected) => void;
}

/** Changes, with the reason if protection ended. */
export function explainedAll(
  changes: readonly OrderChange[],
  using: Explaining,
): readonly OrderChange[] {
  let all: OrderChange[] | undefined;
  for (let i = 0; i < changes.length; i += 1) {
    const change = explained(changes[i], using);
    if (change === changes[i]) continue;
    all ??= [...changes];
    all[i] = change;
  }
  return all ?? changes;
}

/** A change, with the reason if protection ended, which is logged. */
function explained(change: OrderChange, using: Explaining): OrderChange {
  const { order, isUnchanged } = change;
  if (isUnchanged === true || isOpen(order)) return change;
  const { orders, markets, scheduler, emit, log } = using;
  const list = orders.listOf(order);
  const { clientOrderId, symbol } = order;
  const lost = protectionLost(order, list);
  const why = lost?.rejection ?? neverActive(order, list, markets.get(symbol).instrument);
  if (why === undefined) return change;
  const rejection = withHolders(why, order, orders, markets);
  if (lost !== undefined) {
    emit({ kind: 'unprotected', ...lost, rejection });
    log.warn(rejection.message, { ...lost, rejection });
  }
  const after = orders.explain(clientOrderId, rejection, scheduler.now());
  return after === undefined ? change : { ...change, order: after };
}
