import type { Level } from '../../../exchange/market-data/book-log.ts';
import type { Decimal } from '../../../model/decimal.ts';
import type { Instrument } from '../../../model/instrument.ts';
import type { Ticks } from '../../../model/units.ts';
import { atScale } from '../../../wire/trading/printing.ts';
import { numberTexts } from './order-numbers.ts';

/** A price at the scale of its tick; null where there is none. */
export const priceText = (instrument: Instrument, ticks: Ticks | undefined): string | null =>
  ticks === undefined ? null : numberTexts(instrument).price(ticks);

/** A traded volume at the scale of the quantity increment. */
export const volumeText = (instrument: Instrument, volume: Decimal): string =>
  atScale(volume, instrument.quantityIncrement);

/** A price that may lie between two ticks: at the scale of the tick at least. */
export const finePriceText = (instrument: Instrument, price: Decimal): string =>
  atScale(price, instrument.tickSize);

/** Price and quantity of a level. */
export const levelTexts = (instrument: Instrument) => {
  const { price, quantity } = numberTexts(instrument);
  return ({ ticks, lots }: Level): [string, string] => [price(ticks), quantity(lots)];
};
