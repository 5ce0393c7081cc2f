import type { Exchange } from '../../../exchange/exchange.ts';
import type { ExchangeListener, OrderEvent } from '../../../exchange/listener.ts';
import type { Contract, Funding } from '../../../exchange/margin/contract.ts';
import { CLOSE_POSITION, CROSSED, marketOf, REDUCE_ONLY } from '../../../exchange/margin/flags.ts';
import type { MarginReport } from '../../../exchange/margin/report.ts';
import { venueOrder } from '../../../exchange/venue-order.ts';
import type { Transaction } from '../../../exchange/wallet/transaction.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Lots, Ticks } from '../../../model/units.ts';
import { fee } from '../../../rules/funds.ts';
import { tradeMargin } from '../margin/trade-margin.ts';
import type { News } from '../news.ts';
import type { History } from './history.ts';
import type { OrderRecord, OrderReport, TradeMarginRecord, TradeRecord } from './order-record.ts';

/**
 * Listens to the exchange and writes down what happened, in the words of the service: first into
 * the history, so that whoever is told of something finds it there, then to those who follow.
 */
export class Reporter implements ExchangeListener {
  readonly #exchange: () => Exchange;
  readonly #instruments: readonly Instrument[];
  readonly #history: History;
  readonly #news: News;
  /** A contract's funding was paid. */
  readonly funding: (contract: Contract, funding: Funding) => void;

  /** The exchange is made with its listener, hence the function. */
  constructor(
    exchange: () => Exchange,
    instruments: readonly Instrument[],
    history: History,
    news: News,
    funding: (contract: Contract, funding: Funding) => void,
  ) {
    this.funding = funding;
    this.#exchange = exchange;
    this.#instruments = instruments;
    this.#history = history;
    this.#news = news;
  }

  order(event: OrderEvent, order: number): void {
    this.#tell({ kind: event, at: this.#exchange().now, order: this.#record(order, 0n) });
  }

  fill(order: number, id: number, ticks: number, lots: number, taker: boolean): void {
    const { orders, margin } = this.#exchange();
    const onMargin = orders.margin(order) === 0 ? undefined : tradeMargin(margin.latest);
    const record = this.#record(order, BigInt(ticks) * BigInt(lots), onMargin?.positionId);
    const trade = this.#trade(order, record, { id, ticks, lots, taker, onMargin });
    this.#tell({ kind: 'trade', at: trade.at, order: record, trade });
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

  #tell(report: OrderReport): void {
    this.#history.keep(report);
    this.#news.report(report);
  }

  /** The order as it is now, `more` of value executed since it was last written down. */
  #record(order: number, more: bigint, newPositionId?: number): OrderRecord {
    const { orders, stops, lists } = this.#exchange();
    const view = venueOrder(orders, stops, lists, this.#instruments, order);
    const account = orders.account(order);
    const { originalClientOrderId: replaced } = view;
    const history = this.#history.of(account);
    const before =
      history.order(view.id) ??
      (replaced === undefined ? undefined : history.activeOrder(replaced));
    const flags = orders.margin(order);
    const positionId = newPositionId ?? before?.margin?.positionId;
    const margin = {
      mode: (flags & CROSSED) === 0 ? 'isolated' : 'cross',
      reduceOnly: (flags & REDUCE_ONLY) !== 0,
      closePosition: (flags & CLOSE_POSITION) !== 0,
      ...(positionId === undefined ? {} : { positionId }),
    } as const;
    return {
      ...view,
      account,
      instrument: this.#instruments[orders.instrument(order)],
      market: marketOf(order, orders, this.#instruments),
      executedValue: (before?.executedValue ?? 0n) + more,
      ...(flags === 0 ? {} : { margin }),
    };
  }

  #trade(
    order: number,
    record: OrderRecord,
    fill: {
      readonly id: number;
      readonly ticks: number;
      readonly lots: number;
      readonly taker: boolean;
      readonly onMargin: TradeMarginRecord | undefined;
    },
  ): TradeRecord {
    const { orders, fees, now } = this.#exchange();
    const { takeRate, makeRate } = fees.ofOrder(orders.tariff(order));
    const { instrument, account, market, clientOrderId, side } = record;
    const { onMargin } = fill;
    const ticks = fill.ticks as Ticks;
    const lots = fill.lots as Lots;
    return {
      id: fill.id,
      orderId: record.id,
      clientOrderId,
      account,
      instrument,
      market,
      side,
      ticks,
      lots,
      fee: onMargin?.fee ?? fee(instrument, ticks, lots, fill.taker ? takeRate : makeRate),
      taker: fill.taker,
      at: now,
      ...(onMargin === undefined ? {} : { margin: onMargin }),
    };
  }
}
