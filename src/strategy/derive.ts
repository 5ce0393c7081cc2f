import { defer, filter, map, type Observable } from 'rxjs';
import { MillraceError } from '../model/errors.ts';
import { checkLength, type Indicator } from './indicator.ts';

/** Indicators by the names of their values; `event` is reserved for the event itself. */
export type Indicators = Readonly<Record<string, Indicator<never, unknown>>> & {
  readonly event?: never;
};

/** The event type that all indicators of a record accept. */
export type EventOf<R extends Indicators> =
  R[keyof R] extends Indicator<infer E, unknown> ? E : never;

/** The values of a record of indicators after one event, with the event. */
export type Derived<E, R extends Indicators> = {
  readonly [Name in keyof R]: R[Name] extends Indicator<never, infer V> ? V : never;
} & { readonly event: E };

/**
 * Computes several indicators of one stream in one pass: one emission per event, with all values
 * after that event, once all of them have one.
 *
 *     market.candles('BTCUSDT', 'M5').pipe(
 *       derive({ fast: ema(12), slow: ema(26) }),
 *       map(({ fast, slow, event }) => …),
 *     )
 *
 * Two streams of averages joined with `combineLatest` would emit twice per candle, once with a new
 * value and an old one; this never does. Each subscription starts with fresh indicators.
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
          // Every step accepts the event: its type is one that EventOf allows.
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

/**
 * The values of one indicator, without the event:
 *
 *     market.candles('BTCUSDT', 'M5').pipe(values(ta.rsi(14)), filter((rsi) => rsi < 30), …)
 */
export const values =
  <E, V>(indicator: Indicator<E, V>) =>
  (source: Observable<E>): Observable<V> =>
    defer(() => {
      const step = indicator();
      return source.pipe(
        map((event) => step(event)),
        filter((value) => value !== undefined),
      );
    });

/**
 * The last `length` events of any stream, oldest first, once there are that many. Throws
 * `parameter-invalid`.
 */
export function lastValues(length: number): <T>(source: Observable<T>) => Observable<readonly T[]> {
  checkLength('lastValues', length);
  return <T>(source: Observable<T>) =>
    defer(() => {
      const last: T[] = [];
      return source.pipe(
        map((event) => {
          last.push(event);
          if (last.length > length) last.shift();
          return last.length < length ? undefined : Object.freeze([...last]);
        }),
        filter((window) => window !== undefined),
      );
    });
}
