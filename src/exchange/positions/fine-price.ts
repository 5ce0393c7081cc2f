import { Decimal } from '../../model/decimal.ts';
import { PARTS } from '../../model/derivative.ts';

/** Parts of 1e-15 of a tick in half a tick. */
export const PARTS_OF_HALF: number = PARTS / 2;
const PARTS_OF_HALF_DECIMAL = new Decimal(PARTS_OF_HALF);

/**
 * A comparable price: whole half ticks, so that a mid price is exact, and a rest in parts of 1e-15
 * of a tick, less than half a tick. Market prices have no rest; mark prices of a venue do.
 */
export interface FinePrice {
  readonly half: number;
  readonly parts: number;
}

/** No price: every comparison with it is false. */
export const NO_PRICE: FinePrice = { half: Number.NaN, parts: Number.NaN };

/** A price from parts of a tick. */
export function finePrice(count: Decimal): FinePrice {
  const half = count.divToInt(PARTS_OF_HALF_DECIMAL);
  const parts = count.minus(half.times(PARTS_OF_HALF_DECIMAL));
  return { half: half.toNumber(), parts: parts.toNumber() };
}

/** A price from a row of a recording: whole ticks, and parts of one more. */
export const finePriceOf = (ticks: number, parts: number): FinePrice =>
  parts < PARTS_OF_HALF
    ? { half: 2 * ticks, parts }
    : { half: 2 * ticks + 1, parts: parts - PARTS_OF_HALF };

/** The price as an exact decimal. */
export const decimalOf = (half: number, parts: number, tickSize: Decimal): Decimal => {
  const halves = tickSize.times(half).div(2);
  return parts === 0 ? halves : halves.plus(tickSize.times(parts).div(PARTS));
};
