import type { Candle } from '../model/candle.ts';
import { MillraceError } from '../model/errors.ts';

/**
 * An indicator: called once per subscription, it gives a function that takes each event in turn
 * and answers with the value after it, or `undefined` while it has not seen enough.
 *
 *     const range: Indicator<Candle, number> = () => (candle) => candle.highTicks - candle.lowTicks;
 *
 * What it remembers lives between the two arrows, so that every subscription starts fresh.
 */
export type Indicator<E, V> = () => (event: E) => V | undefined;

/** What an indicator looks at in an event. */
export type Source<E, V extends number = number> = (event: E) => V;

export const closeTicks = (candle: Candle): Candle['closeTicks'] => candle.closeTicks;
export const highTicks = (candle: Candle): Candle['highTicks'] => candle.highTicks;
export const lowTicks = (candle: Candle): Candle['lowTicks'] => candle.lowTicks;

/** Gives a length back; throws `parameter-invalid` when it is not a whole number from `least` on. */
export function checkLength(indicator: string, length: number, least = 1): number {
  if (Number.isSafeInteger(length) && length >= least) return length;
  throw new MillraceError(
    'parameter-invalid',
    `${indicator}(${length}): the length is a whole number of events, at least ${least}.`,
    { field: 'length' },
  );
}
