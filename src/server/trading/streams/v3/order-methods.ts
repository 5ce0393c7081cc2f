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
import { statusReport } from '../order-feed.ts';
import { JsonText, reply } from '../part.ts';
import type { TradingMethodsV3 } from './trading-methods.ts';

type OrderParams = z.output<typeof params.newOrder> | z.output<typeof params.newMarginOrder>;
type ListParams = z.output<typeof params.newOrderList> | z.output<typeof params.newMarginOrderList>;
type Replacement = z.output<typeof params.replacement> & { readonly client_order_id: string };
type OfSymbol = z.output<typeof params.ofOneSymbol>;

/** Handlers of a market's order methods. */
const rows = (market: OrderMarket) => ({
  subscribe: (methods: TradingMethodsV3) => {
    methods.orders.follow(market);
    return reply(true as const, () => {
      methods.orders.emitAll(market);
    });
  },
  unsubscribe: (methods: TradingMethodsV3) => {
    methods.orders.unfollow(market);
    return reply(true as const);
  },
  get_orders: (methods: TradingMethodsV3, { symbol }: OfSymbol) => {
    const orders = activeOrders(methods.service, methods.trader[market], symbol);
    if (orders.kind === 'fault') return orders;
    return reply(new JsonText(reportsText(orders.value.map(statusReport))));
  },
  new_order: (methods: TradingMethodsV3, given: OrderParams) =>
    lastReport(placeOrder(methods.service, methods.trader[market], orderForm(given, market))),
  new_order_list: (methods: TradingMethodsV3, given: ListParams) => {
    const done = placeOrderList(methods.service, methods.trader[market], listForm(given, market));
    if (done.kind === 'fault') return done;
    const values = done.value.map((reports) => new JsonText(reportText(latest(reports))));
    return { kind: 'each', values } as const;
  },
  replace_order: (methods: TradingMethodsV3, given: Replacement) =>
    lastReport(
      replaceOrder(
        methods.service,
        methods.trader[market],
        changeForm(given.client_order_id, given),
      ),
    ),
  cancel_order: (methods: TradingMethodsV3, given: { readonly client_order_id: string }) =>
    lastReport(cancelOrder(methods.service, methods.trader[market], given.client_order_id)),
  cancel_orders: (methods: TradingMethodsV3, { symbol }: OfSymbol) => {
    const done = cancelOrders(methods.service, methods.trader[market], symbol);
    return done.kind === 'fault' ? done : reply(new JsonText(reportsText(done.value)));
  },
});

const lastReport = (done: Decoded<OrderReports>) =>
  done.kind === 'fault' ? done : reply(new JsonText(reportText(latest(done.value))));

type Rows = ReturnType<typeof rows>;

/** Order methods of a market, under their names there. */
export const orderMethods = <const M extends OrderMarket>(market: M) =>
  Object.fromEntries(
    Object.entries(rows(market)).map(([name, handler]) => [`${market}_${name}`, handler]),
  ) as { readonly [K in keyof Rows as `${M}_${K}`]: Rows[K] };
