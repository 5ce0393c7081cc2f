import type { Exchange } from '../../src/exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../../src/exchange/state/listener.ts';
import type { Orders } from '../../src/exchange/orders/orders.ts';
import { FIELD } from '../../src/exchange/orders/record.ts';

const { ID, LOTS, REMAINING, UPDATED_AT, STATUS } = FIELD;

/**
 * Takes every report of an exchange: copies the fields that a report of an order carries, as one does
 * who sends them on. Of a balance it keeps whose it is, as one does who sends balances once in a while.
 */
export class Reader implements ExchangeListener {
  trades = 0;
  tradedLots = 0;
  /** The fields of the latest report of an order, its id by its length and its status by its code. */
  readonly fields = new Float64Array(9);
  /** Account and currency of the balance that changed last. */
  readonly changed = new Int32Array(2);
  #orders: Orders | undefined;

  listen(exchange: Exchange): void {
    this.#orders = exchange.orders;
  }

  order(event: OrderEvent, order: number): void {
    this.fields[6] = event.length;
    this.#copy(order);
  }

  fill(order: number, tradeId: number, ticks: number, lots: number, taker: boolean): void {
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
    this.changed[0] = account;
    this.changed[1] = currency;
  }

  #copy(order: number): void {
    const orders = this.#orders;
    if (orders === undefined) return;
    const { fields } = this;
    const { doubles, integers, clientOrderIds } = orders;
    const d = order << 4;
    fields[0] = doubles[d | ID];
    fields[1] = clientOrderIds[order].length;
    fields[2] = integers[(order << 5) | STATUS];
    fields[3] = doubles[d | REMAINING];
    fields[4] = doubles[d | LOTS];
    fields[5] = doubles[d | UPDATED_AT];
  }
}
