import { Decimal } from '../model/decimal.ts';

/**
 * JSON with the keys of every object in the order of their code points and no white space, so that
 * equal data has equal text. Decimals stand as their text, maps as
 * objects, `undefined` fields are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'bigint') return `"${String(value)}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Decimal.isDecimal(value)) return `"${value.toFixed()}"`;
  if (value instanceof Map) return canonicalJson(Object.fromEntries(value));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field === undefined) continue;
    text += `${text === '' ? '' : ','}${quotedText(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}

/** Text that JSON writes as it is. */
const PLAIN = /^[\w .:@/-]*$/;

/** A text as JSON has it. */
export const quotedText = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
