import { Decimal } from '../model/decimal.ts';

/** Most levels of a logged object; deeper ones are omitted. */
const DEPTH = 6;

/**
 * A logged value as JSON data of that moment, so that no value can keep a result from being
 * written: numbers that JSON lacks and other unusual values are text.
 */
export function logged(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      break;
    default:
      return typeof value === 'function' ? 'a function' : String(value);
  }
  if (value === null || value instanceof Decimal) return value;
  if (depth >= DEPTH) return '…';
  try {
    if (Array.isArray(value)) return value.map((one: unknown) => logged(one, depth + 1));
    if (value instanceof Date) return value.toJSON();
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, logged(one, depth + 1)]),
    );
  } catch {
    return 'an object that cannot be read';
  }
}
