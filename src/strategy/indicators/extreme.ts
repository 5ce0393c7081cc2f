import type { Candle } from '../../model/candle.ts';
import type { Ticks } from '../../model/units.ts';
import { checkLength, highTicks, lowTicks, type Indicator, type Source } from '../indicator.ts';

/**
 * The extreme of the last `length` values, where `beats(a, b)` means that `a` is at least as
 * extreme as `b`. A value beaten by a later one can never be the extreme again and is dropped, so
 * that the work per event does not grow with the length.
 */
export function extreme<E, V extends number>(
  length: number,
  of: Source<E, V>,
  beats: (a: V, b: V) => boolean,
): Indicator<E, V> {
  return () => {
    const candidates: { readonly value: V; readonly turn: number }[] = [];
    let turn = 0;
    return (event) => {
      const value = of(event);
      let last = candidates.at(-1);
      while (last !== undefined && beats(value, last.value)) {
        candidates.pop();
        last = candidates.at(-1);
      }
      candidates.push({ value, turn });
      if (candidates[0].turn === turn - length) candidates.shift();
      turn += 1;
      return turn < length ? undefined : candidates[0].value;
    };
  };
}

/** The highest of the last `length` values, by default of the high of candles in ticks; exact. */
export function highest(length: number): Indicator<Candle, Ticks>;
export function highest<E, V extends number>(length: number, of: Source<E, V>): Indicator<E, V>;
export function highest(
  length: number,
  of: Source<Candle, Ticks> = highTicks,
): Indicator<Candle, Ticks> {
  return extreme(checkLength('highest', length, of), of, (a, b) => a >= b);
}

/** The lowest of the last `length` values, by default of the low of candles in ticks; exact. */
export function lowest(length: number): Indicator<Candle, Ticks>;
export function lowest<E, V extends number>(length: number, of: Source<E, V>): Indicator<E, V>;
export function lowest(
  length: number,
  of: Source<Candle, Ticks> = lowTicks,
): Indicator<Candle, Ticks> {
  return extreme(checkLength('lowest', length, of), of, (a, b) => a <= b);
}
