import { marginOf } from './positions/flags.ts';
import type { OrderLists } from './orders/lists.ts';
import type { Orders } from './orders/orders.ts';
import { sideName } from './orders/side.ts';
import type { StopPrices } from './orders/stop-prices.ts';
import type { Instrument } from '../model/instrument.ts';
import type { VenueOrder } from '../model/order.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** The current order in a slot of the exchange. */
export function venueOrder(
  orders: Orders,
  stops: StopPrices,
  lists: OrderLists,
  instruments: readonly Instrument[],
  order: number,
): VenueOrder {
  const list = lists.of(order);
  const ticks = orders.ticks(order);
  const stopTicks = stops.ticks(order);
  return {
    id: orders.id(order),
    clientOrderId: orders.clientOrderId(order),
    originalClientOrderId: orders.originalClientOrderId(order),
    symbol: instruments[orders.instrument(order)].symbol,
    side: sideName(orders.side(order)),
    type: orders.type(order),
    timeInForce: orders.timeInForce(order),
    status: orders.status(order),
    lots: orders.lots(order) as Lots,
    filledLots: orders.filled(order) as Lots,
    ticks: ticks === 0 ? undefined : (ticks as Ticks),
    stopTicks: stopTicks === 0 ? undefined : (stopTicks as Ticks),
    expireAt: orders.timeInForce(order) === 'GTD' ? (orders.expireAt(order) as Micros) : undefined,
    postOnly: orders.postOnly(order),
    margin: marginOf(orders.marginFlags(order)),
    orderListId: list?.id,
    contingencyType: list?.contingencyType,
    inactive: lists.isInactive(order) ? true : undefined,
    createdAt: orders.createdAt(order) as Micros,
    updatedAt: orders.updatedAt(order) as Micros,
  };
}
