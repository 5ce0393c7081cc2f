import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarginAccountView } from '../../../exchange/margin/views.ts';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { MarginReport } from '../../../exchange/positions/report.ts';
import type { Cancel } from '../../../platform/scheduler.ts';
import type { Frame } from '../../socket/frame.ts';
import { marginAccounts } from '../margin/actions.ts';
import { activeOrders, type Trader } from '../orders/actions.ts';
import type { OrderRecord, OrderReport } from '../orders/order-record.ts';
import type { Seat } from './part.ts';

/** How a version tells what happens to orders and margin accounts, in frames. */
export interface Voice {
  report(report: OrderReport): Frame;
  orders(market: OrderMarket, standing: readonly OrderReport[]): string;
  /** Nothing of an account that the version does not know. */
  account(exchange: Exchange, report: MarginReport): string | undefined;
  accounts(
    exchange: Exchange,
    market: 'margin' | 'futures',
    accounts: readonly MarginAccountView[],
  ): string;
}

/** How an order stands, as a report. */
export const standing = (order: OrderRecord): OrderReport => ({
  kind: 'status',
  at: order.updatedAt,
  order,
});

/** Tells the orders of an account in the markets that are followed, and its margin accounts there. */
export class OrderFeed {
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, Trader>>;
  readonly #seat: Seat;
  readonly #voice: Voice;
  /** The markets that are followed. */
  readonly #markets = new Set<OrderMarket>();
  #stop: Cancel | undefined;

  constructor(seat: Seat, voice: Voice) {
    const { account, version } = seat;
    this.#seat = seat;
    this.#voice = voice;
    this.trader = {
      spot: { account, version, market: 'spot' },
      margin: { account, version, market: 'margin' },
      futures: { account, version, market: 'futures' },
    };
  }

  /** Tells of a market from now on. */
  follow(market: OrderMarket): void {
    const { service, account, connection } = this.#seat;
    this.#markets.add(market);
    this.#stop ??= service.news.follow(account, {
      report: (report) => {
        if (this.#markets.has(report.order.market)) connection.send(this.#voice.report(report));
      },
      marginAccount: (report) => {
        if (!this.#markets.has(report.isContract ? 'futures' : 'margin')) return;
        const told = this.#voice.account(service.exchange, report);
        if (told !== undefined) connection.send(told);
      },
    });
  }

  unfollow(market: OrderMarket): void {
    this.#markets.delete(market);
    if (this.#markets.size === 0) this.stop();
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#markets.clear();
  }

  /** Tells how the active orders of a market stand, and its margin accounts. */
  tellAll(market: OrderMarket): void {
    const { service, connection } = this.#seat;
    const trader = this.trader[market];
    const orders = activeOrders(service, trader);
    if (orders.kind === 'fault') return;
    connection.send(this.#voice.orders(market, orders.value.map(standing)));
    if (market === 'spot') return;
    const accounts = marginAccounts(service, trader);
    connection.send(this.#voice.accounts(service.exchange, market, accounts));
  }
}
