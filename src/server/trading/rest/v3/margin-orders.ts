import type { marginCalls } from '../../../../wire/trading/v3/calls/margin.ts';
import { symbolsOf } from '../../../../wire/trading/v3/calls/order-params.ts';
import { closedPositions } from '../../margin/actions.ts';
import {
  activeOrder,
  activeOrders,
  cancelOrder,
  cancelOrders,
  latest,
  placeOrder,
  placeOrderList,
  replaceOrder,
  tradesOf,
  type OrderReports,
  type Trader,
} from '../../orders/actions.ts';
import { historyQuery } from '../../orders/query.ts';
import { changeForm, listForm, orderForm } from '../../orders/v3-forms.ts';
import { ordersAsked, tradesAsked } from '../../orders/v3-queries.ts';
import { clearingView, closedPositionView, configView } from '../../views/v3/margin.ts';
import { orderView, orderWithTrades, pastOrderView } from '../../views/v3/order.ts';
import { tradeView } from '../../views/v3/trade.ts';
import { answer, answerWith, type RestHandler } from '../handler.ts';

type Calls = typeof marginCalls;

/** What does a call of margin trading; the call of the same purpose of futures differs in its path only. */
type Handler<Name extends keyof Calls> = RestHandler<Calls[Name]>;

/** What is done alike for margin and for futures. */
interface MarketHandlers {
  readonly getOrders: Handler<'getMarginOrders'>;
  readonly getOrder: Handler<'getMarginOrder'>;
  readonly createOrder: Handler<'createMarginOrder'>;
  readonly createOrderList: Handler<'createMarginOrderList'>;
  readonly replaceOrder: Handler<'replaceMarginOrder'>;
  readonly cancelOrders: Handler<'cancelMarginOrders'>;
  readonly cancelOrder: Handler<'cancelMarginOrder'>;
  readonly getOrderHistory: Handler<'getMarginOrderHistory'>;
  readonly getTradeHistory: Handler<'getMarginTradeHistory'>;
  readonly getPositionHistory: Handler<'getMarginPositionHistory'>;
  readonly getClearingHistory: Handler<'getMarginClearingHistory'>;
}

/** The order as it stands after a request, with the trades that the request brought it. */
const outcome = (reports: OrderReports) =>
  orderWithTrades(latest(reports).order, tradesOf(reports));

/** The calls for orders and histories of a market. */
export function orderHandlers(market: 'margin' | 'futures'): MarketHandlers {
  const trader = (account: number): Trader => ({ account, market, version: 3 });
  return {
    getOrders: (service, { account, params }) =>
      answerWith(activeOrders(service, trader(account), params.symbol), (orders) =>
        orders.map(orderView),
      ),

    getOrder: (service, { account, path }) =>
      answerWith(activeOrder(service, trader(account), path.client_order_id), orderView),

    createOrder: (service, { account, params }) =>
      answerWith(placeOrder(service, trader(account), orderForm(params, market)), outcome),

    createOrderList: (service, { account, params }) =>
      answerWith(placeOrderList(service, trader(account), listForm(params, market)), (orders) =>
        orders.map((reports) => orderView(latest(reports).order)),
      ),

    replaceOrder: (service, { account, path, params }) =>
      answerWith(
        replaceOrder(service, trader(account), changeForm(path.client_order_id, params)),
        outcome,
      ),

    cancelOrders: (service, { account, params }) =>
      answerWith(cancelOrders(service, trader(account), params.symbol), (reports) =>
        reports.map(({ order }) => orderView(order)),
      ),

    cancelOrder: (service, { account, path }) =>
      answerWith(cancelOrder(service, trader(account), path.client_order_id), (reports) =>
        orderView(latest(reports).order),
      ),

    getOrderHistory: (service, { account, params }) =>
      answerWith(ordersAsked(service, trader(account), params), (orders) =>
        orders.map(pastOrderView),
      ),

    getTradeHistory: (service, { account, params }) =>
      answerWith(tradesAsked(service, trader(account), params), (trades) => trades.map(tradeView)),

    getPositionHistory: (service, { account, params }) =>
      answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
        closedPositions(service, trader(account), query).map(closedPositionView),
      ),

    getClearingHistory: (service, { account, params }) =>
      answerWith(historyQuery(service, [market], symbolsOf(params), params), (query) =>
        service.clearings.of(account, market, query).map(clearingView),
      ),
  };
}

/** On what terms the symbols of a market are traded. */
export const getConfig =
  (market: 'margin' | 'futures'): Handler<'getMarginConfig'> =>
  (service) =>
    answer(service.act((exchange) => configView(exchange, market)));
