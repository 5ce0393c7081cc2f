import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../exchange/margin/views.ts';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import type { Frame } from '../../socket/frame.ts';
import { marginAccounts } from '../margin/actions.ts';
import { activeOrders, type RequestContext } from '../orders/actions.ts';
import type { OrderRecord, OrderReport } from '../orders/order-record.ts';
import type { TradingService } from '../service.ts';
import { reply, type ClientSession, type SessionMethods } from './part.ts';

/** How a version writes the reports of orders and margin accounts, as frames. */
export interface OrderListener {
  report(report: OrderReport): Frame;
  orders(market: OrderMarket, open: readonly OrderReport[]): string;
  /** Nothing of an account that the version does not know. */
  account(exchange: Exchange, report: MarginReport): string | undefined;
  accounts(
    exchange: Exchange,
    market: 'margin' | 'futures',
    accounts: readonly MarginAccountView[],
  ): string;
}

/** State of an order as a report. */
export const statusReport = (order: OrderRecord): OrderReport => ({
  kind: 'status',
  at: order.updatedAt,
  order,
});

/** Emits the orders of an account in the markets that are followed, and its margin accounts there. */
export class OrderFeed implements SessionMethods {
  readonly session: ClientSession;
  readonly service: TradingService;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, RequestContext>>;
  readonly #listener: OrderListener;
  /** The markets that are followed. */
  readonly #markets = new Set<OrderMarket>();
  #stop: Cancel | undefined;

  constructor(session: ClientSession, listener: OrderListener) {
    const { account, version } = session;
    this.session = session;
    this.service = session.service;
    this.#listener = listener;
    this.trader = {
      spot: { account, version, market: 'spot' },
      margin: { account, version, market: 'margin' },
      futures: { account, version, market: 'futures' },
    };
  }

  /** Emits a market from now on, first how it stands. */
  follow(market: OrderMarket) {
    const { service, account, connection } = this.session;
    this.#markets.add(market);
    this.#stop ??= service.news.follow(account, {
      report: (report) => {
        if (this.#markets.has(report.order.market)) connection.send(this.#listener.report(report));
      },
      marginAccount: (report) => {
        if (!this.#markets.has(report.isContract ? 'futures' : 'margin')) return;
        const reported = this.#listener.account(service.exchange, report);
        if (reported !== undefined) connection.send(reported);
      },
    });
    return reply(true as const, () => {
      this.#emitAll(market);
    });
  }

  unfollow(market: OrderMarket) {
    this.#markets.delete(market);
    if (this.#markets.size === 0) this.close();
    return reply(true as const);
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#markets.clear();
  }

  /** Emits how the active orders of a market stand, and its margin accounts. */
  #emitAll(market: OrderMarket): void {
    const { service, connection } = this.session;
    const trader = this.trader[market];
    const orders = activeOrders(service, trader);
    if (orders.kind === 'fault') return;
    connection.send(this.#listener.orders(market, orders.value.map(statusReport)));
    if (market === 'spot') return;
    const accounts = marginAccounts(service, trader);
    connection.send(this.#listener.accounts(service.exchange, market, accounts));
  }
}
