import type { Lists } from './lists/lists.ts';
import type { Orders } from './orders/orders.ts';
import { sideName } from './side.ts';
import type { Stops } from './triggers/stops.ts';
import type { Instrument } from '../model/instrument.ts';
import type { VenueOrder } from '../model/order.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** The order in a slot of the exchange as it stands now. */
export function venueOrder(
  orders: Orders,
  stops: Stops,
  lists: Lists,
  instruments: readonly Instrument[],
  order: number,
): VenueOrder {
  const original = orders.originalClientOrderId(order);
  const list = lists.of(order);
  const ticks = orders.ticks(order);
  const stopTicks = stops.ticks(order);
  return {
    id: orders.id(order),
    clientOrderId: orders.clientOrderId(order),
    ...(original === undefined ? {} : { originalClientOrderId: original }),
    symbol: instruments[orders.instrument(order)].symbol,
    side: sideName(orders.side(order)),
    type: orders.type(order),
    timeInForce: orders.timeInForce(order),
    status: orders.status(order),
    lots: orders.lots(order) as Lots,
    executedLots: orders.executed(order) as Lots,
    ...(ticks === 0 ? {} : { ticks: ticks as Ticks }),
    ...(stopTicks === 0 ? {} : { stopTicks: stopTicks as Ticks }),
    ...(orders.timeInForce(order) === 'GTD' ? { expireAt: orders.expireAt(order) as Micros } : {}),
    postOnly: orders.postOnly(order),
    ...(list === undefined ? {} : { orderListId: list.id, contingencyType: list.contingencyType }),
    ...(lists.isInactive(order) ? { inactive: true } : {}),
    createdAt: orders.createdAt(order) as Micros,
    updatedAt: orders.updatedAt(order) as Micros,
  };
}
