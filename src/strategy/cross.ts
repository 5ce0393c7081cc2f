import { MillraceError } from '../model/errors.ts';
import { defer, distinctUntilChanged, filter, map, type Observable } from 'rxjs';

/** `up`: the first rose above the second. `down`: it fell below. */
export type Cross = 'up' | 'down';

/** A value by its name, or a fixed level: `above('rsi', 70)`. */
type Level = string | number;

/** An event with the values of the names; a level needs none. */
type With<A extends string, B extends Level> = Readonly<Record<A | Extract<B, string>, number>>;

const levelOf = (values: Readonly<Record<string, number>>, b: Level): number =>
  typeof b === 'number' ? b : values[b];

/**
 * Whether the value `a` is above the value or level `b`: emits once it is decided, then at every
 * cross. A tie keeps the side before it, so that touching and turning back is not a cross.
 *
 *     derive({ fast: sma(10), slow: sma(30) }), above('fast', 'slow') // true, false, true, …
 */
export function above<A extends string, B extends Level>(
  a: A,
  b: B,
): <T extends With<A, B>>(source: Observable<T>) => Observable<boolean> {
  checkNames('above', a, b);
  return (source) =>
    source.pipe(
      map((values) => Math.sign(values[a] - levelOf(values, b))),
      filter((side) => side === 1 || side === -1),
      map((side) => side === 1),
      distinctUntilChanged(),
    );
}

/**
 * Events at which `a` crosses `b`, each with its `cross`. The first side is not a cross; a tie is
 * on no side, so the cross is emitted when the other side is reached.
 */
export function crosses<A extends string, B extends Level>(
  a: A,
  b: B,
): <T extends With<A, B>>(source: Observable<T>) => Observable<T & { readonly cross: Cross }> {
  checkNames('crosses', a, b);
  return <T extends With<A, B>>(source: Observable<T>) =>
    defer(() => {
      let side = 0;
      return source.pipe(
        filter((values) => {
          const now = Math.sign(values[a] - levelOf(values, b));
          if (!(now === 1 || now === -1)) return false;
          const before = side;
          side = now;
          return before === -now;
        }),
        map((values) => ({ ...values, cross: side > 0 ? ('up' as const) : ('down' as const) })),
      );
    });
}

/** Events at which `a` rises above `b`. */
export const crossesAbove = <A extends string, B extends Level>(
  a: A,
  b: B,
): (<T extends With<A, B>>(source: Observable<T>) => Observable<T & { readonly cross: Cross }>) =>
  crossing('up', a, b);

/** Events at which `a` falls below `b`. */
export const crossesBelow = <A extends string, B extends Level>(
  a: A,
  b: B,
): (<T extends With<A, B>>(source: Observable<T>) => Observable<T & { readonly cross: Cross }>) =>
  crossing('down', a, b);

function crossing<A extends string, B extends Level>(
  side: Cross,
  a: A,
  b: B,
): <T extends With<A, B>>(source: Observable<T>) => Observable<T & { readonly cross: Cross }> {
  const all = crosses(a, b);
  return (source) =>
    source.pipe(
      all,
      filter(({ cross }) => cross === side),
    );
}

/** Rejects missing names, with which nothing would ever be emitted. */
function checkNames(operator: string, a: unknown, b: unknown): void {
  if (typeof a === 'string' && (typeof b === 'string' || Number.isFinite(b))) return;
  const sentence = `${operator} takes the names of two values, such as ${operator}('fast', 'slow'), or a name and a number.`;
  throw new MillraceError('parameter-invalid', sentence, {
    field: typeof a === 'string' ? 'b' : 'a',
  });
}
