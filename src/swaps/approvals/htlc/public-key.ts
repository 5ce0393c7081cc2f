import { hexToBytes } from '@noble/hashes/utils.js';
import { p2tr } from '@scure/btc-signer';

/** Reads a public key of Bitcoin, hexadecimal, x-only or compressed, as x-only. */
export function xOnlyKey(text: string | undefined): Uint8Array | undefined {
  const [, digits] = /^(?:02|03)?([\dA-Fa-f]{64})$/.exec(text ?? '') ?? [];
  return digits === undefined ? undefined : hexToBytes(digits);
}

/** The Taproot address of a key without scripts; `undefined` for an invalid key. */
export function addressOfKey(key: Uint8Array): string | undefined {
  try {
    return p2tr(key).address;
  } catch {
    return undefined;
  }
}
