import type { Order } from '../model/order.ts';
import { idsOf, type OrderRequest } from '../model/order-request.ts';

/** Requested orders that have not passed the limits: no limit counts them. */
export class UnsentOrders {
  readonly #ids = new Set<string>();

  /** Adds a request that waits for the limits. */
  add(request: OrderRequest): void {
    if (request.kind !== 'cancel') for (const id of idsOf(request)) this.#ids.add(id);
  }

  /** Removes a request that passed or was rejected: its orders count by their state. */
  delete(request: OrderRequest): void {
    if (request.kind !== 'cancel') for (const id of idsOf(request)) this.#ids.delete(id);
  }

  has(clientOrderId: string): boolean {
    return this.#ids.has(clientOrderId);
  }

  /** The sent ones of these orders. */
  sent(orders: readonly Order[]): readonly Order[] {
    if (this.#ids.size === 0) return orders;
    return orders.filter(({ clientOrderId }) => !this.#ids.has(clientOrderId));
  }
}
