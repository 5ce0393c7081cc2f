import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import type { Family } from './family.ts';
import { ownerBytes, signerBytes } from './secp256k1.ts';

const base58check = createBase58check(sha256);

/** First byte of an address; the other 20 are the address of Ethereum. */
const PREFIX = 0x41;
const BYTES = 21;

/** Tron: Base58 with a checksum, `T` and 33 characters more; letter case counts. */
export const tron: Family = {
  canonical(address) {
    // Leading and trailing space is none of the 58 characters; longer text is not worth decoding.
    if (address.length !== 34) return undefined;
    try {
      const bytes = base58check.decode(address);
      return bytes.length === BYTES && bytes[0] === PREFIX ? address : undefined;
    } catch {
      return undefined;
    }
  },
  addressOf: (privateKey) => written(ownerBytes(privateKey)),
  hash: bytesToHex,
  isSignedBy(address, digest, signature) {
    const signer = signerBytes(digest, signature);
    return signer !== undefined && written(signer) === address;
  },
};

const written = (owner: Uint8Array): string => base58check.encode(Uint8Array.of(PREFIX, ...owner));
