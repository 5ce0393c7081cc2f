import { hasStopPrice, type Order } from '../../model/order.ts';
import { waitsForList } from '../../risk/view.ts';
import type { AnyQueued } from './request-queue.ts';

/** Settings of shared accounts that wait until what they are reckoned from is of one moment, by account. */
export class WaitingSettings {
  readonly #waiting = new Map<string, AnyQueued[]>();
  /** Orders that each waits for: later ones do not hold it up. */
  readonly #orders = new WeakMap<AnyQueued, ReadonlySet<string>>();

  /** True while orders are on their way that were so when a setting came first; `orders` are open on its account. */
  awaitsOrders(queued: AnyQueued, orders: readonly Order[]): boolean {
    const ids = orders.filter(isOnItsWay).map(({ clientOrderId }) => clientOrderId);
    const first = this.#orders.get(queued) ?? new Set(ids);
    this.#orders.set(queued, first);
    return ids.some((id) => first.has(id));
  }

  add(key: string, queued: AnyQueued): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), queued]);
  }

  keys(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Gives those of an account, which wait no more. */
  take(key: string): readonly AnyQueued[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting;
  }
}

/** True for an order that fills as soon as the venue has it, or may: what it does is known within moments. */
function isOnItsWay(order: Order): boolean {
  const { status, type, timeInForce } = order;
  if (status === 'unknown' || waitsForList(order)) return false;
  if (status === 'pending') return true;
  if (hasStopPrice(type)) return false;
  return type === 'market' || timeInForce === 'IOC' || timeInForce === 'FOK';
}
