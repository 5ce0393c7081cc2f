import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { tradingCalls } from '../../../../wire/trading/v2/calls/trading.ts';
import {
  activeOrder,
  activeOrders,
  cancelOrder,
  cancelOrders,
  latest,
  placeOrder,
  replaceOrder,
  tradesOf,
  type OrderReports,
  type RequestContext,
} from '../../orders/actions.ts';
import { changeForm, orderForm } from '../../orders/v2-forms.ts';
import { endOfOrder } from '../../orders/waiting.ts';
import { orderView, orderWithTrades } from '../../views/v2/order.ts';
import { answerWith, type RestHandlers } from '../handler.ts';

/** The order as it stands after a request, with the trades that the request brought it. */
const outcome = (reports: OrderReports) =>
  orderWithTrades(latest(reports).order, tradesOf(reports));

/** What does the calls for orders of version 2, which stand twice: for spot and for margin. */
export function orderHandlers(market: OrderMarket) {
  const trader = (account: number): RequestContext => ({ account, market, version: 2 });
  return {
    getOrders: (service, { account, params }) =>
      answerWith(activeOrders(service, trader(account), params.symbol), (orders) =>
        orders.map(orderView),
      ),

    getOrder: async (service, { account, path, params }) => {
      const { clientOrderId } = path;
      const order =
        params.wait === undefined
          ? activeOrder(service, trader(account), clientOrderId)
          : await endOfOrder(service, trader(account), clientOrderId, params.wait);
      return answerWith(order, orderView);
    },

    createOrder: (service, { account, params: { clientOrderId, ...params } }) =>
      answerWith(
        placeOrder(service, trader(account), orderForm(params, market, clientOrderId)),
        outcome,
      ),

    createOrderAtId: (service, { account, path, params }) =>
      answerWith(
        placeOrder(service, trader(account), orderForm(params, market, path.clientOrderId)),
        outcome,
      ),

    replaceOrder: (service, { account, path, params }) =>
      answerWith(
        replaceOrder(service, trader(account), changeForm(path.clientOrderId, params)),
        outcome,
      ),

    cancelOrders: (service, { account, params }) =>
      answerWith(cancelOrders(service, trader(account), params.symbol), (reports) =>
        reports.map(({ order }) => orderView(order)),
      ),

    cancelOrder: (service, { account, path }) =>
      answerWith(cancelOrder(service, trader(account), path.clientOrderId), (reports) =>
        orderView(latest(reports).order),
      ),
  } satisfies Partial<RestHandlers<typeof tradingCalls>>;
}
