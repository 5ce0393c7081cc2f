import * as rxjs from 'rxjs';
import { MillraceError } from '../../model/errors.ts';

type Rxjs = typeof rxjs;

/**
 * What rxjs has under a name, which throws `delay-invalid` where it is called with what is no delay: no
 * finite number and no time. Later, when the timer is set, nothing shows which line gave it. `delays` are
 * the places of its delays among its arguments; with `needed` the first must be there.
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
      // Behind a delay a scheduler may stand, and nothing at all.
      if (index > 0 && (value === null || isScheduler(value))) continue;
      check(name, value);
    }
  });
}

/** The same for what takes settings, whose members of these names are delays, beside what is no object. */
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
      // `retry` and `repeat` take a function that says when.
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
