import type { Candle } from '../model/candle.ts';
import { MillraceError } from '../model/errors.ts';
import { highTicks, lowTicks, type Indicator, type Source } from './indicator.ts';

/** A condition on an event. */
export type Condition<E> = (event: E) => boolean;

/**
 * How many events ago a condition was last true: 0 at the event itself, nothing before the first.
 *
 *     derive({ since: barsSince((candle: Candle) => candle.volumeLots > 1_000) })
 */
export function barsSince<E>(condition: Condition<E>): Indicator<E, number> {
  check('barsSince', condition);
  return () => {
    let since: number | undefined;
    return (event) => {
      if (condition(event)) since = 0;
      else if (since !== undefined) since += 1;
      return since;
    };
  };
}

/** The highest since a condition was last true, that event included; by default the high in ticks. Exact. */
export function highestSince(condition: Condition<Candle>): Indicator<Candle, number>;
export function highestSince<E, V extends number>(
  condition: Condition<E>,
  of: Source<E, V>,
): Indicator<E, V>;
export function highestSince(
  condition: Condition<Candle>,
  of: Source<Candle> = highTicks,
): Indicator<Candle, number> {
  return extremeSince('highestSince', condition, of, Math.max);
}

/** The lowest since a condition was last true, that event included; by default the low in ticks. Exact. */
export function lowestSince(condition: Condition<Candle>): Indicator<Candle, number>;
export function lowestSince<E, V extends number>(
  condition: Condition<E>,
  of: Source<E, V>,
): Indicator<E, V>;
export function lowestSince(
  condition: Condition<Candle>,
  of: Source<Candle> = lowTicks,
): Indicator<Candle, number> {
  return extremeSince('lowestSince', condition, of, Math.min);
}

function extremeSince(
  name: string,
  condition: Condition<Candle>,
  of: Source<Candle>,
  pick: (a: number, b: number) => number,
): Indicator<Candle, number> {
  check(name, condition, of);
  return () => {
    let found: number | undefined;
    return (event) => {
      const value = of(event);
      if (condition(event)) found = value;
      else if (found !== undefined) found = pick(found, value);
      return found;
    };
  };
}

function check(name: string, ...given: readonly unknown[]): void {
  if (given.every((one) => typeof one === 'function')) return;
  const sentence = `${name} takes functions of an event, such as (candle) => candle.closeTicks > 100.`;
  throw new MillraceError('parameter-invalid', sentence, { field: 'condition' });
}
