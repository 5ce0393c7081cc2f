import { Decimal } from '../../model/decimal.ts';
import { PARTS } from '../../model/derivative.ts';

/** Parts of a tick, of 1e-15, that half a tick has. */
export const PARTS_OF_HALF: number = PARTS / 2;
const PARTS_OF_HALF_DECIMAL = new Decimal(PARTS_OF_HALF);

/**
 * A price as it is compared: whole half ticks, which hold the middle of two ticks, and what lies beyond
 * them in parts of 1e-15 of a tick, fewer than half a tick has. A price of a market has none of these; mark
 * prices of a venue do.
 */
export interface FinePrice {
  readonly half: number;
  readonly parts: number;
}

/** No price: it is neither above nor below any. */
export const NO_PRICE: FinePrice = { half: Number.NaN, parts: Number.NaN };

/** A price of whole parts of a tick. */
export function finePrice(count: Decimal): FinePrice {
  const half = count.divToInt(PARTS_OF_HALF_DECIMAL);
  const parts = count.minus(half.times(PARTS_OF_HALF_DECIMAL));
  return { half: half.toNumber(), parts: parts.toNumber() };
}

/** A price as a row of a recording has it: whole ticks, and parts of one more. */
export const finePriceOf = (ticks: number, parts: number): FinePrice =>
  parts < PARTS_OF_HALF
    ? { half: 2 * ticks, parts }
    : { half: 2 * ticks + 1, parts: parts - PARTS_OF_HALF };

/** The decimal of a price again; exact. */
export const decimalOf = (half: number, parts: number, tickSize: Decimal): Decimal => {
  const halves = tickSize.times(half).div(2);
  return parts === 0 ? halves : halves.plus(tickSize.times(parts).div(PARTS));
};
