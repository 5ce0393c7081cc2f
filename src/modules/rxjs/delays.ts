import * as rxjs from 'rxjs';
import { MillraceError } from '../../model/errors.ts';

type Rxjs = typeof rxjs;

/**
 * A function of rxjs that throws `delay-invalid` when it is called with an invalid delay: neither a finite
 * number nor a time. Later, when the timer is set, the calling line is unknown. `delays` are the indices of
 * its delay arguments; with `needed` the first is required.
 */
export function withDelays<Name extends keyof Rxjs>(
  name: Name,
  delays: readonly number[],
  needed = true,
): Rxjs[Name] {
  return checkedBy(name, (given) => {
    for (const index of delays) {
      const value = given[index];
      if (value === undefined && !(needed && index === 0)) continue;
      // A delay may be followed by a scheduler, or by nothing.
      if (index > 0 && (value === null || isScheduler(value))) continue;
      check(name, value);
    }
  });
}

/** The same for a function with settings, whose members of these names are delays. */
export function withSettings<Name extends keyof Rxjs>(
  name: Name,
  members: readonly string[],
  isDelay: boolean,
): Rxjs[Name] {
  return checkedBy(name, ([value]) => {
    if (!isObject(value) || value instanceof Date) {
      if (isDelay) check(name, value);
      return;
    }
    for (const member of members) {
      const inner = value[member];
      // `retry` and `repeat` take a function that returns the delay.
      if (inner === undefined || (!isDelay && typeof inner === 'function')) continue;
      check(`${name}.${member}`, inner);
    }
  });
}

function checkedBy<Name extends keyof Rxjs>(
  name: Name,
  checkAll: (given: readonly unknown[]) => void,
): Rxjs[Name] {
  const operator = rxjs[name] as unknown as (...given: readonly unknown[]) => unknown;
  const checked = (...given: readonly unknown[]): unknown => {
    checkAll(given);
    return operator(...given);
  };
  return checked as unknown as Rxjs[Name];
}

function check(name: string, value: unknown): void {
  const isDelay =
    value instanceof Date
      ? !Number.isNaN(value.getTime())
      : typeof value === 'number' && Number.isFinite(value);
  if (!isDelay) throw noDelay(name, value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isScheduler = (value: unknown): boolean =>
  isObject(value) && typeof value.schedule === 'function';

const noDelay = (name: string, value: unknown): MillraceError =>
  new MillraceError(
    'delay-invalid',
    `${name} was given a delay of ${shown(value)}; a delay is a finite number of milliseconds.`,
    { field: name },
  );

/** Text in quotes, so that '5' differs from 5. */
const shown = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  return isObject(value) && !(value instanceof Date) ? 'an object' : String(value);
};
