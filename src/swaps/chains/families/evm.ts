import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Family } from './family.ts';
import { ownerBytes, signerBytes } from './secp256k1.ts';

const ADDRESS = /^0x[\dA-Fa-f]{40}$/;

/**
 * Ethereum and similar networks. The canonical address has the checksum of EIP-55; only small or only
 * capital letters carry none and are accepted, a mixture must be right.
 */
export const evm: Family = {
  canonical(address) {
    if (!ADDRESS.test(address)) return undefined;
    const digits = address.slice(2);
    const checked = checksummed(digits.toLowerCase());
    const carriesNone = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return carriesNone || checked === address ? checked : undefined;
  },
  addressOf: (privateKey) => checksummed(bytesToHex(ownerBytes(privateKey))),
  hash: (digest) => `0x${bytesToHex(digest)}`,
  isSignedBy(address, digest, signature) {
    const signer = signerBytes(digest, signature);
    return signer !== undefined && checksummed(bytesToHex(signer)) === address;
  },
};

/** A letter is a capital if the hash's digit at its position is 8 or more. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const letters = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${letters.join('')}`;
}
