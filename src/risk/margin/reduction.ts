import { Decimal } from '../../model/decimal.ts';
import type { NewOrder, Side } from '../../model/order.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Lots } from '../../model/units.ts';
import type { RiskView } from '../view.ts';
import { positionStateOf, wayAfter } from './distance.ts';
import { riskPosition } from './risk-position.ts';

/** A position that is to be made smaller. */
export interface Reduced {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** How far from its liquidation it is to be, as a fraction of its mark price. */
  readonly distance: Decimal;
}

/** Where a position is, and at which price it could be closed. */
export interface ReductionView extends Pick<RiskView, 'instrument' | 'margin'> {
  /** What an order of a side would take first; `undefined` where that is not known. */
  touch(symbol: string, side: Side): Decimal | undefined;
}

/**
 * The market order that brings a position back to a distance from its liquidation: of the fewest lots that do
 * by the formulas of the venue, the fee paid, every other position of its account being what it is; of the whole
 * position where no part does. It only reduces. `undefined` where there is no position, or a price is unknown.
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
  // A book that is beyond the mark price does not make the closing better than it is judged.
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
    // What the market has, however little: an order that fills whole or not at all may close nothing.
    timeInForce: 'IOC',
    margin: { mode, reduceOnly: true },
  };
}

/** The fewest lots from 1 to `most` that do; `most` where fewer do not. More always does what fewer do. */
function fewest(most: number, does: (lots: number) => boolean): number {
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
