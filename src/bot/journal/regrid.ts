import { OwnOrder } from '../../engine/orders/own-order.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Lots, Ticks } from '../../model/units.ts';

/** True where ticks or lots of both mean something else. */
export const isOtherGrid = (one: Instrument, other: Instrument): boolean =>
  !one.tickSize.equals(other.tickSize) || !one.quantityIncrement.equals(other.quantityIncrement);

/** An order on another grid of its instrument, all that is known of it with it. */
export function regridded(own: OwnOrder, to: Instrument): OwnOrder {
  const from = own.instrument;
  const lots = (count: Lots): Lots => to.lots(from.size(count), 'near');
  const ticks = (count: Ticks | undefined): Ticks | undefined =>
    count === undefined ? undefined : to.ticks(from.price(count), 'near');
  const moved = new OwnOrder({
    clientOrderId: own.clientOrderId,
    instrument: to,
    side: own.side,
    type: own.type,
    lots: lots(own.lots),
    ticks: ticks(own.ticks),
    stopTicks: ticks(own.stopTicks),
    membership: own.membership,
    takeRate: own.takeRate,
    makeRate: own.makeRate,
  });
  moved.status = own.status;
  moved.executedLots = lots(own.executedLots);
  moved.seenLots = lots(own.seenLots);
  moved.refusal = own.refusal;
  const { venueOrder: told } = own;
  if (told !== undefined) {
    moved.venueOrder = {
      ...told,
      lots: moved.lots,
      executedLots: lots(told.executedLots),
      ...(moved.ticks === undefined ? {} : { ticks: moved.ticks }),
      ...(moved.stopTicks === undefined ? {} : { stopTicks: moved.stopTicks }),
    };
  }
  for (const id of own.fillIds) moved.fillIds.add(id);
  return moved;
}
