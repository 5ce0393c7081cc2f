/** Content of the signature of a request to the Execution surface. */
export interface SignedParts {
  /** In capital letters. */
  readonly method: string;
  /** As sent, percent-encoded, with the slash at its end if there is one. */
  readonly path: string;
  /** As sent, without `?`; empty if there is none. */
  readonly query: string;
  /** As sent; empty if there is none. */
  readonly body: string;
}

/**
 * The signed text: `METHOD:PATH:QUERY:BODY`. The query is sorted by its keys and stays percent-encoded;
 * values of one key keep their order. The body is JSON with the keys of every object sorted. A segment is
 * empty if its part is.
 */
export const canonicalText = ({ method, path, query, body }: SignedParts): string =>
  `${method}:${path}:${canonicalQuery(query)}:${canonicalBody(body) ?? body}`;

const keyOf = (pair: string): string => {
  const sign = pair.indexOf('=');
  return sign === -1 ? pair : pair.slice(0, sign);
};

/** By UTF-16 units, as RFC 8785 sorts. */
const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Sorting is stable, so values of one key keep their order. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .toSorted((one, other) => inOrder(keyOf(one), keyOf(other)))
    .join('&');

/**
 * JSON with the keys of every object sorted by UTF-16 units and without white space. Numbers stay as
 * written, and characters beyond ASCII are not escaped. `undefined` unless it is JSON.
 */
export function canonicalBody(body: string): string | undefined {
  try {
    return written(JSON.parse(body, keepNumber as Reviver));
  } catch {
    // No JSON, or nested more deeply than can be read.
    return undefined;
  }
}

type Reviver = (key: string, value: unknown) => unknown;

/** A number as it is written. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const keepNumber = (
  _key: string,
  value: unknown,
  { source }: { readonly source?: string },
): unknown => (typeof value === 'number' ? new Digits(source ?? String(value)) : value);

function written(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Readonly<Record<string, unknown>>)
    .toSorted(([one], [other]) => inOrder(one, other))
    .map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`);
  return `{${members.join(',')}}`;
}
