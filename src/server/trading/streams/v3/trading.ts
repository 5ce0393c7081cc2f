import type { z } from 'zod';
import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { Decimal } from '../../../../model/decimal.ts';
import type { MarginMode } from '../../../../model/margin-terms.ts';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import { notificationText, ofMarket } from '../../../../wire/trading/rpc.ts';
import type * as params from '../../../../wire/trading/v3/calls/order-params.ts';
import {
  TRADING_METHODS,
  TRADING_NOTIFICATIONS,
} from '../../../../wire/trading/v3/streams/trading.ts';
import { closePosition, marginAccounts, setMarginAccount } from '../../margin/actions.ts';
import * as actions from '../../orders/actions.ts';
import { feesOf, feesOfSymbol } from '../../orders/fees.ts';
import type { OrderReport } from '../../orders/order-record.ts';
import { changeForm, listForm, orderForm } from '../../orders/v3-forms.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import {
  accountReportView,
  accountStatusView,
  accountView,
  positionView,
} from '../../views/v3/margin.ts';
import { reportTexts } from '../../views/v3/report-text.ts';
import { noticesOf } from '../notices.ts';
import { OrderFeed, statusReport, type OrderListener } from '../order-feed.ts';
import {
  JsonText,
  part,
  reply,
  replyWith,
  type ClientSession,
  type SessionMethods,
} from '../part.ts';
import { BalanceFeed, type BalanceMode } from './balance-feed.ts';

type OrderParams = z.output<typeof params.newOrder> | z.output<typeof params.newMarginOrder>;
type ListParams = z.output<typeof params.newOrderList> | z.output<typeof params.newMarginOrderList>;
type Replacement = z.output<typeof params.replacement> & { readonly client_order_id: string };
type OfSymbol = z.output<typeof params.ofOneSymbol>;

const notice = noticesOf(TRADING_NOTIFICATIONS);

