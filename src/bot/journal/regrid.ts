import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import { lots as asLots, type Lots, type Ticks } from '../../model/units.ts';

/** True where ticks or lots of both mean something else. */
export const isOtherGrid = (one: Instrument, other: Instrument): boolean =>
  !one.tickSize.equals(other.tickSize) || !one.quantityIncrement.equals(other.quantityIncrement);

/** An order on another grid of its instrument, all that is known of it with it. */
export function regridded(order: Order, from: Instrument, to: Instrument): Order {
  const lots = (count: number): Lots => to.lots(from.size(asLots(count)), 'near');
  const ticks = (count: Ticks | undefined): Ticks | undefined =>
    count === undefined ? undefined : to.ticks(from.price(count), 'near');
  const moved = {
    lots: lots(order.lots),
    ticks: ticks(order.ticks),
    stopTicks: ticks(order.stopTicks),
  };
  const { venueOrder } = order;
  return {
    ...order,
    ...moved,
    executedLots: lots(order.executedLots),
    receivedLots: lots(order.receivedLots),
    settledLots: lots(order.settledLots),
    venueOrder:
      venueOrder === undefined
        ? undefined
        : { ...venueOrder, ...moved, executedLots: lots(venueOrder.executedLots) },
  };
}
