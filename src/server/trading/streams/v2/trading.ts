import type { z } from 'zod';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import type * as params from '../../../../wire/trading/v2/calls/order-params.ts';
import { TRADING_METHODS } from '../../../../wire/trading/v2/streams/trading.ts';
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
import { changeForm, orderForm } from '../../orders/v2-forms.ts';
import { balanceViews } from '../../views/v2/balance.ts';
import { accountView, positionView } from '../../views/v2/margin.ts';
import { reportsText, reportText } from '../../views/v2/report-text.ts';
import { statusReport } from '../order-feed.ts';
import { JsonText, part, reply } from '../part.ts';
import { isKnown, TradingMethodsV2 } from './trading-methods.ts';

type OfSymbol = z.output<typeof params.ofOneSymbol>;
type Replacement = z.output<typeof params.replacement> & { readonly clientOrderId: string };
type Market = 'spot' | 'margin';

const lastReport = (done: Decoded<OrderReports>) =>
  done.kind === 'fault' ? done : reply(new JsonText(reportText(latest(done.value))));

/** Handlers of the order methods, once for spot and once for margin. */
const orderMethods = (market: Market) => ({
  subscribe: (methods: TradingMethodsV2) => {
    methods.orders.follow(market);
    return reply(true as const, () => {
      methods.orders.emitAll(market);
    });
  },
  unsubscribe: (methods: TradingMethodsV2) => {
    methods.orders.unfollow(market);
    return reply(true as const);
  },
  get: (methods: TradingMethodsV2, { symbol }: OfSymbol) => {
    const orders = activeOrders(methods.service, methods.trader[market], symbol);
    if (orders.kind === 'fault') return orders;
    return reply(new JsonText(reportsText(orders.value.map(statusReport))));
  },
  place: (
    methods: TradingMethodsV2,
    { clientOrderId, ...given }: z.output<typeof params.newOrderOfSocket>,
  ) =>
    lastReport(
      placeOrder(methods.service, methods.trader[market], orderForm(given, market, clientOrderId)),
    ),
  cancel: (methods: TradingMethodsV2, { clientOrderId }: { readonly clientOrderId: string }) =>
    lastReport(cancelOrder(methods.service, methods.trader[market], clientOrderId)),
  cancelAll: (methods: TradingMethodsV2, { symbol }: OfSymbol) => {
    const done = cancelOrders(methods.service, methods.trader[market], symbol);
    return done.kind === 'fault' ? done : reply(new JsonText(reportsText(done.value)));
  },
  replace: (methods: TradingMethodsV2, { clientOrderId, ...given }: Replacement) =>
    lastReport(
      replaceOrder(methods.service, methods.trader[market], changeForm(clientOrderId, given)),
    ),
});

const spot = orderMethods('spot');
const margin = orderMethods('margin');

/** The trading socket of version 2. */
export const v2Trading = part({
  methods: TRADING_METHODS,
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
    marginAccountSet: ({ service, trader }, { symbol, ...setting }) => {
      const done = setMarginAccount(service, trader.margin, { mode: 'isolated', symbol }, setting);
      return done.kind === 'fault' ? done : reply(accountView(service.exchange, done.value));
    },
    marginPositionClose: ({ service, trader }, { symbol, ...closing }) => {
      const done = closePosition(service, trader.margin, { symbol, mode: 'isolated' }, closing);
      return done.kind === 'fault' ? done : reply(positionView(done.value));
    },
  },
  Handler: TradingMethodsV2,
});
