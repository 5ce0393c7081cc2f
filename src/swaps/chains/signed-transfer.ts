import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { NetworkFamily } from '../tokens.ts';
import type { Transfer } from './chain-world.ts';
import { FAMILIES } from './families/families.ts';

/** A transfer requested by the owner of the money. */
export interface OwnTransfer extends Transfer {
  /** Code of the network that the token is of. */
  readonly network: string;
  /** 1 to 64 characters; an address uses each of its nonces once. */
  readonly nonce: string;
}

/** Its signature by the scheme of the family, over the digest; hexadecimal. */
export interface SignedTransfer extends OwnTransfer {
  readonly signature: string;
}

/** An owner's approval of the permit2 contract for a token, or its withdrawal. */
export interface OwnPermit {
  readonly network: string;
  readonly token: number;
  readonly owner: string;
  readonly allowed: boolean;
  /** One of the nonces of the address, as for transfers. */
  readonly nonce: string;
}

export interface SignedPermit extends OwnPermit {
  readonly signature: string;
}

/** The signed digest of a transfer: 32 bytes, hexadecimal, that cover all its members. */
export const transferDigest = (transfer: OwnTransfer): string => {
  const { network, token, from, to, lots, memo = null, nonce } = transfer;
  return digestOf(['millrace transfer', network, token, from, to, `${lots}`, memo, nonce]);
};

/** The signed digest of a permit. */
export const permitDigest = ({ network, token, owner, allowed, nonce }: OwnPermit): string =>
  digestOf(['millrace permit2', network, token, owner, allowed, nonce]);

/** The hash of a transfer on its chain, known before it is sent. */
export const transferHash = (family: NetworkFamily, transfer: OwnTransfer): string =>
  FAMILIES[family].hash(hexToBytes(transferDigest(transfer)));

/**
 * True for a signature of the digest by the owner of a canonical address: ECDSA of 65 bytes on
 * Ethereum and Tron, Schnorr by the tweaked key on Bitcoin, Ed25519 on Solana.
 */
export function isSignedByOwner(
  family: NetworkFamily,
  address: string,
  digest: string,
  signature: string,
): boolean {
  const digits = signature.replace(/^0x/, '');
  if (!/^(?:[\dA-Fa-f]{2}){64,65}$/.test(digits)) return false;
  return FAMILIES[family].isSignedBy(address, hexToBytes(digest), hexToBytes(digits));
}

const digestOf = (words: readonly (string | number | boolean | null)[]): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(words))));
