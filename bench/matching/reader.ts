import type { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../../src/exchange/listener.ts';

/**
 * Takes every report of an exchange: reads the fields that a report of an order carries and adds
 * them up. Of a balance it keeps that it changed, as one does who sends balances once in a while.
 */
export class Reader implements ExchangeListener {
  trades = 0;
  tradedLots = 0;
  reports = 0;
  /** A sum over what was read, so that nothing of it can be left out. */
  checksum = 0;
  #exchange: Exchange | undefined;

  listen(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  order(event: OrderEvent, order: number): void {
    this.reports += 1;
    this.checksum += event.length + this.#fieldsOf(order);
  }

  fill(order: number, tradeId: number, ticks: number, lots: number, taker: boolean): void {
    this.reports += 1;
    if (taker) {
      this.trades += 1;
      this.tradedLots += lots;
    }
    this.checksum += tradeId + ticks + this.#fieldsOf(order);
  }

  balance(account: number, currency: number): void {
    this.reports += 1;
    this.checksum += account + currency;
  }

  #fieldsOf(order: number): number {
    const orders = this.#exchange?.orders;
    if (orders === undefined) return 0;
    return (
      orders.id(order) +
      orders.clientOrderId(order).length +
      orders.status(order).length +
      orders.executed(order) +
      orders.lots(order) +
      orders.updatedAt(order)
    );
  }
}
