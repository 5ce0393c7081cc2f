import type { Order } from '../model/order.ts';
import { idsOf, type OrderRequest } from '../model/order-request.ts';

/** Orders that were asked for and have not passed the limits: no limit counts them. */
export class UnsentOrders {
  readonly #ids = new Set<string>();

  /** A request waits for the limits. */
  add(request: OrderRequest): void {
    if (request.kind !== 'cancel') for (const id of idsOf(request)) this.#ids.add(id);
  }

  /** A request passed, or its rejection is received: its orders are what their state says. */
  delete(request: OrderRequest): void {
    if (request.kind !== 'cancel') for (const id of idsOf(request)) this.#ids.delete(id);
  }

  has(clientOrderId: string): boolean {
    return this.#ids.has(clientOrderId);
  }

  /** The others of these orders. */
  sent(orders: readonly Order[]): readonly Order[] {
    if (this.#ids.size === 0) return orders;
    return orders.filter(({ clientOrderId }) => !this.#ids.has(clientOrderId));
  }
}
