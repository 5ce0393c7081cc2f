/**
 * Version 2 has most records of version 3 under other names: camel case where version 3 has snake
 * case, and a few names of its own.
 */

/** `volume_quote` as version 2 spells it: `volumeQuote`. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The members in version 2: by their own names if they have one, else in camel case. */
export type InVersion2<T, Own = undefined> = {
  readonly [
    Name in keyof T as Name extends keyof Own ? Extract<Own[Name], string> : CamelCase<Name>
  ]: T[Name];
};

const known = new Map<string, string>();

function camelCase(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  known.set(name, made);
  return made;
}

/** Names the members of a record, or of the shape of a schema, as version 2 does. */
export function inVersion2<
  T extends object,
  const Own extends Readonly<Record<string, string>> | undefined = undefined,
>(members: T, own?: Own): InVersion2<T, Own> {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    named[own?.[name] ?? camelCase(name)] = value;
  }
  return named as InVersion2<T, Own>;
}
