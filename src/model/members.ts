import { suggest } from './suggest.ts';

type NameOf<T> = T extends unknown ? keyof T & string : never;

/** The names of all members of a type; one that is missing or too many does not compile. */
export const membersOf = <T>(names: Readonly<Record<NameOf<T>, true>>): ReadonlySet<string> =>
  new Set(Object.keys(names));

/** What every object has. */
const OF_ALL: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * The names of all members of an object, as `in` finds them: those that it inherits and those that no
 * loop shows are members too. Methods of its class are not.
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

/** The defaults, and what is given in their place; a member that is `undefined` counts as absent. */
export const withDefaults = <T extends object>(defaults: T, given: Partial<T> = {}): T => ({
  ...defaults,
  ...defined(given),
});

/** The first member of an object that is not known; one that is `undefined` counts as absent. */
export function unknownName(given: object, known: ReadonlySet<string>): string | undefined {
  for (const name of memberNames(given)) {
    if (known.has(name)) continue;
    if ((given as Readonly<Record<string, unknown>>)[name] !== undefined) return name;
  }
  return undefined;
}

/** Says of a member that is not known which was meant, or which there are: the end of a sentence. */
export function knownMembers(stray: string, known: Iterable<string>): string {
  const names = [...known];
  const near = suggest(stray, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.length === 0 ? 'there are none.' : `there are ${names.join(', ')}.`;
}
