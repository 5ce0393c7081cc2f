import { suggest } from './suggest.ts';

type NameOf<T> = T extends unknown ? keyof T & string : never;

/** The names of all members of a type; one that is missing or too many does not compile. */
export const membersOf = <T>(names: Readonly<Record<NameOf<T>, true>>): ReadonlySet<string> =>
  new Set(Object.keys(names));

/** The first member of an object that is not known; one that is `undefined` counts as absent. */
export function strayMember(given: object, known: ReadonlySet<string>): string | undefined {
  for (const name of Object.keys(given)) {
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
