import type { Candle } from '../model/candle.ts';
import { MillraceError } from '../model/errors.ts';

/**
 * An indicator: called once per subscription, it returns a function that takes each event in turn
 * and returns the value after it, or `undefined` during its warm-up.
 *
 *     const range: Indicator<Candle, number> = () => (candle) => candle.highTicks - candle.lowTicks;
 *
 * Its state is between the two arrows, so that every subscription starts fresh.
 */
export type Indicator<E, V> = () => (event: E) => V | undefined;

/** Reads an indicator's input from an event. */
export type Source<E, V extends number = number> = (event: E) => V;

export const closeTicks = (candle: Candle): Candle['closeTicks'] => candle.closeTicks;
export const highTicks = (candle: Candle): Candle['highTicks'] => candle.highTicks;
export const lowTicks = (candle: Candle): Candle['lowTicks'] => candle.lowTicks;

/**
 * Returns a length; throws `parameter-invalid` if it is not a whole number from 1 on, or if its
 * source is not a function.
 */
export function checkLength(indicator: string, length: number, of: unknown = closeTicks): number {
  const given = typeof length === 'number' ? String(length) : `a ${typeof length}`;
  const wrong = (field: string, what: string): MillraceError =>
    new MillraceError('parameter-invalid', `${indicator}(${given}): ${what}.`, { field });
  if (!Number.isSafeInteger(length) || length < 1) {
    throw wrong('length', 'the length is a whole number of events, at least 1');
  }
  if (typeof of === 'function') return length;
  throw wrong('of', 'what it looks at is a function of an event, such as (trade) => trade.ticks');
}
