import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';
import { lots as asLots, type Lots, type Ticks } from '../../model/units.ts';
import type { SharedParts } from '../../rules/margin/shared-account.ts';
import type { JournaledMargin } from './records.ts';

/** True if ticks or lots of both mean something else. */
export const isOtherGrid = (one: Instrument, other: Instrument): boolean =>
  !one.tickSize.equals(other.tickSize) || !one.quantityIncrement.equals(other.quantityIncrement);

/** An order converted to another grid of its instrument, with all its members. */
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
    filledLots: lots(order.filledLots),
    receivedLots: lots(order.receivedLots),
    settledLots: lots(order.settledLots),
    venueOrder:
      venueOrder === undefined
        ? undefined
        : { ...venueOrder, ...moved, filledLots: lots(venueOrder.filledLots) },
  };
}

/**
 * A margin account with the lots of its positions, and its stored facts, converted to another grid of an
 * instrument.
 */
export function regriddedMargin(
  kept: JournaledMargin,
  from: Instrument,
  to: Instrument,
): JournaledMargin {
  const { symbol } = to;
  const moved = (lots: number): number => to.lots(from.size(asLots(lots)), 'near');
  const stateOf = (state: MarginAccountState): MarginAccountState => ({
    ...state,
    positions: state.positions.map((one) =>
      one.symbol === symbol ? { ...one, lots: moved(one.lots) } : one,
    ),
  });
  const partsOf = ({ shares, foreign: { cash, lots } }: SharedParts): SharedParts => ({
    shares: shares.map((one) => ({ ...one, state: stateOf(one.state) })),
    foreign: {
      cash,
      lots: Object.fromEntries(
        Object.entries(lots).map(([of, held]) => [of, of === symbol ? moved(held) : held]),
      ),
    },
  });
  const fillOf = (fill: Fill): Fill =>
    fill.symbol === symbol
      ? { ...fill, lots: asLots(moved(fill.lots)), ticks: to.ticks(from.price(fill.ticks), 'near') }
      : fill;
  const { state, parts, base } = kept;
  return {
    ...kept,
    state: state && stateOf(state),
    parts: parts && partsOf(parts),
    base: base && {
      ...base,
      state: base.state && stateOf(base.state),
      parts: base.parts && partsOf(base.parts),
      fills: base.fills?.map((one) => ({ ...one, fill: fillOf(one.fill) })),
    },
  };
}
