import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { createBase58check } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { Wallet } from 'ethers';
import type { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import type { NetworkFamily } from '../../../src/swaps/tokens.ts';

/** Somebody with money on a network, who signs with libraries and not with the code under test. */
export interface User {
  readonly network: string;
  readonly family: NetworkFamily;
  readonly address: string;
  readonly privateKey: Uint8Array;
  /** Hexadecimal; of Bitcoin (x-only) and Solana. */
  readonly publicKey?: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The user of that name on a network of simulated chains. */
export function userOf(chains: SimulatedChains, network: string, name: string): User {
  const family = chains.networks.find(({ code }) => code === network)?.family ?? 'evm';
  const privateKey = chains.keyOf(network, name);
  const user = { network, family, address: chains.addressOf(network, name), privateKey };
  if (family === 'bitcoin') return { ...user, publicKey: hex(schnorr.getPublicKey(privateKey)) };
  if (family === 'solana') return { ...user, publicKey: hex(ed25519.getPublicKey(privateKey)) };
  return user;
}

/** What is swapped: what the user knows from the quote. */
export interface Given {
  /** Contract address. */
  readonly token: string;
  readonly lots: bigint;
}

type Members = Readonly<Record<string, unknown>>;

/** What a permit2 signature covers. */
export interface Permit {
  readonly domain: object;
  readonly types: object;
  readonly message: Readonly<Record<string, unknown>>;
}

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest(),
);

/** An address of Tron as typed data has it; others as they are. */
export const typedForm = (address: string): string =>
  address.startsWith('T') ? `0x${hex(base58check.decode(address).subarray(1))}` : address;

/** Puts together what is signed, from what an intent answers. */
export function permitOf(created: Members, { token, lots }: Given): Permit {
  const params = created['params_to_sign'] as Members;
  const { domain, types, witness } = params['additional_data'] as Record<string, Members>;
  return {
    domain: domain ?? {},
    types: types ?? {},
    message: {
      permitted: { token: typedForm(token), amount: lots },
      spender: typedForm(String(params['escrow_contract_address'])),
      nonce: BigInt(String(params['nonce'])),
      deadline: BigInt(String(created['deadline_at'])),
      witness,
    },
  };
}

/** Signs typed data as a wallet does; 65 bytes, hexadecimal. */
export const signPermit = ({ privateKey }: User, { domain, types, message }: Permit) =>
  new Wallet(`0x${hex(privateKey)}`).signTypedData(
    domain,
    types as Record<string, { name: string; type: string }[]>,
    message,
  );

/** What POST approvals takes, signed as the answer to an intent asks. */
export async function signedBody(
  user: User,
  created: Members,
  given: Given,
): Promise<Readonly<Record<string, unknown>>> {
  const params = created['params_to_sign'] as Members;
  switch (created['approval_type']) {
    case 'permit2':
      return {
        approval_type: 'permit2',
        signed_data: await signPermit(user, permitOf(created, given)),
      };
    case 'htlc':
      return {
        approval_type: 'psbt',
        signed_data: signPsbt(user, String(params['psbt']), params['inputs'] as number[]),
      };
    default:
      return {
        approval_type: 'cosign',
        signed_data: {
          transaction: signCosign(user, String(params['transaction'])),
          user_address: user.address,
        },
      };
  }
}

/** Signs the listed inputs of a PSBT by their Taproot keys. */
export function signPsbt({ privateKey }: User, psbt: string, inputs: readonly number[]): string {
  const transaction = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), {
    allowUnknownOutputs: true,
  });
  for (const index of inputs) transaction.signIdx(privateKey, index);
  return Buffer.from(transaction.toPSBT()).toString('base64');
}

const SIGNATURE_BYTES = 64;

/** Puts the user's signature into a slot of a Solana transaction; that of the user is 1. */
export function signCosign({ privateKey }: User, transaction: string, slot = 1): string {
  const bytes = Buffer.from(transaction, 'hex');
  const slots = bytes[0] ?? 0;
  const message = bytes.subarray(1 + slots * SIGNATURE_BYTES);
  bytes.set(ed25519.sign(message, privateKey), 1 + slot * SIGNATURE_BYTES);
  return bytes.toString('hex');
}
