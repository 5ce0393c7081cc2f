import { jsonIn } from '../json.ts';

/** Parameters by name, from a query, a form or a JSON body. */
export type RawParameters = Readonly<Record<string, unknown>>;

/** Members that are lists of objects, which forms cannot express. */
const NESTED: ReadonlySet<string> = new Set(['orders']);

/**
 * Reads a query or a form. A name that comes several times is a comma list. `orders` may be JSON text;
 * invalid text is kept, and its reader reports the error.
 */
export function readForm(text: string): RawParameters {
  const members = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = members.get(name);
    if (typeof before === 'string') members.set(name, `${before},${value}`);
    else members.set(name, NESTED.has(name) ? nested(value) : value);
  }
  return Object.fromEntries(members);
}

const nested = (value: string): unknown => {
  const json = jsonIn(value);
  return json === undefined ? value : json;
};

/** Writes a query; absent members are left out. */
export function writeForm(members: RawParameters): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}
