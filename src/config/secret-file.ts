import { readSmallFile, type SmallFile } from './small-file.ts';

/** The longest secret is a private key as text, of a few thousand bytes. */
const SECRET_BYTES_MAX = 65_536;
/** Codes below it are signs of control, of which a secret has tabs and the ends of lines alone. */
const SPACE = 32;
const ALLOWED: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

/**
 * Reads a secret from a file that holds nothing else, without the line's end that editors put there.
 * Throws what `readSmallFile` does, and for what cannot be a secret, without showing it.
 */
export function readSecretFile(path: string): SmallFile {
  const file = readSmallFile(path, { bytesMax: SECRET_BYTES_MAX });
  const text = file.text.trim();
  for (const sign of text) {
    if (sign.charCodeAt(0) < SPACE && !ALLOWED.has(sign))
      throw new Error('it holds other than text');
  }
  return { ...file, text };
}
