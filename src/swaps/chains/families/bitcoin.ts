import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { Address, OutScript, p2tr } from '@scure/btc-signer';
import { MillraceError } from '../../../model/errors.ts';
import type { Family } from './family.ts';

const addresses = Address();

/**
 * Bitcoin: Taproot addresses (`bc1p`), which have a key that signs for them, and those of version 0
 * (`bc1q`) to send to. Bech32 is written in small letters or in capitals; small is canonical.
 */
export const bitcoin: Family = {
  canonical(address) {
    const small = address === address.toUpperCase() ? address.toLowerCase() : address;
    const found = decoded(small);
    return found?.type === 'tr' || found?.type === 'wpkh' ? small : undefined;
  },
  addressOf(privateKey) {
    const { address } = p2tr(schnorr.getPublicKey(privateKey));
    if (address === undefined) throw new MillraceError('internal', 'A key has no address.');
    return address;
  },
  hash: bytesToHex,
  isSignedBy(address, digest, signature) {
    const key = outputKeyOf(address);
    return key !== undefined && isSchnorr(signature, digest, key);
  },
};

/** The key that spends from a Taproot address, tweaked as BIP 341 says; `undefined` for others. */
export function outputKeyOf(address: string): Uint8Array | undefined {
  const found = decoded(address);
  return found?.type === 'tr' ? found.pubkey : undefined;
}

/** True for a Schnorr signature of BIP 340, 64 bytes. */
export function isSchnorr(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return schnorr.verify(signature, message, key);
  } catch {
    // Not 64 bytes, or a key that is no point of the curve.
    return false;
  }
}

/** The script of an output that pays to a canonical address. */
export const scriptOf = (address: string): Uint8Array =>
  OutScript.encode(addresses.decode(address));

/** The address that an output pays to; `undefined` for one that pays to none that is taken here. */
export function addressOfScript(script: Uint8Array): string | undefined {
  try {
    return bitcoin.canonical(addresses.encode(OutScript.decode(script)));
  } catch {
    return undefined;
  }
}

function decoded(address: string): ReturnType<typeof addresses.decode> | undefined {
  try {
    return addresses.decode(address);
  } catch {
    return undefined;
  }
}
