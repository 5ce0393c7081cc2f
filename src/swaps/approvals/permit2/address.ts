import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import type { NetworkFamily } from '../../tokens.ts';
import { FAMILIES } from '../../chains/families/families.ts';

const base58check = createBase58check(sha256);

/** Addresses of Tron are this byte and the 20 that typed data has. */
const TRON_PREFIX = 0x41;

/** The Permit2 contract of Ethereum and its like (Uniswap/permit2, libraries/Permit2Lib.sol). */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** Address of the Permit2 contract; on Tron, the address of the same 20 bytes. */
export const permit2Contract = (family: NetworkFamily): string =>
  family === 'tron'
    ? base58check.encode(Uint8Array.of(TRON_PREFIX, ...hexToBytes(PERMIT2.slice(2))))
    : PERMIT2;

/**
 * An address in the form of typed data: `0x` and 40 digits in small letters. Tron's addresses in Base58
 * lose their first byte and their checksum. `undefined` for an address of another family.
 */
export function typedAddress(family: NetworkFamily, address: string): string | undefined {
  if (/^0x[\dA-Fa-f]{40}$/.test(address)) {
    return FAMILIES.evm.canonical(address)?.toLowerCase();
  }
  if (family !== 'tron' || FAMILIES.tron.canonical(address) === undefined) return undefined;
  return `0x${bytesToHex(base58check.decode(address).subarray(1))}`;
}
