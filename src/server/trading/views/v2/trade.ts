import type { Writable } from '../../../../wire/trading/decoding.ts';
import { inVersion2 } from '../../../../wire/trading/v2/names.ts';
import type { trade } from '../../../../wire/trading/v2/records/trading.ts';
import type { TradeRecord } from '../../orders/order-record.ts';
import * as v3 from '../v3/trade.ts';

/** A trade in the history of version 2. */
export const tradeView = (one: TradeRecord): Writable<typeof trade> =>
  inVersion2(v3.tradeView(one));
