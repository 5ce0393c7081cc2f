import type { Writable } from '../../../../wire/trading/decoding.ts';
import { inVersion2 } from '../../../../wire/trading/v2/names.ts';
import type { order, report } from '../../../../wire/trading/v2/records/trading.ts';
import type { OrderRecord, OrderReport, TradeRecord } from '../../orders/order-record.ts';
import { averagePrice } from '../order-numbers.ts';
import * as v3 from '../v3/order.ts';

type Order = Writable<typeof order>;
type Report = Writable<typeof report>;

const NAMES = {
  quantity_cumulative: 'cumQuantity',
  price_average: 'avgPrice',
  trades: 'tradesReport',
} as const;

/** An order in version 2's form: the average price is only in the history. */
export const orderView = (order: OrderRecord): Order => ({
  ...inVersion2(v3.orderView(order), NAMES),
  avgPrice: undefined,
});

/** An order in the history, at what it traded on the average too. */
export const pastOrderView = (order: OrderRecord): Order => ({
  ...inVersion2(v3.pastOrderView(order), NAMES),
  avgPrice: averagePrice(order),
});

/** An order with its latest trades, for the answer to the request that made them. */
export const orderWithTrades = (order: OrderRecord, trades: readonly TradeRecord[]): Order => ({
  ...orderView(order),
  tradesReport: trades.length === 0 ? undefined : trades.map(v3.orderTradeView),
});

/** A report of version 2. */
export function reportView({ kind, order, trade }: OrderReport): Report {
  const reported = {
    ...orderView(order),
    reportType: kind,
    originalRequestClientOrderId: order.originalClientOrderId,
  };
  if (trade === undefined) return reported;
  const { id, quantity, price, fee, position_id: positionId } = v3.orderTradeView(trade);
  return {
    ...reported,
    tradeId: id,
    tradeQuantity: quantity,
    tradePrice: price,
    tradeFee: fee,
    tradePositionId: positionId,
  };
}
