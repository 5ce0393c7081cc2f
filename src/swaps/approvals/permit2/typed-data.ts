import { bytesToHex } from '@noble/hashes/utils.js';
import type { TypedData } from '../approval.ts';
import { structHash, structsOf, structType, typedDataDigest, type StructTypes } from './eip712.ts';

/** Types fixed by Permit2 (Uniswap/permit2, libraries/PermitHash.sol). */
export const PRIMARY_TYPE = 'PermitWitnessTransferFrom';
export const DOMAIN_NAME = 'Permit2';

export const TOKEN_PERMISSIONS = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const;

/** The members of the primary type before the witness. */
export const PERMIT_MEMBERS = [
  { name: 'permitted', type: 'TokenPermissions' },
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const;

/** The witness of this service: who swaps, and what he receives. */
export const WITNESS = 'SwapIntent';
export const WITNESS_MEMBERS = [
  { name: 'intent', type: 'string' },
  { name: 'user', type: 'address' },
  { name: 'resolver', type: 'address' },
  { name: 'secretHash', type: 'bytes32' },
  { name: 'destinationNetwork', type: 'uint256' },
  { name: 'destinationToken', type: 'string' },
  { name: 'destinationAddress', type: 'string' },
  { name: 'leastAmount', type: 'uint256' },
] as const;

/** Signed members of a permit besides its witness. */
export interface Permit {
  readonly domain: TypedData['domain'];
  readonly types: StructTypes;
  readonly token: string;
  readonly lots: bigint;
  readonly spender: string;
  readonly nonce: bigint;
  readonly deadlineSeconds: bigint;
  readonly witness: Readonly<Record<string, unknown>>;
}

/** The typed data that is signed. */
export const typedDataOf = (permit: Permit): TypedData => ({
  domain: permit.domain,
  types: permit.types,
  primaryType: PRIMARY_TYPE,
  message: {
    permitted: { token: permit.token, amount: permit.lots },
    spender: permit.spender,
    nonce: permit.nonce,
    deadline: permit.deadlineSeconds,
    witness: permit.witness,
  },
});

/** The signed digest, 32 bytes with `0x`. Throws if a value does not fit its type. */
export const digestOf = (typed: TypedData): `0x${string}` =>
  `0x${bytesToHex(typedDataDigest(typed))}`;

/** The hash of a witness in Permit2's form. Throws if a value does not fit its type. */
export const witnessHash = (
  witness: Readonly<Record<string, unknown>>,
  primaryType: string,
  types: StructTypes,
): `0x${string}` => `0x${bytesToHex(structHash(primaryType, witness, types))}`;

/**
 * The type string that Permit2 appends to its own: the witness as a member, then the structs in
 * alphabetical order, TokenPermissions among them.
 */
export function witnessTypeString(witness: string, types: StructTypes): string {
  const structs = structsOf(witness, types).add('TokenPermissions');
  const written = [...structs].sort().map((name) => structType(name, types));
  return `${witness} witness)${written.join('')}`;
}
