import { MillraceError } from '../model/errors.ts';
import { defer, distinctUntilChanged, filter, map, type Observable } from 'rxjs';

/** `up`: the first rose above the second. `down`: it fell below. */
export type Cross = 'up' | 'down';

/**
 * Whether the value `a` is above the value `b`: told as soon as it is decided, then at every cross.
 * A tie decides nothing and keeps the side before it, so that to touch and turn back is no cross.
 *
 *     derive({ fast: sma(10), slow: sma(30) }), above('fast', 'slow') // true, false, true, …
 */
export function above<A extends string, B extends string>(
  a: A,
  b: B,
): <T extends Readonly<Record<A | B, number>>>(source: Observable<T>) => Observable<boolean> {
  checkNames('above', a, b);
  return (source) =>
    source.pipe(
      filter((values) => values[a] > values[b] || values[a] < values[b]),
      map((values) => values[a] > values[b]),
      distinctUntilChanged(),
    );
}

/**
 * The events at which `a` crosses `b`, each with its `cross`. The side on which they begin is no
 * cross; a tie is on no side, so that the cross is told when the other side is reached.
 */
export function crosses<A extends string, B extends string>(
  a: A,
  b: B,
): <T extends Readonly<Record<A | B, number>>>(
  source: Observable<T>,
) => Observable<T & { readonly cross: Cross }> {
  checkNames('crosses', a, b);
  return <T extends Readonly<Record<A | B, number>>>(source: Observable<T>) =>
    defer(() => {
      let side = 0;
      return source.pipe(
        filter((values) => {
          const now = Math.sign(values[a] - values[b]);
          if (!(now === 1 || now === -1)) return false;
          const before = side;
          side = now;
          return before === -now;
        }),
        map((values) => ({ ...values, cross: side > 0 ? ('up' as const) : ('down' as const) })),
      );
    });
}

/** Without two names nothing would ever be told. */
function checkNames(operator: string, a: unknown, b: unknown): void {
  if (typeof a === 'string' && typeof b === 'string') return;
  const sentence = `${operator} takes the names of two values, such as ${operator}('fast', 'slow').`;
  throw new MillraceError('parameter-invalid', sentence, {
    field: typeof a === 'string' ? 'b' : 'a',
  });
}
