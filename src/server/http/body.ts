import { isUtf8 } from 'node:buffer';
import { decoded, fault, undecoded, type Decoded } from '../../wire/trading/faults.ts';
import { jsonIn } from '../../wire/json.ts';
import { readForm } from '../../wire/trading/json.ts';

/** The most bytes that the body of a request may have. */
export const BODY_BYTES_MAX = 1 << 20;

/** The exact text of a body; empty if there is none. */
export function bodyText(body: unknown): Decoded<string> {
  if (!Buffer.isBuffer(body) || body.length === 0) return decoded('');
  if (!isUtf8(body)) return undecoded(fault(10001, 'The body must be UTF-8'));
  return decoded(body.toString('utf8'));
}

/**
 * Reads a body: JSON if its type says so or it begins like JSON, as some clients send JSON as a form or as
 * plain text; a form otherwise. `undefined` if there is none.
 */
export function readBody(text: string, type: string | undefined): Decoded<unknown> {
  if (text.trim() === '') return decoded(undefined);
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (!looksLikeJson && type?.toLowerCase().includes('json') !== true) {
    return decoded(readForm(text));
  }
  const json = jsonIn(text);
  if (json !== undefined) return decoded(json);
  // Not JSON, or nested more deeply than can be read.
  return undecoded(fault(10001, 'The body must be JSON, or a form'));
}
