import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hexToBytes } from '@noble/hashes/utils.js';

const LONG_BYTES = 65;
const COMPACT_BYTES = 64;
const HALF_BYTES = 32;
const HALF_ORDER = secp256k1.Point.Fn.ORDER >> 1n;
/** The highest bit of s holds v in the compact form. */
const PARITY_BIT = 0x80;

/**
 * Reads an owner's signature: 65 bytes r, s and v, with v 27 or 28, or 0 or 1; or 64 bytes with v in the
 * highest bit of s (EIP-2098). Returns the long form with v 27 or 28. `undefined` for other lengths, other
 * v, and an s of the upper half (EIP-2), which would allow a second signature.
 */
export function readSignature(text: string): Uint8Array | undefined {
  if (!/^(?:0x)?(?:[\dA-Fa-f]{2}){64,65}$/.test(text)) return undefined;
  const bytes = hexToBytes(text.replace(/^0x/, ''));
  const long = bytes.length === COMPACT_BYTES ? longForm(bytes) : bytes;
  const v = long[LONG_BYTES - 1] ?? 0;
  const parity = v >= 27 ? v - 27 : v;
  const s = BigInt(`0x${Buffer.from(long.subarray(HALF_BYTES, COMPACT_BYTES)).toString('hex')}`);
  if (parity > 1 || s > HALF_ORDER) return undefined;
  long[LONG_BYTES - 1] = parity + 27;
  return long;
}

function longForm(compact: Uint8Array): Uint8Array {
  const long = new Uint8Array(LONG_BYTES);
  long.set(compact);
  const high = compact[HALF_BYTES] ?? 0;
  long[HALF_BYTES] = high & ~PARITY_BIT;
  long[LONG_BYTES - 1] = high >= PARITY_BIT ? 1 : 0;
  return long;
}
