import type { Writable } from '../../../../wire/trading/decoding.ts';
import { feeText } from '../../../../wire/trading/printing.ts';
import type { marginOrder } from '../../../../wire/trading/v3/records/order.ts';
import type { OrderRecord, TradeRecord } from '../../orders/order-record.ts';
import { averagePrice, numberTexts } from '../order-numbers.ts';

type Order = Writable<typeof marginOrder>;

/** An order as version 3 shows it; of a spot order the members of margin are absent. */
export function orderView(order: OrderRecord): Order {
  const { price, quantity } = numberTexts(order.instrument);
  const { margin } = order;
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    order_list_id: order.orderListId,
    contingency_type: order.contingencyType,
    symbol: order.symbol,
    side: order.side,
    status: order.status,
    type: order.type,
    time_in_force: order.timeInForce,
    quantity: quantity(order.lots),
    quantity_cumulative: quantity(order.filledLots),
    price: order.ticks === undefined ? undefined : price(order.ticks),
    stop_price: order.stopTicks === undefined ? undefined : price(order.stopTicks),
    expire_time: order.expireAt,
    post_only: order.postOnly,
    original_client_order_id: order.originalClientOrderId,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    price_average: averagePrice(order),
    inactive: order.inactive,
    ...(margin === undefined
      ? {}
      : {
          reduce_only: margin.reduceOnly,
          close_position: margin.closePosition,
          margin_mode: margin.mode,
          position_id: margin.positionId,
        }),
  };
}

/** An order in the history: one without its own price shows its average trade price. */
export function pastOrderView(order: OrderRecord): Order {
  const view = orderView(order);
  if (order.ticks !== undefined || order.filledLots === 0) return view;
  return { ...view, price: view.price_average };
}

/** An order with its latest trades, for the answer to the request that made them. */
export function orderWithTrades(order: OrderRecord, trades: readonly TradeRecord[]): Order {
  const view = orderView(order);
  if (trades.length === 0) return view;
  return { ...view, trades: trades.map(orderTradeView) };
}

/** A trade inside its order. */
export const orderTradeView = (trade: TradeRecord) => {
  const { price, quantity } = numberTexts(trade.instrument);
  return {
    id: trade.id,
    quantity: quantity(trade.lots),
    price: price(trade.ticks),
    fee: feeText(trade.fee),
    taker: trade.taker,
    timestamp: trade.at,
    ...(trade.margin === undefined ? {} : { position_id: trade.margin.positionId }),
  };
};
