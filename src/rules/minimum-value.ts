import { brief } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Lots, Ticks } from '../model/units.ts';

/** Why an order of so many lots at this price is worth too little; `undefined` where there is no minimum. */
export function minimumValueRejection(
  instrument: Instrument,
  ticks: number,
  lots: number,
): Rejection | undefined {
  const { minimumValue, quoteCurrency } = instrument;
  if (minimumValue === undefined || ticks === 0) return undefined;
  const value = instrument
    .value(ticks as Ticks, lots as Lots)
    .times(instrument.terms.contractSize ?? 1);
  if (!value.lessThan(minimumValue)) return undefined;
  return {
    code: 'value-below-minimum',
    field: 'quantity',
    message: `The value of the order is ${brief(value)} ${quoteCurrency}, below the minimum of ${brief(minimumValue)} for ${instrument.symbol}.`,
    limit: minimumValue.toFixed(),
  };
}
