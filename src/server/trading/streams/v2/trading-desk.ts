import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v2/streams/trading.ts';
import type { Trader } from '../../orders/actions.ts';
import type { TradingService } from '../../service.ts';
import { accountReportView, accountStatusView } from '../../views/v2/margin.ts';
import { reportNotice, reportsText } from '../../views/v2/report-text.ts';
import { noticesOf } from '../notices.ts';
import { OrderFeed, type Voice } from '../order-feed.ts';
import type { Desk, Seat } from '../part.ts';

/** Version 2 names margin accounts by symbol, so it knows isolated ones alone. */
export const isKnown = ({ mode }: { readonly mode: MarginMode }): boolean => mode === 'isolated';

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** How version 2 tells of orders and margin accounts. It does not know futures. */
const v2Voice: Voice = {
  report: reportNotice,
  orders: (market, standing) =>
    notificationText(market === 'spot' ? 'activeOrders' : 'marginOrders', reportsText(standing)),
  account: (exchange, report) =>
    isKnown(report)
      ? notice('marginAccountReport', accountReportView(exchange, report))
      : undefined,
  accounts: (exchange, _market, accounts) =>
    notice(
      'marginAccounts',
      accounts.filter(isKnown).map((account) => accountStatusView(exchange, account)),
    ),
};

/** What one trading socket of version 2 follows for the account that has logged in on it. */
export class TradingDesk implements Desk {
  readonly seat: Seat;
  readonly service: TradingService;
  readonly orders: OrderFeed;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, Trader>>;

  constructor(seat: Seat) {
    this.seat = seat;
    this.service = seat.service;
    this.orders = new OrderFeed(seat, v2Voice);
    this.trader = this.orders.trader;
  }

  close(): void {
    this.orders.stop();
  }
}
