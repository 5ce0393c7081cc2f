import { Decimal } from '../model/decimal.ts';

/**
 * JSON with object keys in the order of their code points and no white space, so that equal data
 * has equal text. Decimals are text, maps are objects, `undefined` fields are omitted.
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

/** Text that JSON writes without escapes. */
const PLAIN = /^[\w .:@/-]*$/;

/** A text as a JSON string. */
export const quotedText = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
