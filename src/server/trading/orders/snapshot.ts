import type { Exchange } from '../../../exchange/exchange.ts';
import {
  CLOSE_POSITION,
  CROSSED,
  marketOf,
  REDUCE_ONLY,
} from '../../../exchange/positions/flags.ts';
import { sideName } from '../../../exchange/orders/side.ts';
import type { Lots, Ticks } from '../../../model/units.ts';
import type { Micros } from '../../../platform/time.ts';
import type { OrderMarginRecord, OrderRecord } from './order-record.ts';

/**
 * The present state of the order in a slot of the exchange, after `before`, the last record of it or of the
 * replaced order, and a trade of `value`. Made for every report, so all members are always present: objects
 * of one shape are fastest.
 */
export function snapshot(
  { orders, stops, lists, instruments }: Exchange,
  order: number,
  before: OrderRecord | undefined,
  value: bigint,
  positionId: number | undefined,
): OrderRecord {
  const list = lists.of(order);
  const ticks = orders.ticks(order);
  const stopTicks = stops.ticks(order);
  const timeInForce = orders.timeInForce(order);
  const instrument = instruments[orders.instrument(order)];
  const executed = before?.filledValue ?? 0n;
  return {
    id: orders.id(order),
    account: orders.account(order),
    clientOrderId: orders.clientOrderId(order),
    originalClientOrderId: orders.originalClientOrderId(order),
    instrument,
    symbol: instrument.symbol,
    market: marketOf(order, orders, instruments),
    side: sideName(orders.side(order)),
    type: orders.type(order),
    timeInForce,
    status: orders.status(order),
    lots: orders.lots(order) as Lots,
    filledLots: orders.filled(order) as Lots,
    filledValue: value === 0n ? executed : executed + value,
    ticks: ticks === 0 ? undefined : (ticks as Ticks),
    stopTicks: stopTicks === 0 ? undefined : (stopTicks as Ticks),
    expireAt: timeInForce === 'GTD' ? (orders.expireAt(order) as Micros) : undefined,
    postOnly: orders.postOnly(order),
    orderListId: list?.id,
    contingencyType: list?.contingencyType,
    inactive: lists.isInactive(order) ? true : undefined,
    createdAt: orders.createdAt(order) as Micros,
    updatedAt: orders.updatedAt(order) as Micros,
    margin: onMargin(orders.marginFlags(order), positionId ?? before?.margin?.positionId),
  };
}

function onMargin(flags: number, positionId: number | undefined): OrderMarginRecord | undefined {
  if (flags === 0) return undefined;
  return {
    mode: (flags & CROSSED) === 0 ? 'isolated' : 'cross',
    reduceOnly: (flags & REDUCE_ONLY) !== 0,
    closePosition: (flags & CLOSE_POSITION) !== 0,
    positionId,
  };
}
