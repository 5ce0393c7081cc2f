import type { Exchange } from '../../../exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../../../exchange/state/listener.ts';
import type { Contract, Funding } from '../../../exchange/positions/contract.ts';
import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import type { Lots, Ticks } from '../../../model/units.ts';
import { tradeMargin } from '../margin/trade-margin.ts';
import type { News } from '../news.ts';
import type { AccountHistory } from './account-history.ts';
import type { History } from './history.ts';
import type { OrderRecord, OrderReport } from './order-record.ts';
import { OwnTrade } from './own-trade.ts';
import { snapshot } from './snapshot.ts';

/**
 * Listens to the exchange and records what happened, in the form of the service: first in the history, so
 * that a subscriber of an event finds it there, then to subscribers.
 */
export class Reporter implements ExchangeListener {
  readonly #exchange: () => Exchange;
  readonly #history: History;
  readonly #news: News;
  /** A contract's funding was paid. */
  readonly funding: (contract: Contract, funding: Funding) => void;

  /** The exchange is made with its listener, hence the function. */
  constructor(
    exchange: () => Exchange,
    history: History,
    news: News,
    funding: (contract: Contract, funding: Funding) => void,
  ) {
    this.funding = funding;
    this.#exchange = exchange;
    this.#history = history;
    this.#news = news;
  }

  order(event: OrderEvent, order: number): void {
    this.#emit({ kind: event, at: this.#exchange().now, order: this.#record(order, 0n) });
  }

  fill(order: number, id: number, ticks: number, lots: number, taker: boolean): void {
    const { orders, fees, margin, now } = this.#exchange();
    const onMargin = orders.marginFlags(order) === 0 ? undefined : tradeMargin(margin.latest);
    const value = BigInt(ticks) * BigInt(lots);
    const record = this.#record(order, value, onMargin?.positionId);
    const { takeRate, makeRate } = fees.ratesOf(orders.feeSchedule(order));
    const trade = new OwnTrade(record, {
      id,
      ticks: ticks as Ticks,
      lots: lots as Lots,
      taker,
      at: now,
      rate: taker ? takeRate : makeRate,
      margin: onMargin,
    });
    this.#emit({ kind: 'trade', at: now, order: record, trade });
  }

  balance(account: number, currency: number): void {
    this.#news.balance(account, 'spot', currency);
  }

  walletBalance(account: number, currency: number): void {
    this.#news.balance(account, 'wallet', currency);
  }

  derivativesBalance(account: number, currency: number): void {
    this.#news.balance(account, 'derivatives', currency);
  }

  transaction(transaction: Transaction): void {
    this.#news.transaction(transaction);
  }

  marginAccount(report: MarginReport): void {
    this.#news.marginAccount(report);
  }

  #emit(report: OrderReport): void {
    this.#history.record(report);
    this.#news.report(report);
  }

  /** The present state of an order, with the value executed since its last record. */
  #record(order: number, value: bigint, positionId?: number): OrderRecord {
    const exchange = this.#exchange();
    const { orders } = exchange;
    const history = this.#history.of(orders.account(order));
    const before = history.activeOrder(orders.id(order)) ?? this.#replaced(history, order);
    return snapshot(exchange, order, before, value, positionId);
  }

  /** The order that a new one replaces, whose executions it inherits. */
  #replaced(history: AccountHistory, order: number): OrderRecord | undefined {
    const replaced = this.#exchange().orders.originalClientOrderId(order);
    return replaced === undefined ? undefined : history.activeByClientOrderId(replaced);
  }
}
