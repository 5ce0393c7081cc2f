import { defer, filter, map, type Observable } from 'rxjs';
import { MillraceError } from '../model/errors.ts';
import type { Indicator } from './indicator.ts';

/** Indicators by the names that their values shall have; `event` is taken by the event itself. */
export type Indicators = Readonly<Record<string, Indicator<never, unknown>>> & {
  readonly event?: never;
};

/** The event that all indicators of a record can take. */
export type EventOf<R extends Indicators> =
  R[keyof R] extends Indicator<infer E, unknown> ? E : never;

/** The values of a record of indicators after one event, with the event that they follow from. */
export type Derived<E, R extends Indicators> = {
  readonly [Name in keyof R]: R[Name] extends Indicator<never, infer V> ? V : never;
} & { readonly event: E };

/**
 * Computes several indicators of one stream in one pass: one emission per event, with every value
 * as it is after that event, silent until all of them have one.
 *
 *     market.candles('BTCUSDT', 'M5').pipe(
 *       derive({ fast: ema(12), slow: ema(26) }),
 *       map(({ fast, slow, event }) => …),
 *     )
 *
 * Two streams of averages joined with `combineLatest` would emit twice per candle, once with a new
 * value beside an old one; this never does. Each subscription starts with fresh indicators.
 */
export function derive<R extends Indicators>(
  indicators: R,
): <E extends EventOf<R>>(source: Observable<E>) => Observable<Derived<E, R>> {
  const isRecord =
    typeof indicators === 'object' && !Array.isArray(indicators) && indicators !== null;
  const values: readonly unknown[] = isRecord ? Object.values(indicators) : [];
  if (values.length === 0 || values.some((value) => typeof value !== 'function')) {
    const sentence =
      'derive takes indicators by the names of their values, such as { fast: ema(12) }.';
    throw new MillraceError('parameter-invalid', sentence, { field: 'indicators' });
  }
  return <E extends EventOf<R>>(source: Observable<E>) =>
    defer(() => {
      const steps = Object.entries<Indicator<never, unknown>>(indicators).map(
        ([name, indicator]) => ({ name, step: indicator() }),
      );
      return source.pipe(
        map((event) => {
          const values: Record<string, unknown> = { event };
          let warm = true;
          // Every step takes the event: its type is one that EventOf allows.
          for (const { name, step } of steps) {
            const value = step(event as never);
            if (value === undefined) warm = false;
            else values[name] = value;
          }
          return warm ? (values as Derived<E, R>) : undefined;
        }),
        filter((values) => values !== undefined),
      );
    });
}
