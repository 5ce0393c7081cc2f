import { hasStopPrice } from '../../model/order.ts';
import { stopReserveTicks } from '../../rules/funds.ts';
import { grown } from '../queues/grown.ts';
import type { Orders } from './orders.ts';

/** Stop prices of orders, separate from the records as few orders have one. */
export class StopPrices {
  declare private readonly orders: Orders;
  #ticks = new Float64Array(64);

  constructor(orders: Orders) {
    this.orders = orders;
  }

  set(order: number, ticks: number): void {
    while (order >= this.#ticks.length) this.#ticks = grown(this.#ticks);
    this.#ticks[order] = ticks;
  }

  /** The stop price, 0 for orders without one. */
  ticks(order: number): number {
    return hasStopPrice(this.orders.type(order)) ? this.#ticks[order] : 0;
  }

  /**
   * Price at which a buy reserves funds: its limit, or one derived from its stop price; 0 for a
   * market order.
   */
  reserveTicks(order: number): number {
    const ticks = this.orders.ticks(order);
    if (ticks !== 0) return ticks;
    const stopTicks = this.ticks(order);
    return stopTicks === 0 ? 0 : stopReserveTicks(stopTicks);
  }
}
