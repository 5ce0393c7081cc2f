import { suggest } from './suggest.ts';

type NameOf<T> = T extends unknown ? keyof T & string : never;

/** Names of all members of a type; a missing or extra one does not compile. */
export const membersOf = <T>(names: Readonly<Record<NameOf<T>, true>>): ReadonlySet<string> =>
  new Set(Object.keys(names));

/** Members of every object. */
const OF_ALL: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Names of all members of an object, as `in` finds them: inherited and non-enumerable ones too, but
 * not methods of its class.
 */
export function memberNames(given: object): readonly string[] {
  const names = Object.getOwnPropertyNames(given);
  let prototype: unknown = Object.getPrototypeOf(given);
  if (prototype === Object.prototype || prototype === null) return names;
  const all = new Set(names);
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (OF_ALL.has(name) || all.has(name)) continue;
      if (typeof (given as Readonly<Record<string, unknown>>)[name] !== 'function') all.add(name);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...all];
}

/** A plain copy of all members of an object, inherited ones too. */
export function ownMembers(given: object): Readonly<Record<string, unknown>> {
  const fields = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(memberNames(given).map((name) => [name, fields[name]]));
}

/** A copy without the members that are `undefined`. */
export const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

/** The defaults, overridden by the given members; an `undefined` member counts as absent. */
export const withDefaults = <T extends object>(defaults: T, given: Partial<T> = {}): T => ({
  ...defaults,
  ...defined(given),
});

/** The first unknown member of an object; an `undefined` member counts as absent. */
export function unknownName(given: object, known: ReadonlySet<string>): string | undefined {
  for (const name of memberNames(given)) {
    if (known.has(name)) continue;
    if ((given as Readonly<Record<string, unknown>>)[name] !== undefined) return name;
  }
  return undefined;
}

/** The end of a message about an unknown member: the one that was meant, or those that exist. */
export function knownMembers(stray: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggest(stray, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.length === 0 ? 'there are none.' : `there are ${names.join(', ')}.`;
}
