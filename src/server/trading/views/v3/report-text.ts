import { feeText } from '../../../../wire/trading/printing.ts';
import { notificationText } from '../../../../wire/trading/rpc.ts';
import { isoText } from '../../../../wire/time.ts';
import type { OrderRecord, OrderReport, TradeRecord } from '../../orders/order-record.ts';
import { averagePrice, numberTexts } from '../order-numbers.ts';
import { ReportTexts } from '../report-texts.ts';

/**
 * Writes a report as the schema would, byte for byte, at once: there is one for every order and every
 * trade. Words, numbers and ids have no character that JSON would escape, client order ids among them; a
 * symbol may have any name.
 */
function written({ kind, order, trade }: OrderReport): string {
  const { price, quantity } = numberTexts(order.instrument);
  const { ticks, stopTicks, orderListId, contingencyType, expireAt, margin } = order;
  return (
    `{"id":${order.id},"client_order_id":"${order.clientOrderId}"` +
    (orderListId === undefined ? '' : `,"order_list_id":"${orderListId}"`) +
    (contingencyType === undefined ? '' : `,"contingency_type":"${contingencyType}"`) +
    `,"symbol":${JSON.stringify(order.symbol)},"side":"${order.side}","status":"${order.status}"` +
    `,"type":"${order.type}","time_in_force":"${order.timeInForce}"` +
    `,"quantity":"${quantity(order.lots)}"` +
    `,"quantity_cumulative":"${quantity(order.filledLots)}"` +
    (ticks === undefined ? '' : `,"price":"${price(ticks)}"`) +
    (stopTicks === undefined ? '' : `,"stop_price":"${price(stopTicks)}"`) +
    (expireAt === undefined ? '' : `,"expire_time":"${isoText(expireAt)}"`) +
    `,"post_only":${order.postOnly}` +
    (order.originalClientOrderId === undefined
      ? ''
      : `,"original_client_order_id":"${order.originalClientOrderId}"`) +
    timesOf(order) +
    `,"price_average":"${averagePrice(order)}"` +
    (order.inactive === true ? ',"inactive":true' : '') +
    `,"report_type":"${kind}"` +
    (trade === undefined ? '' : tradeOf(trade)) +
    (margin === undefined ? '' : marginOf(margin)) +
    (trade?.margin === undefined ? '' : `,"trade_position_id":${trade.margin.positionId}`) +
    '}'
  );
}

/** Times of an order that has not changed are the same. */
function timesOf({ createdAt, updatedAt }: OrderRecord): string {
  const created = isoText(createdAt);
  const updated = createdAt === updatedAt ? created : isoText(updatedAt);
  return `,"created_at":"${created}","updated_at":"${updated}"`;
}

const marginOf = (margin: NonNullable<OrderRecord['margin']>): string =>
  `,"reduce_only":${margin.reduceOnly},"close_position":${margin.closePosition}` +
  `,"margin_mode":"${margin.mode}"` +
  (margin.positionId === undefined ? '' : `,"position_id":${margin.positionId}`);

function tradeOf(trade: TradeRecord): string {
  const { price, quantity } = numberTexts(trade.instrument);
  return (
    `,"trade_id":${trade.id},"trade_quantity":"${quantity(trade.lots)}"` +
    `,"trade_price":"${price(trade.ticks)}","trade_fee":"${feeText(trade.fee)}"` +
    `,"trade_taker":${trade.taker},"taker":${trade.taker}`
  );
}

/** How version 3 writes order reports. */
export const reportTexts = new ReportTexts(written, ({ order }, text) =>
  notificationText(`${order.market}_order`, text),
);
