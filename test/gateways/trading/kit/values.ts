import { Decimal } from '../../../../src/model/decimal.ts';
import { micros, type Micros } from '../../../../src/platform/time.ts';

/** A decimal as a client reads it. */
export const d = (text: string): Decimal => new Decimal(text);

/** A time as a client reads it, from ISO 8601 in UTC. */
export const at = (iso: string): Micros => micros(Date.parse(iso) * 1_000);

/** What a client read, with decimals as plain text. */
export function shown(value: unknown): unknown {
  if (Decimal.isDecimal(value)) return value.toFixed();
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}
