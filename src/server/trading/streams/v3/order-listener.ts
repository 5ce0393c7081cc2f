import { notificationText } from '../../../../wire/trading/rpc.ts';
import { TRADING_NOTIFICATIONS } from '../../../../wire/trading/v3/streams/trading.ts';
import { accountReportView, accountStatusView } from '../../views/v3/margin.ts';
import { reportNotice, reportsText } from '../../views/v3/report-text.ts';
import { noticesOf } from '../notices.ts';
import type { OrderListener } from '../order-feed.ts';

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** How version 3 reports orders and margin accounts. */
export const v3Listener: OrderListener = {
  report: reportNotice,
  orders: (market, open) => notificationText(`${market}_orders`, reportsText(open)),
  account: (exchange, report) =>
    notice(
      report.isContract ? 'futures_account' : 'margin_account',
      accountReportView(exchange, report),
    ),
  accounts: (exchange, market, accounts) =>
    notice(
      `${market}_accounts`,
      accounts.map((account) => accountStatusView(exchange, account)),
    ),
};
