import { isActive } from '../../../model/order.ts';
import type { OrderRecord, OrderReport, TradeRecord } from './order-record.ts';

/** The orders and trades of one account, oldest first. */
export interface AccountHistory {
  /** By the exchange's number; the latest state of each. */
  readonly orders: Map<number, OrderRecord>;
  /** Orders that can still execute or be canceled, by client order id. */
  readonly active: Map<string, OrderRecord>;
  /** The newest order of each client order id. */
  readonly named: Map<string, OrderRecord>;
  readonly trades: TradeRecord[];
}

/** What became of the orders of all accounts. */
export class History {
  readonly #accounts = new Map<number, AccountHistory>();

  /** The history of an account, which is empty at first. */
  of(account: number): AccountHistory {
    let history = this.#accounts.get(account);
    if (history === undefined) {
      history = { orders: new Map(), active: new Map(), named: new Map(), trades: [] };
      this.#accounts.set(account, history);
    }
    return history;
  }

  /** An order by its number. */
  order(account: number, id: number): OrderRecord | undefined {
    return this.of(account).orders.get(id);
  }

  /** The newest order that has or had a client order id. */
  named(account: number, clientOrderId: string): OrderRecord | undefined {
    return this.of(account).named.get(clientOrderId);
  }

  /** Takes a report in. */
  keep({ order, trade }: OrderReport): void {
    const { orders, active, named, trades } = this.of(order.account);
    orders.set(order.id, order);
    if (isActive(order.status)) active.set(order.clientOrderId, order);
    else active.delete(order.clientOrderId);
    // A replaced order ends without a report of its own.
    const { originalClientOrderId: original } = order;
    if (original !== undefined && active.has(original)) active.delete(original);
    named.set(order.clientOrderId, order);
    if (trade !== undefined) trades.push(trade);
  }
}
