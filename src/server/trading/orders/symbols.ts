import type { OrderMarket } from '../../../exchange/positions/flags.ts';
import type { Instrument } from '../../../model/instrument.ts';
import { fault, undecoded, type Decoded } from '../../../wire/trading/faults.ts';

/** Spot and margin trade the spot symbols, futures the contracts. */
export const isTradedOn = (market: OrderMarket, { isContract }: Instrument): boolean =>
  isContract === (market === 'futures');

/** The error for a symbol that a market does not have. */
export function symbolNotTraded(
  instruments: readonly Instrument[],
  market: OrderMarket,
  symbol: string,
  member = 'symbol',
): Decoded<never> {
  const known = instruments.filter((one) => isTradedOn(market, one)).map((one) => one.symbol);
  const sentence = `${JSON.stringify(symbol)} is not traded here; known are ${known.join(', ')}.`;
  return undecoded(fault(2001, sentence, member));
}
