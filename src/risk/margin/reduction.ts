import { Decimal } from '../../model/decimal.ts';
import type { NewOrder, Side } from '../../model/order.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Lots } from '../../model/units.ts';
import type { RiskView } from '../view.ts';
import { positionStateOf, wayAfter } from './distance.ts';
import { riskPosition } from './risk-position.ts';

/** A position to be reduced. */
export interface Reduced {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Target distance from liquidation, as a fraction of the mark price. */
  readonly distance: Decimal;
}

/** Positions and the prices at which they could be closed. */
export interface ReductionView extends Pick<RiskView, 'instrument' | 'margin'> {
  /** Best price for an order of a side; `undefined` if unknown. */
  touch(symbol: string, side: Side): Decimal | undefined;
}

/**
 * The market order that brings a position back to a distance from its liquidation: the fewest
 * sufficient lots by the formulas of the venue, with the fee, every other position of its account
 * unchanged; the whole position if no part suffices. It is reduce-only. `undefined` without a
 * position, or if a price is unknown.
 */
export function reducingOrder(
  { symbol, mode, distance }: Reduced,
  view: ReductionView,
  clientOrderId: string,
): (NewOrder & { readonly kind: 'place' }) | undefined {
  const { account, held, instrument, mark } = riskPosition(view, symbol, mode);
  if (account === undefined || held === undefined || mark === undefined) return undefined;
  const status = positionStateOf(account, symbol, view);
  if (status === undefined) return undefined;
  const side = held.lots > 0 ? 'sell' : 'buy';
  // A book beyond the mark price must not make the close look better.
  const touch = view.touch(symbol, side) ?? mark;
  const price = side === 'sell' ? Decimal.min(touch, mark) : Decimal.max(touch, mark);
  const least = mark.times(distance);
  const isFar = (lots: number): boolean => {
    const size = instrument.size(lots as Lots);
    const fee = price.times(size).times(instrument.takeRate);
    const way = wayAfter(status, { size, price, fee });
    return way === undefined || !way.lessThan(least);
  };
  return {
    kind: 'place',
    clientOrderId,
    symbol,
    side,
    type: 'market',
    postOnly: false,
    lots: fewest(Math.abs(held.lots), isFar) as Lots,
    // Takes any available lots: an order that fills whole or not at all may close nothing.
    timeInForce: 'IOC',
    margin: { mode, reduceOnly: true },
  };
}

/**
 * The fewest lots from 1 to `most` that suffice; `most` if fewer do not. More always suffice if
 * fewer do.
 */
function fewest(most: number, does: (lots: number) => boolean): number {
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
