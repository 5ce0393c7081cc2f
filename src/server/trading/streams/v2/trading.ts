import type { z } from 'zod';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import type * as params from '../../../../wire/trading/v2/calls/order-params.ts';
import {
  TRADING_METHODS,
  TRADING_NOTIFICATIONS,
} from '../../../../wire/trading/v2/streams/trading.ts';
import { closePosition, marginAccounts, setMarginAccount } from '../../margin/actions.ts';
import {
  activeOrders,
  cancelOrder,
  cancelOrders,
  latest,
  placeOrder,
  replaceOrder,
  type OrderReports,
} from '../../orders/actions.ts';
import type { OrderReport } from '../../orders/order-record.ts';
import { changeForm, orderForm } from '../../orders/v2-forms.ts';
import { balanceViews } from '../../views/v2/balance.ts';
import {
  accountReportView,
  accountStatusView,
  accountView,
  positionView,
} from '../../views/v2/margin.ts';
import { reportTexts } from '../../views/v2/report-text.ts';
import { noticesOf } from '../notices.ts';
import { OrderFeed, statusReport, type OrderListener } from '../order-feed.ts';
import { JsonText, part, reply, replyWith, type ClientSession } from '../part.ts';

type OfSymbol = z.output<typeof params.ofOneSymbol>;
type Replacement = z.output<typeof params.replacement> & { readonly clientOrderId: string };
type Market = 'spot' | 'margin';

/** Version 2 names margin accounts by symbol, so it knows isolated ones alone. */
const isKnown = ({ mode }: { readonly mode: MarginMode }): boolean => mode === 'isolated';

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** How version 2 reports orders and margin accounts. It does not know futures. */
const v2Listener: OrderListener = {
  report: (report) => reportTexts.frame(report),
  orders: (market, open) =>
    notificationText(market === 'spot' ? 'activeOrders' : 'marginOrders', reportTexts.list(open)),
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

const lastReport = (done: Decoded<OrderReports>) =>
  replyWith(done, (reports) => new JsonText(reportTexts.text(latest(reports))));

const listed = (reports: readonly OrderReport[]) => new JsonText(reportTexts.list(reports));

/** Handlers of the order methods, once for spot and once for margin. */
const orderMethods = (market: Market) => ({
  subscribe: (feed: OrderFeed) => feed.follow(market),
  unsubscribe: (feed: OrderFeed) => feed.unfollow(market),
  get: ({ service, trader }: OrderFeed, { symbol }: OfSymbol) =>
    replyWith(activeOrders(service, trader[market], symbol), (orders) =>
      listed(orders.map(statusReport)),
    ),
  place: (
    { service, trader }: OrderFeed,
    { clientOrderId, ...given }: z.output<typeof params.newOrderOfSocket>,
  ) => lastReport(placeOrder(service, trader[market], orderForm(given, market, clientOrderId))),
  cancel: ({ service, trader }: OrderFeed, { clientOrderId }: { readonly clientOrderId: string }) =>
    lastReport(cancelOrder(service, trader[market], clientOrderId)),
  cancelAll: ({ service, trader }: OrderFeed, { symbol }: OfSymbol) =>
    replyWith(cancelOrders(service, trader[market], symbol), listed),
  replace: ({ service, trader }: OrderFeed, { clientOrderId, ...given }: Replacement) =>
    lastReport(replaceOrder(service, trader[market], changeForm(clientOrderId, given))),
});

const spot = orderMethods('spot');
const margin = orderMethods('margin');

/** The trading socket of version 2. */
export const v2Trading = part({
  methods: TRADING_METHODS,
  open: (session: ClientSession) => new OrderFeed(session, v2Listener),
  handlers: {
    subscribeReports: spot.subscribe,
    unsubscribeReports: spot.unsubscribe,
    getOrders: spot.get,
    newOrder: spot.place,
    cancelOrder: spot.cancel,
    cancelOrders: spot.cancelAll,
    cancelReplaceOrder: spot.replace,
    getTradingBalance: ({ service, session }) => {
      const { ledger } = service.act((exchange) => exchange);
      return reply(balanceViews(ledger, session.account));
    },
    marginSubscribe: margin.subscribe,
    marginUnsubscribe: margin.unsubscribe,
    marginOrdersGet: margin.get,
    marginOrderNew: margin.place,
    marginOrderCancel: margin.cancel,
    marginOrdersCancel: margin.cancelAll,
    marginOrderCancelReplace: margin.replace,
    marginAccountsGet: ({ service, trader }) => {
      const accounts = marginAccounts(service, trader.margin).filter(isKnown);
      return reply(accounts.map((account) => accountView(service.exchange, account)));
    },
    marginAccountSet: ({ service, trader }, { symbol, ...setting }) =>
      replyWith(
        setMarginAccount(service, trader.margin, { mode: 'isolated', symbol }, setting),
        (account) => accountView(service.exchange, account),
      ),
    marginPositionClose: ({ service, trader }, { symbol, ...closing }) =>
      replyWith(
        closePosition(service, trader.margin, { symbol, mode: 'isolated' }, closing),
        positionView,
      ),
  },
});
