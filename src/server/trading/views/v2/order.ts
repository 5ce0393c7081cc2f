import type { z } from 'zod';
import type { Printable } from '../../../../wire/trading/decoding.ts';
import { feeText } from '../../../../wire/trading/printing.ts';
import type { order, report } from '../../../../wire/trading/v2/records/trading.ts';
import type { OrderRecord, OrderReport, TradeRecord } from '../../orders/order-record.ts';
import { averagePrice, numberTexts } from '../order-numbers.ts';

type Order = Printable<z.output<typeof order>>;
type Report = Printable<z.output<typeof report>>;

/** An order as version 2 shows it; of a spot order the members of margin are absent. */
export function orderView(order: OrderRecord): Order {
  const { price, quantity } = numberTexts(order.instrument);
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    status: order.status,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: quantity(order.lots),
    price: order.ticks === undefined ? undefined : price(order.ticks),
    avgPrice: undefined,
    cumQuantity: quantity(order.filledLots),
    postOnly: order.postOnly,
    stopPrice: order.stopTicks === undefined ? undefined : price(order.stopTicks),
    expireTime: order.expireAt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    reduceOnly: order.margin?.reduceOnly,
    positionId: order.margin?.positionId,
    tradesReport: undefined,
  };
}

/** An order in the history, at what it traded on the average too. */
export const pastOrderView = (order: OrderRecord): Order => {
  const view = orderView(order);
  const avgPrice = averagePrice(order);
  const isPriced = view.price !== undefined || order.filledLots === 0;
  return { ...view, avgPrice, price: isPriced ? view.price : avgPrice };
};

/** An order with its latest trades in it, as the answer to a request that made them. */
export const orderWithTrades = (order: OrderRecord, trades: readonly TradeRecord[]): Order => ({
  ...orderView(order),
  tradesReport: trades.length === 0 ? undefined : trades.map(orderTradeView),
});

const orderTradeView = (trade: TradeRecord) => {
  const { price, quantity } = numberTexts(trade.instrument);
  return {
    id: trade.id,
    quantity: quantity(trade.lots),
    price: price(trade.ticks),
    fee: feeText(trade.fee),
    timestamp: trade.at,
  };
};

/** A report as version 2 tells it. */
export function reportView({ kind, order, trade }: OrderReport): Report {
  const { tradesReport: _, ...view } = orderView(order);
  const reported = {
    ...view,
    reportType: kind,
    originalRequestClientOrderId: order.originalClientOrderId,
  };
  if (trade === undefined) return reported;
  const { price, quantity } = numberTexts(trade.instrument);
  return {
    ...reported,
    tradeId: trade.id,
    tradeQuantity: quantity(trade.lots),
    tradePrice: price(trade.ticks),
    tradeFee: feeText(trade.fee),
    tradePositionId: trade.margin?.positionId,
  };
}
