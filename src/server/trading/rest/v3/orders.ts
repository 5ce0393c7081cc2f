import type { z } from 'zod';
import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type * as schemas from '../../../../wire/trading/v3/calls/order-params.ts';
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
  type RequestContext,
} from '../../orders/actions.ts';
import { feesOf, feesOfSymbol } from '../../orders/fees.ts';
import { changeForm, listForm, orderForm } from '../../orders/v3-forms.ts';
import { ordersQuery, tradesQuery } from '../../orders/v3-queries.ts';
import type { TradingService } from '../../service.ts';
import { feeOfSymbolView, feeView } from '../../views/v3/fee.ts';
import { orderView, orderWithTrades, pastOrderView } from '../../views/v3/order.ts';
import { tradeView } from '../../views/v3/trade.ts';
import { answer, answerWith } from '../handler.ts';

/** The used members of a request: the calls of the three markets differ in nothing else. */
interface OrderRequestParts<Params = unknown, Member extends string = never> {
  readonly account: number;
  readonly path: Readonly<Record<Member, string>>;
  readonly params: Params;
}

type Named<Params = unknown> = OrderRequestParts<Params, 'client_order_id'>;
type OfSymbol = OrderRequestParts<z.output<typeof schemas.ofOneSymbol>>;
type Order = OrderRequestParts<
  z.output<typeof schemas.newOrder> | z.output<typeof schemas.newMarginOrder>
>;
type List = OrderRequestParts<
  z.output<typeof schemas.newOrderList> | z.output<typeof schemas.newMarginOrderList>
>;

/** The order after a request, with the trades of the request. */
const outcome = (reports: OrderReports) =>
  orderWithTrades(latest(reports).order, tradesOf(reports));

/** The calls of a market for its orders, their history and fees. */
export function orderHandlers(market: OrderMarket) {
  const trader = (account: number): RequestContext => ({ account, market, version: 3 });
  return {
    getOrders: (service: TradingService, { account, params }: OfSymbol) =>
      answerWith(activeOrders(service, trader(account), params.symbol), (orders) =>
        orders.map(orderView),
      ),

    getOrder: (service: TradingService, { account, path }: Named) =>
      answerWith(activeOrder(service, trader(account), path.client_order_id), orderView),

    createOrder: (service: TradingService, { account, params }: Order) =>
      answerWith(placeOrder(service, trader(account), orderForm(params, market)), outcome),

    createOrderList: (service: TradingService, { account, params }: List) =>
      answerWith(placeOrderList(service, trader(account), listForm(params, market)), (orders) =>
        orders.map((reports) => orderView(latest(reports).order)),
      ),

    replaceOrder: (
      service: TradingService,
      { account, path, params }: Named<z.output<typeof schemas.replacement>>,
    ) =>
      answerWith(
        replaceOrder(service, trader(account), changeForm(path.client_order_id, params)),
        outcome,
      ),

    cancelOrders: (service: TradingService, { account, params }: OfSymbol) =>
      answerWith(cancelOrders(service, trader(account), params.symbol), (reports) =>
        reports.map(({ order }) => orderView(order)),
      ),

    cancelOrder: (service: TradingService, { account, path }: Named) =>
      answerWith(cancelOrder(service, trader(account), path.client_order_id), (reports) =>
        orderView(latest(reports).order),
      ),

    getOrderHistory: (
      service: TradingService,
      { account, params }: OrderRequestParts<z.output<ReturnType<typeof schemas.orderHistory>>>,
    ) =>
      answerWith(ordersQuery(service, trader(account), params), (orders) =>
        orders.map(pastOrderView),
      ),

    getTradeHistory: (
      service: TradingService,
      { account, params }: OrderRequestParts<z.output<ReturnType<typeof schemas.tradeHistory>>>,
    ) =>
      answerWith(tradesQuery(service, trader(account), params), (trades) => trades.map(tradeView)),

    getFees: (service: TradingService, { account }: OrderRequestParts) =>
      answer(feesOf(service, account, market).map(feeView)),

    getFee: (service: TradingService, { account, path }: OrderRequestParts<unknown, 'symbol'>) =>
      answerWith(feesOfSymbol(service, account, market, path.symbol), feeOfSymbolView),
  } as const;
}
