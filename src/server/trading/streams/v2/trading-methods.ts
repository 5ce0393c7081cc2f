import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v2/streams/trading.ts';
import type { RequestContext } from '../../orders/actions.ts';
import type { TradingService } from '../../service.ts';
import { accountReportView, accountStatusView } from '../../views/v2/margin.ts';
import { reportNotice, reportsText } from '../../views/v2/report-text.ts';
import { noticesOf } from '../notices.ts';
import { OrderFeed, type OrderListener } from '../order-feed.ts';
import type { SessionMethods, ClientSession } from '../part.ts';

/** Version 2 names margin accounts by symbol, so it only has isolated ones. */
export const isKnown = ({ mode }: { readonly mode: MarginMode }): boolean => mode === 'isolated';

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** How version 2 reports orders and margin accounts. It does not know futures. */
const v2Listener: OrderListener = {
  report: reportNotice,
  orders: (market, open) =>
    notificationText(market === 'spot' ? 'activeOrders' : 'marginOrders', reportsText(open)),
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

/** Subscriptions of one trading socket of version 2. */
export class TradingMethodsV2 implements SessionMethods {
  readonly session: ClientSession;
  readonly service: TradingService;
  readonly orders: OrderFeed;
  /** The account as a trader of each market. */
  readonly trader: Readonly<Record<OrderMarket, RequestContext>>;

  constructor(session: ClientSession) {
    this.session = session;
    this.service = session.service;
    this.orders = new OrderFeed(session, v2Listener);
    this.trader = this.orders.trader;
  }

  close(): void {
    this.orders.stop();
  }
}
