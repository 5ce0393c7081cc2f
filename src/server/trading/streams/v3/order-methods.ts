import type { z } from 'zod';
import type { OrderMarket } from '../../../../exchange/positions/flags.ts';
import type { Decoded } from '../../../../wire/trading/faults.ts';
import type * as params from '../../../../wire/trading/v3/calls/order-params.ts';
import {
  activeOrders,
  cancelOrder,
  cancelOrders,
  latest,
  placeOrder,
  placeOrderList,
  replaceOrder,
  type OrderReports,
} from '../../orders/actions.ts';
import { changeForm, listForm, orderForm } from '../../orders/v3-forms.ts';
import { reportsText, reportText } from '../../views/v3/report-text.ts';
import { standing } from '../order-feed.ts';
import { JsonText, reply } from '../part.ts';
import type { TradingDesk } from './trading-desk.ts';

type OrderParams = z.output<typeof params.newOrder> | z.output<typeof params.newMarginOrder>;
type ListParams = z.output<typeof params.newOrderList> | z.output<typeof params.newMarginOrderList>;
type Replacement = z.output<typeof params.replacement> & { readonly client_order_id: string };
type OfSymbol = z.output<typeof params.ofOneSymbol>;

/** What the order methods of a market do. */
const rows = (market: OrderMarket) => ({
  subscribe: (desk: TradingDesk) => {
    desk.orders.follow(market);
    return reply(true as const, () => {
      desk.orders.tellAll(market);
    });
  },
  unsubscribe: (desk: TradingDesk) => {
    desk.orders.unfollow(market);
    return reply(true as const);
  },
  get_orders: (desk: TradingDesk, { symbol }: OfSymbol) => {
    const orders = activeOrders(desk.service, desk.trader[market], symbol);
    if (orders.kind === 'fault') return orders;
    return reply(new JsonText(reportsText(orders.value.map(standing))));
  },
  new_order: (desk: TradingDesk, given: OrderParams) =>
    lastReport(placeOrder(desk.service, desk.trader[market], orderForm(given, market))),
  new_order_list: (desk: TradingDesk, given: ListParams) => {
    const done = placeOrderList(desk.service, desk.trader[market], listForm(given, market));
    if (done.kind === 'fault') return done;
    const values = done.value.map((reports) => new JsonText(reportText(latest(reports))));
    return { kind: 'each', values } as const;
  },
  replace_order: (desk: TradingDesk, given: Replacement) =>
    lastReport(
      replaceOrder(desk.service, desk.trader[market], changeForm(given.client_order_id, given)),
    ),
  cancel_order: (desk: TradingDesk, given: { readonly client_order_id: string }) =>
    lastReport(cancelOrder(desk.service, desk.trader[market], given.client_order_id)),
  cancel_orders: (desk: TradingDesk, { symbol }: OfSymbol) => {
    const done = cancelOrders(desk.service, desk.trader[market], symbol);
    return done.kind === 'fault' ? done : reply(new JsonText(reportsText(done.value)));
  },
});

const lastReport = (done: Decoded<OrderReports>) =>
  done.kind === 'fault' ? done : reply(new JsonText(reportText(latest(done.value))));

type Rows = ReturnType<typeof rows>;

/** What the order methods of a market do, under the names that they have there. */
export const orderMethods = <const M extends OrderMarket>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };
