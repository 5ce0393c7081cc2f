import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode, OrderMargin } from '../../model/margin-terms.ts';
import type { Orders } from '../orders/orders.ts';

/** Trades in an isolated account. */
export const ISOLATED = 1;
/** Trades in a cross account. */
export const CROSSED = 2;
/** Only reduces a position. */
export const REDUCE_ONLY = 4;
/** Closes the whole position when triggered. */
export const CLOSE_POSITION = 8;
/** Placed by the exchange for a liquidation. */
export const LIQUIDATION = 16;

/** The margin terms of an order as flags; an order that closes a position is reduce-only. */
export const flagsOf = ({ mode, reduceOnly, closePosition }: OrderMargin): number =>
  (mode === 'cross' ? CROSSED : ISOLATED) |
  (reduceOnly === true || closePosition === true ? REDUCE_ONLY : 0) |
  (closePosition === true ? CLOSE_POSITION : 0);

/** The margin terms of flags; undefined for a spot order. */
export function marginOf(flags: number): OrderMargin | undefined {
  if (flags === 0) return undefined;
  return {
    mode: modeOf(flags),
    ...((flags & REDUCE_ONLY) === 0 ? {} : { reduceOnly: true }),
    ...((flags & CLOSE_POSITION) === 0 ? {} : { closePosition: true }),
  };
}

/** Margin mode of a margin order. */
export const modeOf = (flags: number): MarginMode =>
  (flags & CROSSED) === 0 ? 'isolated' : 'cross';

/** True for a liquidation order of the exchange. */
export const isLiquidation = (flags: number): boolean => (flags & LIQUIDATION) !== 0;

/** The three markets, separate in the trading service. */
export type OrderMarket = 'spot' | 'margin' | 'futures';

/** Market of an order. */
export function marketOf(
  order: number,
  orders: Orders,
  instruments: readonly Instrument[],
): OrderMarket {
  if (orders.marginFlags(order) === 0) return 'spot';
  return instruments[orders.instrument(order)].isContract ? 'futures' : 'margin';
}
