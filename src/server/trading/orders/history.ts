import type { OrderMarket } from '../../../exchange/margin/flags.ts';
import { isActive } from '../../../model/order.ts';
import { isOfPosition } from '../margin/trade-margin.ts';
import type { OrderRecord, OrderReport, TradeRecord } from './order-record.ts';
import type { Page } from './page.ts';

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

/** What is asked for of a history. */
export interface HistoryQuery {
  readonly markets: readonly OrderMarket[];
  /** None stands for all. */
  readonly symbols: readonly string[];
  readonly page: Page;
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

  /** A page of the orders, active ones included, by number or by the time of their creation. */
  orders(account: number, { markets, symbols, page }: HistoryQuery): readonly OrderRecord[] {
    const fitting = [...this.of(account).orders.values()].filter(
      ({ market, symbol }) =>
        markets.includes(market) && (symbols.length === 0 || symbols.includes(symbol)),
    );
    return pageFrom(fitting, page, ({ createdAt }) => createdAt);
  }

  /** The orders that have or had a client order id, newest first. */
  ordersNamed(account: number, market: OrderMarket, clientOrderId: string): readonly OrderRecord[] {
    return [...this.of(account).orders.values()]
      .filter((order) => order.market === market && order.clientOrderId === clientOrderId)
      .reverse();
  }

  /** A page of the trades, those of an order or a position alone where it is named. */
  trades(
    account: number,
    { markets, symbols, page }: HistoryQuery,
    orderId?: number,
    positionId?: number,
  ): readonly TradeRecord[] {
    const fitting = this.of(account).trades.filter(
      (trade) =>
        markets.includes(trade.market) &&
        (symbols.length === 0 || symbols.includes(trade.instrument.symbol)) &&
        (orderId === undefined || trade.orderId === orderId) &&
        (positionId === undefined || isOfPosition(trade.margin, positionId)),
    );
    return pageFrom(fitting, page, ({ at }) => at);
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

function pageFrom<T extends { readonly id: number }>(
  fitting: readonly T[],
  { by, sort, from, till, limit, offset }: Page,
  timeOf: (one: T) => number,
): readonly T[] {
  const key = (one: T): number => (by === 'id' ? one.id : timeOf(one));
  const within = fitting
    .filter((one) => key(one) >= from && key(one) <= till)
    .toSorted((one, other) => key(one) - key(other) || one.id - other.id);
  return (sort === 'ASC' ? within : within.reverse()).slice(offset, offset + limit);
}
