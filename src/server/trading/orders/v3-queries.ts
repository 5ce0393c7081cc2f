import type { z } from 'zod';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import {
  symbolsOf,
  type orderHistory,
  type tradeHistory,
} from '../../../wire/trading/v3/calls/order-params.ts';
import type { TradingService } from '../service.ts';
import { ordersByClientOrderId, type RequestContext } from './actions.ts';
import type { OrderRecord, TradeRecord } from './order-record.ts';
import { historyQuery } from './query.ts';

type OrderParams = z.output<ReturnType<typeof orderHistory>>;
type TradeParams = z.output<ReturnType<typeof tradeHistory>>;

/** The history query of version 3 for orders; a client order id overrides all else. */
export function ordersQuery(
  service: TradingService,
  trader: RequestContext,
  params: OrderParams,
): Decoded<readonly OrderRecord[]> {
  if (params.client_order_id !== undefined) {
    return decoded(ordersByClientOrderId(service, trader, params.client_order_id));
  }
  const query = historyQuery(service, [trader.market], symbolsOf(params), params);
  if (query.kind === 'fault') return query;
  return decoded(service.past(trader.account).orders(query.value));
}

/** The history query of version 3 for trades. */
export function tradesQuery(
  service: TradingService,
  trader: RequestContext,
  params: TradeParams,
): Decoded<readonly TradeRecord[]> {
  const query = historyQuery(service, [trader.market], symbolsOf(params), params);
  if (query.kind === 'fault') return query;
  const { order_id: orderId, position_id: positionId } = params;
  return decoded(service.past(trader.account).trades(query.value, { orderId, positionId }));
}
