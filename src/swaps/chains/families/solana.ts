import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import type { Family } from './family.ts';

const KEY_BYTES = 32;
const LENGTH_MAX = 44;

/** Solana: an address is the public key of Ed25519, 32 bytes in Base58; letter case counts. */
export const solana: Family = {
  canonical: (address) => (keyBytes(address) === undefined ? undefined : address),
  addressOf: (privateKey) => base58.encode(ed25519.getPublicKey(privateKey)),
  // A transaction is identified by its first signature, which has 64 bytes.
  hash: (digest) => base58.encode(Uint8Array.of(...digest, ...sha256(digest))),
  isSignedBy(address, digest, signature) {
    const key = keyBytes(address);
    if (key === undefined) return false;
    try {
      return ed25519.verify(signature, digest, key);
    } catch {
      // Not 64 bytes, or an address that is no point of the curve, such as one of a program.
      return false;
    }
  },
};

function keyBytes(address: string): Uint8Array | undefined {
  if (address.length > LENGTH_MAX) return undefined;
  try {
    const bytes = base58.decode(address);
    return bytes.length === KEY_BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}
