import type { Decimal } from '../../../model/decimal.ts';
import { Decimal as Exact } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { averageText, gridText } from '../../../wire/trading/printing.ts';
import type { OrderRecord } from '../orders/order-record.ts';

/** How the numbers of an instrument are written. */
export interface NumberTexts {
  readonly price: (ticks: number) => string;
  readonly quantity: (lots: number) => string;
}

const texts = new WeakMap<Instrument, NumberTexts>();

/** Formats of an instrument's numbers; made once for each. */
export function numberTexts(instrument: Instrument): NumberTexts {
  let found = texts.get(instrument);
  if (found === undefined) {
    found = {
      price: gridText(instrument.tickSize),
      quantity: gridText(instrument.quantityIncrement),
    };
    texts.set(instrument, found);
  }
  return found;
}

/** The average price of an order's filled quantity. */
export function averagePrice({ filledLots, filledValue, instrument }: OrderRecord): string {
  if (filledLots === 0) return '0';
  const value: Decimal = new Exact(filledValue.toString()).times(instrument.tickValue);
  return averageText(value, instrument.size(filledLots), instrument.tickSize);
}
