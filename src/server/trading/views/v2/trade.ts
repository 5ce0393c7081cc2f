import type { z } from 'zod';
import type { Printable } from '../../../../wire/trading/decoding.ts';
import { feeText } from '../../../../wire/trading/printing.ts';
import type { trade } from '../../../../wire/trading/v2/records/trading.ts';
import type { TradeRecord } from '../../orders/order-record.ts';
import { numberTexts } from '../order-numbers.ts';

/** A trade in the history of version 2. */
export function tradeView(one: TradeRecord): Printable<z.output<typeof trade>> {
  const { price, quantity } = numberTexts(one.instrument);
  return {
    id: one.id,
    orderId: one.orderId,
    clientOrderId: one.clientOrderId,
    symbol: one.instrument.symbol,
    side: one.side,
    quantity: quantity(one.lots),
    price: price(one.ticks),
    fee: feeText(one.fee),
    timestamp: one.at,
    liquidation: one.margin?.liquidation,
  };
}
