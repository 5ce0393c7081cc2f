import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode, OrderMargin } from '../../model/margin-terms.ts';
import type { Orders } from '../orders/orders.ts';

/** Trades a position of an isolated account. */
export const ISOLATED = 1;
/** Trades a position of a cross account. */
export const CROSSED = 2;
/** Only makes a position smaller. */
export const REDUCE_ONLY = 4;
/** Closes the whole position when it is triggered. */
export const CLOSE_POSITION = 8;
/** Was placed by the exchange, to liquidate. */
export const LIQUIDATION = 16;

/** The margin terms of an order as one number; an order that closes a position only reduces it. */
export const flagsOf = ({ mode, reduceOnly, closePosition }: OrderMargin): number =>
  (mode === 'cross' ? CROSSED : ISOLATED) |
  (reduceOnly === true || closePosition === true ? REDUCE_ONLY : 0) |
  (closePosition === true ? CLOSE_POSITION : 0);

/** The margin terms that a number stands for; undefined of a spot order. */
export function marginOf(flags: number): OrderMargin | undefined {
  if (flags === 0) return undefined;
  return {
    mode: modeOf(flags),
    ...((flags & REDUCE_ONLY) === 0 ? {} : { reduceOnly: true }),
    ...((flags & CLOSE_POSITION) === 0 ? {} : { closePosition: true }),
  };
}

/** The margin mode of an order that is traded on margin. */
export const modeOf = (flags: number): MarginMode =>
  (flags & CROSSED) === 0 ? 'isolated' : 'cross';

/** True for an order that the exchange placed to liquidate a position. */
export const isLiquidation = (flags: number): boolean => (flags & LIQUIDATION) !== 0;

/** The three kinds of orders, which the trading service keeps apart. */
export type OrderMarket = 'spot' | 'margin' | 'futures';

/** To which of them an order belongs. */
export function marketOf(
  order: number,
  orders: Orders,
  instruments: readonly Instrument[],
): OrderMarket {
  if (orders.margin(order) === 0) return 'spot';
  return instruments[orders.instrument(order)].isContract ? 'futures' : 'margin';
}
