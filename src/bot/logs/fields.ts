import { Decimal } from '../../model/decimal.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Replaces a secret value. */
export const HIDDEN = '[secret]';

/** Names whose values are hidden, at any depth. */
const SECRET =
  /^(authorization|cookie|credentials|password|(api|private|secret)[_-]?key|secret|signature|token)$/i;

/** Deeper, longer or wider values are cut, so that a line stays readable. */
const DEPTH_MAX = 6;
const ENTRIES_MAX = 100;
const LENGTH_MAX = 4_000;

/** Converts values to loggable JSON and hides secrets by their names. Never throws. */
export function loggable(fields: Fields): Readonly<Record<string, unknown>> {
  try {
    return record(fields, 0);
  } catch (error) {
    // A getter of user code may throw.
    return { unreadable: error instanceof Error ? error.message : typeof error };
  }
}

function record(value: object, depth: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, ENTRIES_MAX)
      .map(([name, member]) => [name, SECRET.test(name) ? HIDDEN : plain(member, depth + 1)]),
  );
}

function plain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.length > LENGTH_MAX ? `${value.slice(0, LENGTH_MAX)}…` : value;
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'symbol':
    case 'function':
      return String(value).slice(0, 80);
    default:
      return typeof value === 'object' && value !== null ? composed(value, depth) : value;
  }
}

function composed(value: object, depth: number): unknown {
  if (Decimal.isDecimal(value)) return value.toFixed();
  if (value instanceof Date) return value.toJSON();
  if (depth >= DEPTH_MAX) return Array.isArray(value) ? '[…]' : '{…}';
  if (value instanceof Error) return { ...errorFields(value, depth) };
  if (Array.isArray(value)) {
    return value.slice(0, ENTRIES_MAX).map((each) => plain(each, depth + 1));
  }
  if (value instanceof Map)
    return record(Object.fromEntries(value as ReadonlyMap<string, unknown>), depth);
  if (value instanceof Set) return plain([...value], depth);
  return record(value, depth);
}

/** Includes own members, such as the code of a MillraceError. */
const errorFields = (error: Error, depth: number): object => ({
  ...record(error, depth),
  name: error.name,
  message: plain(error.message, depth),
  stack: plain(error.stack, depth),
  ...(error.cause === undefined ? {} : { cause: plain(error.cause, depth + 1) }),
});
