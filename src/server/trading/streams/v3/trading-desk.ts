import type { OrderMarket } from '../../../../exchange/margin/flags.ts';
import type { Cancel } from '../../../../platform/scheduler.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v3/streams/trading.ts';
import { activeOrders, type Trader } from '../../orders/actions.ts';
import type { OrderRecord, OrderReport } from '../../orders/order-record.ts';
import type { TradingService } from '../../service.ts';
import { reportNotice, reportsText } from '../../views/v3/report-text.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import { noticesOf } from '../notices.ts';
import type { Desk, Seat } from '../part.ts';
import { BalanceFeed } from './balance-feed.ts';

export const notice = noticesOf(TRADING_NOTIFICATIONS);

/** What one trading socket follows for the account that has logged in on it. */
export class TradingDesk implements Desk {
  readonly seat: Seat;
  readonly spotBalances: BalanceFeed;
  readonly futuresBalances: BalanceFeed;
  readonly #traders: Readonly<Record<OrderMarket, Trader>>;
  /** The markets whose orders are followed. */
  readonly #markets = new Set<OrderMarket>();
  #stop: Cancel | undefined;

  constructor(seat: Seat) {
    const { account, version } = seat;
    this.seat = seat;
    this.#traders = {
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

  trader(market: OrderMarket): Trader {
    return this.#traders[market];
  }

  /** Tells of the orders of a market from now on. */
  follow(market: OrderMarket): void {
    this.#markets.add(market);
    this.#stop ??= this.service.news.follow(this.seat.account, {
      report: (report) => {
        if (this.#markets.has(report.order.market)) this.#send(reportNotice(report));
      },
    });
  }

  unfollow(market: OrderMarket): void {
    this.#markets.delete(market);
    if (this.#markets.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Tells how the active orders of a market stand. */
  tellOrders(market: OrderMarket): void {
    const orders = activeOrders(this.service, this.trader(market));
    if (orders.kind === 'fault') return;
    this.#send(notificationText(`${market}_orders`, reportsText(orders.value.map(standing))));
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#markets.clear();
    this.spotBalances.stop();
    this.futuresBalances.stop();
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
