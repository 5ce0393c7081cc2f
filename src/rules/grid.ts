import { brief, Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Rejection, RejectionCode } from '../model/rejections.ts';
import type { Lots, Rounding, Ticks } from '../model/units.ts';
import { quoted } from './quoted.ts';

/** Treatment of numbers off the grid: `strict` rejects them, a rounding moves them to a step. */
export type Grid = 'strict' | Rounding;

interface Codes {
  readonly field: string;
  readonly unit: 'ticks' | 'lots';
  readonly step: string;
  readonly invalid: RejectionCode;
  readonly offGrid: RejectionCode;
  readonly belowMinimum: RejectionCode;
}

const PRICE: Codes = {
  field: 'price',
  unit: 'ticks',
  step: 'tick size',
  invalid: 'price-invalid',
  offGrid: 'price-off-tick',
  belowMinimum: 'price-below-minimum',
};

const STOP_PRICE: Codes = {
  field: 'stopPrice',
  unit: 'ticks',
  step: 'tick size',
  invalid: 'stop-price-invalid',
  offGrid: 'stop-price-off-tick',
  belowMinimum: 'stop-price-below-minimum',
};

const QUANTITY: Codes = {
  field: 'quantity',
  unit: 'lots',
  step: 'quantity increment',
  invalid: 'quantity-invalid',
  offGrid: 'quantity-off-increment',
  belowMinimum: 'quantity-below-minimum',
};

/** Ticks of a price, at least one. */
export const priceOnGrid = (
  instrument: Instrument,
  price: Decimal,
  grid: Grid,
): Ticks | Rejection =>
  onGrid(price, instrument.tickSize, instrument, grid, PRICE) as Ticks | Rejection;

/** Ticks of a stop price, at least one. */
export const stopPriceOnGrid = (
  instrument: Instrument,
  stopPrice: Decimal,
  grid: Grid,
): Ticks | Rejection =>
  onGrid(stopPrice, instrument.tickSize, instrument, grid, STOP_PRICE) as Ticks | Rejection;

/** Lots of a quantity, at least one. */
export const quantityOnGrid = (
  instrument: Instrument,
  quantity: Decimal,
  grid: Grid,
): Lots | Rejection =>
  onGrid(quantity, instrument.quantityIncrement, instrument, grid, QUANTITY) as Lots | Rejection;

function onGrid(
  value: Decimal,
  step: Decimal,
  instrument: Instrument,
  grid: Grid,
  codes: Codes,
): number | Rejection {
  const { field, unit } = codes;
  // The number may come from untyped code.
  if (!Decimal.isDecimal(value)) {
    return {
      code: codes.invalid,
      field,
      message: `${field} is ${quoted(value)} and must be a decimal number.`,
    };
  }
  if (!value.isFinite() || !value.greaterThan(0)) {
    return {
      code: codes.invalid,
      field,
      message: `${field} is ${brief(value)} and must be positive.`,
      limit: '0',
    };
  }
  const exact = unit === 'ticks' ? instrument.ticksExactly(value) : instrument.lotsExactly(value);
  if (exact !== undefined) return exact;
  if (value.greaterThan(step.times(Number.MAX_SAFE_INTEGER))) {
    const limit = step.times(Number.MAX_SAFE_INTEGER).toFixed();
    return {
      code: 'number-out-of-range',
      field,
      message: `${field} is ${brief(value)} and can be ${limit} at most, 2^53 - 1 ${unit}.`,
      limit,
    };
  }
  const limit = step.toFixed();
  if (grid === 'strict') {
    return {
      code: codes.offGrid,
      field,
      message: `${field} is ${brief(value)} and must be a multiple of the ${codes.step} ${limit}${nearest(value, step)}.`,
      limit,
    };
  }
  const count = unit === 'ticks' ? instrument.ticks(value, grid) : instrument.lots(value, grid);
  if (count > 0) return count;
  return {
    code: codes.belowMinimum,
    field,
    message: `${field} is ${brief(value)}, which rounds to zero; the least is the ${codes.step} ${limit}.`,
    limit,
  };
}

/** The steps around a number, for a message; only the upper one below the first step. */
function nearest(value: Decimal, step: Decimal): string {
  const above = new Decimal(value).toNearest(step, Decimal.ROUND_CEIL);
  const below = above.minus(step);
  return below.isZero()
    ? `; the least is ${brief(above)}`
    : `; the nearest are ${brief(below)} and ${brief(above)}`;
}
