import { jsonIn } from '../json.ts';

/** Parameters by name, as a query, a form or a JSON body gives them. */
export type RawParameters = Readonly<Record<string, unknown>>;

/** Members that are lists of objects, for which forms have no form of their own. */
const NESTED: ReadonlySet<string> = new Set(['orders']);

/**
 * Reads a query or a form. A name that comes several times is a comma list. `orders` may be JSON
 * text; where it is none it stays text, and whoever reads it says what is wrong with it.
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

/** Writes a query; members that are absent are left out. */
export function writeForm(members: RawParameters): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}