/** How version 3 reports orders and margin accounts. */
const v3Listener: OrderListener = {
  report: (report) => reportTexts.frame(report),
  orders: (market, open) => notificationText(`${market}_orders`, reportTexts.list(open)),
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

/** What one trading socket follows for the account that has logged in on it. */
class TradingFeed implements SessionMethods {
  readonly orders: OrderFeed;
  readonly balances: Readonly<Record<'spot' | 'futures', BalanceFeed>>;

  constructor(session: ClientSession) {
    this.orders = new OrderFeed(session, v3Listener);
    this.balances = {
      spot: new BalanceFeed(session, 'spot'),
      futures: new BalanceFeed(session, 'futures'),
    };
  }

  close(): void {
    this.orders.close();
    this.balances.spot.stop();
    this.balances.futures.stop();
  }
}

const lastReport = (done: Decoded<actions.OrderReports>) =>
  replyWith(done, (reports) => new JsonText(reportTexts.text(actions.latest(reports))));

const listed = (reports: readonly OrderReport[]) => new JsonText(reportTexts.list(reports));

/** What the order methods of a market do, under the names that they have there. */
const orderMethods = <const M extends OrderMarket>(market: M) =>
  ofMarket(market, {
    subscribe: ({ orders }: TradingFeed) => orders.follow(market),
    unsubscribe: ({ orders }: TradingFeed) => orders.unfollow(market),
    get_orders: ({ orders: { service, trader } }: TradingFeed, { symbol }: OfSymbol) =>
      replyWith(actions.activeOrders(service, trader[market], symbol), (orders) =>
        listed(orders.map(statusReport)),
      ),
    new_order: ({ orders: { service, trader } }: TradingFeed, given: OrderParams) =>
      lastReport(actions.placeOrder(service, trader[market], orderForm(given, market))),
    new_order_list: ({ orders: { service, trader } }: TradingFeed, given: ListParams) => {
      const done = actions.placeOrderList(service, trader[market], listForm(given, market));
      if (done.kind === 'fault') return done;
      const texts = done.value.map((reports) => reportTexts.text(actions.latest(reports)));
      return { kind: 'each', values: texts.map((text) => new JsonText(text)) } as const;
    },
    replace_order: ({ orders: { service, trader } }: TradingFeed, given: Replacement) => {
      const form = changeForm(given.client_order_id, given);
      return lastReport(actions.replaceOrder(service, trader[market], form));
    },
    cancel_order: (
      { orders: { service, trader } }: TradingFeed,
      given: { readonly client_order_id: string },
    ) => lastReport(actions.cancelOrder(service, trader[market], given.client_order_id)),
    cancel_orders: ({ orders: { service, trader } }: TradingFeed, { symbol }: OfSymbol) =>
      replyWith(actions.cancelOrders(service, trader[market], symbol), listed),
  });

interface OnMargin {
  readonly symbol: string;
  readonly strict_validate: boolean;
  readonly margin_mode: MarginMode;
}

type AccountParams = OnMargin & {
  readonly margin_balance: Decimal;
  readonly leverage?: Decimal | undefined;
};

/** What the methods about margin accounts of a market do. A cross account is named by any symbol of it. */
const accountMethods = <const M extends 'margin' | 'futures'>(market: M) =>
  ofMarket(market, {
    get_accounts: ({ orders: { service, trader } }: TradingFeed) =>
      reply(
        marginAccounts(service, trader[market]).map((one) => accountView(service.exchange, one)),
      ),
    set_account: ({ orders: { service, trader } }: TradingFeed, given: AccountParams) => {
      const { symbol, margin_balance: marginBalance, leverage, margin_mode: mode } = given;
      const setting = { marginBalance, leverage, strictValidate: given.strict_validate };
      const done = setMarginAccount(service, trader[market], { mode, symbol }, setting);
      return replyWith(done, (account) => accountView(service.exchange, account));
    },
    close_position: (
      { orders: { service, trader } }: TradingFeed,
      given: OnMargin & { readonly price?: Decimal | undefined },
    ) => {
      const { symbol, price, margin_mode: mode, strict_validate: strictValidate } = given;
      const position = { symbol, mode };
      const done = closePosition(service, trader[market], position, { price, strictValidate });
      return replyWith(done, positionView);
    },
  });

/** What the methods about balances and fees of a market do. */
const balanceMethods = <const M extends 'spot' | 'futures'>(market: M) =>
  ofMarket(market, {
    balance_subscribe: ({ balances }: TradingFeed, { mode }: { readonly mode: BalanceMode }) => {
      const feed = balances[market];
      feed.start(mode);
      return reply(true as const, () => {
        feed.emitAll();
      });
    },
    balance_unsubscribe: ({ balances }: TradingFeed) => {
      balances[market].stop();
      return reply(true as const);
    },
    balances: ({ orders: { service, session }, balances }: TradingFeed) => {
      service.act(() => undefined);
      return reply(balanceViews(balances[market].ledger, session.account));
    },
    balance: (
      { orders: { service, session }, balances }: TradingFeed,
      { currency }: { readonly currency: string },
    ) => {
      service.act(() => undefined);
      return balanceOf(balances[market].ledger, session.account, currency);
    },
    fees: ({ orders: { service, session } }: TradingFeed) =>
      reply(feesOf(service, session.account, market).map(feeView)),
    fee: ({ orders: { service, session } }: TradingFeed, { symbol }: { readonly symbol: string }) =>
      replyWith(feesOfSymbol(service, session.account, market, symbol), feeOfSymbolView),
  });

/** The trading socket of version 3. */
export const v3Trading = part({
  methods: TRADING_METHODS,
  open: (session: ClientSession) => new TradingFeed(session),
  handlers: {
    ...orderMethods('spot'),
    ...balanceMethods('spot'),
    ...orderMethods('margin'),
    ...accountMethods('margin'),
    ...orderMethods('futures'),
    ...accountMethods('futures'),
    ...balanceMethods('futures'),
  },
});
