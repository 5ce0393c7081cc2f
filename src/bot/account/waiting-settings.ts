import { hasStopPrice, type Order } from '../../model/order.ts';
import { waitsForList } from '../../risk/view.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { AnyQueued } from './request-queue.ts';

/** An uninterrupted sequence of orders delays a setting no longer than this: a part may need its funds. */
const ORDERS_WITHIN_US = US_PER_SECOND;

/** Settings of shared accounts that wait until all inputs are of one moment, by account. */
export class WaitingSettings {
  readonly #waiting = new Map<string, AnyQueued[]>();
  /** When each was first queued. */
  readonly #since = new WeakMap<AnyQueued, Micros>();

  /** True while an open order on a setting's account is in flight. */
  awaitsOrders(queued: AnyQueued, orders: readonly Order[], now: Micros): boolean {
    const since = this.#since.get(queued) ?? now;
    this.#since.set(queued, since);
    return now - since < ORDERS_WITHIN_US && orders.some(isOnItsWay);
  }

  add(key: string, queued: AnyQueued): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), queued]);
  }

  keys(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** Returns and removes the waiting settings of an account. */
  take(key: string): readonly AnyQueued[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting;
  }
}

/**
 * True for an order that fills or may fill as soon as the venue has it: its effect is known within moments.
 */
function isOnItsWay(order: Order): boolean {
  const { status, type, timeInForce } = order;
  if (status === 'unknown' || waitsForList(order)) return false;
  if (status === 'pending') return true;
  if (hasStopPrice(type)) return false;
  return type === 'market' || timeInForce === 'IOC' || timeInForce === 'FOK';
}
