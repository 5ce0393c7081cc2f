import type { spotCalls } from '../../../../wire/trading/v3/calls/spot.ts';
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
import { feesOf, feesOfSymbol } from '../../orders/fees.ts';
import { ordersAsked, tradesAsked } from '../../orders/v3-queries.ts';
import { changeForm, listForm, orderForm } from '../../orders/v3-forms.ts';
import { balanceOf, balanceViews } from '../../views/v3/balance.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import { orderView, orderWithTrades, pastOrderView } from '../../views/v3/order.ts';
import { tradeView } from '../../views/v3/trade.ts';
import { answer, answerWith, type RestHandlers } from '../handler.ts';

const trader = (account: number): Trader => ({ account, market: 'spot', version: 3 });

/** The order as it stands after a request, with the trades that the request brought it. */
const outcome = (reports: OrderReports) =>
  orderWithTrades(latest(reports).order, tradesOf(reports));

export const spotHandlers: RestHandlers<typeof spotCalls> = {
  getSpotBalances: (service, { account }) =>
    answer(service.act(({ ledger }) => balanceViews(ledger, account))),

  getSpotBalance: (service, { account, path }) =>
    service.act(({ ledger }) => balanceOf(ledger, account, path.currency)),

  getSpotOrders: (service, { account, params }) =>
    answerWith(activeOrders(service, trader(account), params.symbol), (orders) =>
      orders.map(orderView),
    ),

  getSpotOrder: (service, { account, path }) =>
    answerWith(activeOrder(service, trader(account), path.client_order_id), orderView),

  createSpotOrder: (service, { account, params }) =>
    answerWith(placeOrder(service, trader(account), orderForm(params, 'spot')), outcome),

  createSpotOrderList: (service, { account, params }) =>
    answerWith(placeOrderList(service, trader(account), listForm(params, 'spot')), (orders) =>
      orders.map((reports) => orderView(latest(reports).order)),
    ),

  replaceSpotOrder: (service, { account, path, params }) =>
    answerWith(
      replaceOrder(service, trader(account), changeForm(path.client_order_id, params)),
      outcome,
    ),

  cancelSpotOrders: (service, { account, params }) =>
    answerWith(cancelOrders(service, trader(account), params.symbol), (reports) =>
      reports.map(({ order }) => orderView(order)),
    ),

  cancelSpotOrder: (service, { account, path }) =>
    answerWith(cancelOrder(service, trader(account), path.client_order_id), (reports) =>
      orderView(latest(reports).order),
    ),

  getSpotFees: (service, { account }) => answer(feesOf(service, account, 'spot').map(feeView)),

  getSpotFee: (service, { account, path }) =>
    answerWith(feesOfSymbol(service, account, 'spot', path.symbol), feeOfSymbolView),

  getSpotOrderHistory: (service, { account, params }) =>
    answerWith(ordersAsked(service, trader(account), params), (orders) =>
      orders.map(pastOrderView),
    ),

  getSpotTradeHistory: (service, { account, params }) =>
    answerWith(tradesAsked(service, trader(account), params), (trades) => trades.map(tradeView)),
};
