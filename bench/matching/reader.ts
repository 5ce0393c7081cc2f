import type { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../../src/exchange/listener.ts';
import type { Orders } from '../../src/exchange/orders/orders.ts';

/**
 * Takes every report of an exchange: copies the fields that a report of an order carries, as one does
 * who sends them on. Of a balance it keeps whose it is, as one does who sends balances once in a while.
 */
export class Reader implements ExchangeListener {
  trades = 0;
  tradedLots = 0;
  reports = 0;
  /** The fields of the latest report of an order, its id and its status by their lengths. */
  readonly fields = new Float64Array(9);
  /** Account and currency of the balance that changed last. */
  readonly changed = new Int32Array(2);
  #orders: Orders | undefined;

  listen(exchange: Exchange): void {
    this.#orders = exchange.orders;
  }

  order(event: OrderEvent, order: number): void {
    this.reports += 1;
    this.fields[6] = event.length;
    this.#copy(order);
  }

  fill(order: number, tradeId: number, ticks: number, lots: number, taker: boolean): void {
    this.reports += 1;
    if (taker) {
      this.trades += 1;
      this.tradedLots += lots;
    }
    const { fields } = this;
    fields[6] = tradeId;
    fields[7] = ticks;
    fields[8] = lots;
    this.#copy(order);
  }

  balance(account: number, currency: number): void {
    this.reports += 1;
    this.changed[0] = account;
    this.changed[1] = currency;
  }

  #copy(order: number): void {
    const orders = this.#orders;
    if (orders === undefined) return;
    const { fields } = this;
    fields[0] = orders.id(order);
    fields[1] = orders.clientOrderId(order).length;
    fields[2] = orders.status(order).length;
    fields[3] = orders.executed(order);
    fields[4] = orders.lots(order);
    fields[5] = orders.updatedAt(order);
  }
}
