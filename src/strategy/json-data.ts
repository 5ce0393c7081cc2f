import { Decimal } from '../model/decimal.ts';

/**
 * Why a value is not JSON data, and where in it: text, booleans, finite numbers, decimals, null,
 * and arrays and plain objects of these. Such data can be hashed, written and read again without
 * two values becoming one.
 */
export function jsonFault(
  value: unknown,
  path = '',
  around: readonly object[] = [],
): string | undefined {
  const at = path === '' ? '' : `${path} is `;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${at}${value}`;
    case 'object':
      break;
    default:
      return `${at}${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  }
  if (value === null || value instanceof Decimal) return undefined;
  if (around.includes(value)) return `${at}part of itself`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `${at}a ${value.constructor.name}`;
  }
  if (Object.getOwnPropertySymbols(value).length > 0)
    return `${at}an object with a symbol for a key`;
  const within = [...around, value];
  // Array.from also visits the holes of an array.
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? Array.from(value, (one: unknown, index) => [index, one] as const)
    : Object.entries(value).filter(([, one]) => one !== undefined);
  for (const [key, one] of entries) {
    const fault = jsonFault(one, path === '' ? String(key) : `${path}.${key}`, within);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
