import { Decimal } from '../model/decimal.ts';

/**
 * JSON with the keys of every object in the order of their code points and no white space, so that
 * equal data has equal text. Decimals stand as their text, maps as
 * objects, `undefined` fields are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Decimal.isDecimal(value)) return JSON.stringify(value.toFixed());
  if (value instanceof Map) return canonicalJson(Object.fromEntries(value));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'bigint') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
