import type { Writable } from '../../../../wire/trading/decoding.ts';
import { feeText } from '../../../../wire/trading/printing.ts';
import type { marginTrade } from '../../../../wire/trading/v3/records/order.ts';
import type { TradeRecord } from '../../orders/order-record.ts';
import { numberTexts } from '../order-numbers.ts';

/** A trade in the history; of a spot trade the members of margin are absent. */
export function tradeView(trade: TradeRecord): Writable<typeof marginTrade> {
  const { price, quantity } = numberTexts(trade.instrument);
  const { margin } = trade;
  return {
    id: trade.id,
    order_id: trade.orderId,
    client_order_id: trade.clientOrderId,
    symbol: trade.instrument.symbol,
    side: trade.side,
    quantity: quantity(trade.lots),
    price: price(trade.ticks),
    fee: feeText(trade.fee),
    timestamp: trade.at,
    taker: trade.taker,
    ...(margin === undefined
      ? {}
      : {
          margin_mode: margin.mode,
          position_id: margin.positionId,
          pnl: margin.pnl,
          liquidation: margin.liquidation,
        }),
  };
}
