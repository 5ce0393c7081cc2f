import type { Side } from '../../model/order.ts';

/** Sides as numbers: indices of the pairs of book sides, and the SELL flag of market events. */
export const BUY = 0;
export const SELL = 1;

export const sideCode = (side: Side): number => (side === 'buy' ? BUY : SELL);
export const sideName = (code: number): Side => (code === BUY ? 'buy' : 'sell');

/** A side's prices times its sign rise towards the best price. */
export const signOf = (side: number): 1 | -1 => (side === BUY ? 1 : -1);
