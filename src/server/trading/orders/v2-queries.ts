import type { z } from 'zod';
import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { tradingCalls } from '../../../wire/trading/v2/calls/trading.ts';
import type { TradingService } from '../service.ts';
import type { OrderRecord, TradeRecord } from './order-record.ts';
import { historyQuery } from './query.ts';

type OrderParams = z.output<typeof tradingCalls.getOrderHistory.params>;
type TradeParams = z.output<typeof tradingCalls.getTradeHistory.params>;

/** Version 2 has one history of both, and no futures. */
const BOTH: readonly OrderMarket[] = ['spot', 'margin'];

const MARKETS: Readonly<Record<TradeParams['margin'], readonly OrderMarket[]>> = {
  include: BOTH,
  only: ['margin'],
  ignore: ['spot'],
};

/** The history query of version 2 for orders, newest first; a client order id overrides all else. */
export function ordersQuery(
  service: TradingService,
  account: number,
  { clientOrderId, symbol, from, till, limit, offset }: OrderParams,
): Decoded<readonly OrderRecord[]> {
  const past = service.past(account);
  if (clientOrderId !== undefined) {
    return decoded(
      [...past.byClientOrderId(clientOrderId)].filter(({ market }) => BOTH.includes(market)),
    );
  }
  const query = historyQuery(service, BOTH, symbol === undefined ? [] : [symbol], {
    by: 'timestamp',
    sort: 'DESC',
    from: from === undefined ? undefined : { kind: 'time', at: from },
    till: till === undefined ? undefined : { kind: 'time', at: till },
    limit,
    offset,
  });
  return query.kind === 'fault' ? query : decoded(past.orders(query.value));
}

/** The history query of version 2 for trades. */
export function tradesQuery(
  service: TradingService,
  account: number,
  { symbol, margin, ...params }: TradeParams,
): Decoded<readonly TradeRecord[]> {
  const symbols = symbol === undefined ? [] : [symbol];
  const query = historyQuery(service, MARKETS[margin], symbols, params);
  return query.kind === 'fault' ? query : decoded(service.past(account).trades(query.value));
}

/** The order of an id, given as text in a path. */
export function orderIdOf(
  service: TradingService,
  account: number,
  id: string,
): Decoded<OrderRecord> {
  if (!/^\d{1,15}$/.test(id)) {
    return undecoded(fault(10001, 'orderId must be a whole number', 'orderId'));
  }
  const order = service.past(account).order(Number(id));
  if (order !== undefined && BOTH.includes(order.market)) return decoded(order);
  return undecoded(fault(20002, `There is no order ${id}`));
}
