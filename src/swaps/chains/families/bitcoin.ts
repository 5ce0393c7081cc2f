import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { Address, NETWORK, OutScript, p2tr, TEST_NETWORK } from '@scure/btc-signer';
import { MillraceError } from '../../../model/errors.ts';
import type { Family } from './family.ts';

export const BITCOIN_CHAINS = ['mainnet', 'testnet', 'signet', 'regtest'] as const;

export type BitcoinChain = (typeof BITCOIN_CHAINS)[number];

/** Address prefixes of each chain: those of testnet and signet are the same. */
export const ADDRESS_FORMS: Readonly<Record<BitcoinChain, typeof NETWORK>> = {
  mainnet: NETWORK,
  testnet: TEST_NETWORK,
  signet: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
};

const addresses = Address();

/**
 * Bitcoin's mainnet, which the simulated chains have: Taproot addresses (`bc1p`), which have a key that signs for them, and those of version 0
 * (`bc1q`) to send to. Bech32 is written in small letters or in capitals; small is canonical.
 */
export const bitcoin: Family = {
  canonical: (address) => canonicalOn('mainnet', address),
  addressOf: (privateKey) =>
    taprootAddress('mainnet', bytesToHex(schnorr.getPublicKey(privateKey))),
  hash: bytesToHex,
  isSignedBy(address, digest, signature) {
    const key = outputKeyOf(address);
    return key !== undefined && isSchnorr(signature, digest, key);
  },
};

/** The canonical form of an address of a chain; `undefined` for any other text. */
export function canonicalOn(chain: BitcoinChain, address: string): string | undefined {
  const small = address === address.toUpperCase() ? address.toLowerCase() : address;
  const found = decoded(small, chain);
  return found?.type === 'tr' || found?.type === 'wpkh' ? small : undefined;
}

/** The Taproot address of an x-only key, hexadecimal, on a chain. */
export function taprootAddress(chain: BitcoinChain, publicKey: string): string {
  const { address } = p2tr(hexToBytes(publicKey), undefined, ADDRESS_FORMS[chain]);
  if (address === undefined) throw new MillraceError('internal', 'A key has no address.');
  return address;
}

/** The key that spends from a Taproot address of any chain, tweaked as BIP 341 says. */
export function outputKeyOf(address: string): Uint8Array | undefined {
  const found = BITCOIN_CHAINS.map((chain) => decoded(address, chain)).find(
    (one) => one !== undefined,
  );
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

/** The address of an output; `undefined` for an unsupported script. */
export function addressOfScript(script: Uint8Array): string | undefined {
  try {
    return bitcoin.canonical(addresses.encode(OutScript.decode(script)));
  } catch {
    return undefined;
  }
}

function decoded(
  address: string,
  chain: BitcoinChain,
): ReturnType<typeof addresses.decode> | undefined {
  try {
    return Address(ADDRESS_FORMS[chain]).decode(address);
  } catch {
    return undefined;
  }
}
