import type { Instrument } from '../../../model/instrument.ts';
import { decoded, type Decoded } from '../../../wire/trading/faults.ts';
import type { TradingService } from '../service.ts';

/** Writes something of each of the instruments that were found, by their symbols. */
export function bySymbol<T>(
  { exchange }: TradingService,
  found: Decoded<readonly number[]>,
  write: (instrument: Instrument, index: number) => T,
): Decoded<Readonly<Record<string, T>>> {
  if (found.kind === 'fault') return found;
  const entries = found.value.map((index) => {
    const instrument = exchange.instruments[index];
    return [instrument.symbol, write(instrument, index)] as const;
  });
  return decoded(Object.fromEntries(entries));
}

/** Writes something of what was found. */
export const ofFound = <F, T>(found: Decoded<F>, write: (value: F) => T): Decoded<T> =>
  found.kind === 'fault' ? found : decoded(write(found.value));
