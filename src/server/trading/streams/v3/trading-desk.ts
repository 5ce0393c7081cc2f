import type { OrderMarket } from '../../../../exchange/margin/flags.ts';
import type { MarginReport } from '../../../../exchange/margin/report.ts';
import type { Cancel } from '../../../../platform/scheduler.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v3/streams/trading.ts';
import { marginAccounts } from '../../margin/actions.ts';
import { activeOrders, type Trader } from '../../orders/actions.ts';
import type { OrderRecord, OrderReport } from '../../orders/order-record.ts';
import type { TradingService } from '../../service.ts';
import { accountReportView, accountStatusView } from '../../views/v3/margin.ts';
import { reportNotice, reportsText } from '../../views/v3/report-text.ts';
import { noticesOf } from '../notices.ts';
import type { Desk, Seat } from '../part.ts';
import { BalanceFeed } from './balance-feed.ts';

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** What one trading socket follows for the account that has logged in on it. */
export class TradingDesk implements Desk {
  readonly seat: Seat;
  readonly spotBalances: BalanceFeed;
  readonly futuresBalances: BalanceFeed;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, Trader>>;
  /** The markets whose orders are followed. */
  readonly #markets = new Set<OrderMarket>();
  #stop: Cancel | undefined;

  constructor(seat: Seat) {
    const { account, version } = seat;
    this.seat = seat;
    this.trader = {
      spot: { account, version, market: 'spot' },
      margin: { account, version, market: 'margin' },
      futures: { account, version, market: 'futures' },
    };
    this.spotBalances = new BalanceFeed(seat, 'spot');
    this.futuresBalances = new BalanceFeed(seat, 'futures');
  }

  get service(): TradingService {
    return this.seat.service;
  }

  /** Tells of the orders of a market, and of its margin accounts, from now on. */
  follow(market: OrderMarket): void {
    this.#markets.add(market);
    this.#stop ??= this.service.news.follow(this.seat.account, {
      report: (report) => {
        if (this.#markets.has(report.order.market)) this.#send(reportNotice(report));
      },
      marginAccount: (report) => {
        if (this.#markets.has(report.isContract ? 'futures' : 'margin')) this.#tellAccount(report);
      },
    });
  }

  unfollow(market: OrderMarket): void {
    this.#markets.delete(market);
    if (this.#markets.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Tells how the active orders of a market stand, and its margin accounts. */
  tellAll(market: OrderMarket): void {
    const orders = activeOrders(this.service, this.trader[market]);
    if (orders.kind === 'fault') return;
    this.#send(notificationText(`${market}_orders`, reportsText(orders.value.map(standing))));
    if (market === 'spot') return;
    const accounts = marginAccounts(this.service, this.trader[market]).map((account) =>
      accountStatusView(this.service.exchange, account),
    );
    this.#send(notice(`${market}_accounts`, accounts));
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#markets.clear();
    this.spotBalances.stop();
    this.futuresBalances.stop();
  }

  #tellAccount(report: MarginReport): void {
    const told = accountReportView(this.service.exchange, report);
    this.#send(notice(report.isContract ? 'futures_account' : 'margin_account', told));
  }

  #send(frame: string): void {
    this.seat.connection.send(frame);
  }
}

/** How an order stands, as a report. */
export const standing = (order: OrderRecord): OrderReport => ({
  kind: 'status',
  at: order.updatedAt,
  order,
});
