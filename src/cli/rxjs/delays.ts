import * as rxjs from 'rxjs';
import { MillraceError } from '../../model/errors.ts';

type Rxjs = typeof rxjs;

/**
 * What rxjs has under a name, which throws `delay-invalid` where it is called with a delay that is no
 * finite number: later, when the timer is set, nothing tells which line gave it. `delays` are the places of
 * its delays among its arguments; with `needed` the first must be there.
 */
export function withDelays<Name extends keyof Rxjs>(
  name: Name,
  delays: readonly number[],
  needed = true,
): Rxjs[Name] {
  const operator = rxjs[name] as unknown as (...given: readonly unknown[]) => unknown;
  const checked = (...given: readonly unknown[]): unknown => {
    for (const place of delays) {
      if (place === 0 && needed && given[0] === undefined) throw noDelay(name, undefined);
      check(name, given[place]);
    }
    return operator(...given);
  };
  return checked as unknown as Rxjs[Name];
}

/** The members of settings that are delays: of `timeout`, and of `retry` and `repeat`. */
const MEMBERS = ['first', 'each', 'delay'];

function check(name: string, value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw noDelay(name, value);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw noDelay(name, value);
    return;
  }
  for (const member of MEMBERS) {
    const inner = (value as Readonly<Record<string, unknown>>)[member];
    if (typeof inner === 'number' || inner instanceof Date) check(`${name}.${member}`, inner);
  }
}

const noDelay = (name: string, value: unknown): MillraceError =>
  new MillraceError(
    'delay-invalid',
    `${name} was given a delay of ${String(value)}; a delay is a finite number of milliseconds.`,
    { field: name },
  );
