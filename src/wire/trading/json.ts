/** JSON as this project reads it: numbers that a double cannot hold keep their digits. */

interface LosslessJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}

/** Digits that may be more than a double holds; text of that length is found too, which is slow only. */
const LONG_NUMBER = /[\d.]{16}/;
const DIGITS_SAFE = 15;

/**
 * Parses JSON. A number of more than 15 digits comes as its text, which every decimal member takes,
 * but for one that is called `id`: that is echoed, and so it is kept as it was written. Throws
 * `SyntaxError`.
 */
export function readJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  const lossless = JSON as unknown as LosslessJson;
  return lossless.parse(text, (key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (source.replace(/^-|[eE].*$|\D/g, '').length <= DIGITS_SAFE) return value;
    if (Number.isSafeInteger(value) && String(value) === source) return value;
    return key === 'id' ? lossless.rawJSON(source) : source;
  });
}

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

function nested(value: string): unknown {
  try {
    return readJson(value);
  } catch {
    return value;
  }
}

/** Writes a query; members that are absent are left out. */
export function writeForm(members: RawParameters): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form.toString();
}
