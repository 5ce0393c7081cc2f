import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { OutScript, SigHash, Transaction } from '@scure/btc-signer';
import { equalBytes, hash160 } from '@scure/btc-signer/utils.js';
import { isSchnorr } from '../../../swaps/chains/families/bitcoin.ts';
import { readTransaction } from '../../../swaps/chains/spending.ts';
import type { SignDigest } from '../node.ts';
import type { BitcoinAddress } from './addresses.ts';
import type { Coin } from './coins.ts';

/** Inputs and outputs of a transaction; the payment is output 0, and change output 1. */
export interface BitcoinPayment {
  readonly from: BitcoinAddress;
  readonly to: BitcoinAddress;
  readonly coins: readonly Coin[];
  readonly lots: bigint;
  /** 0 if there is none. */
  readonly changeLots: bigint;
}

export interface SignedPayment {
  readonly id: string;
  /** Raw hexadecimal. */
  readonly raw: string;
  readonly vsize: number;
}

/** An input of a transaction by the output that it spends. */
export interface Outpoint {
  readonly txid: string;
  readonly index: number;
}

/** It may be replaced (BIP 125), even if a node would allow it without that. */
const REPLACEABLE = 0xfffffffd;

/**
 * Signs a payment: `sign` is called for each input, whose digests differ. Returns nothing if a signature is
 * not one of the address's key.
 */
export async function signedPayment(
  payment: BitcoinPayment,
  sign: SignDigest,
): Promise<SignedPayment | undefined> {
  const { from, to, coins, lots, changeLots } = payment;
  const made = new Transaction({ version: 2 });
  for (const { txid, index, lots: amount } of coins) {
    const witnessUtxo = { script: from.script, amount };
    made.addInput({ txid, index, sequence: REPLACEABLE, witnessUtxo });
  }
  made.addOutput({ script: to.script, amount: lots });
  if (changeLots > 0n) made.addOutput({ script: from.script, amount: changeLots });
  const witnesses: Uint8Array[][] = [];
  for (const at of coins.keys()) {
    const digest = digestOf(made, payment, at);
    const witness = witnessOf(from, digest, await sign(bytesToHex(digest)));
    if (witness === undefined) return undefined;
    witnesses.push(witness);
  }
  for (const [at, finalScriptWitness] of witnesses.entries()) {
    made.updateInput(at, { finalScriptWitness }, true);
  }
  return { id: made.id, raw: made.hex, vsize: made.vsize };
}

/** The 32 bytes that are signed for an input: BIP 341, or BIP 143 for version 0. */
function digestOf(made: Transaction, { from, coins }: BitcoinPayment, at: number): Uint8Array {
  if (from.spentBy === 'tr') {
    const scripts = coins.map(() => from.script);
    return made.preimageWitnessV1(at, scripts, SigHash.DEFAULT, coins.map(({ lots }) => lots)); // prettier-ignore
  }
  const code = OutScript.encode({ type: 'pkh', hash: from.owner ?? new Uint8Array() });
  return made.preimageWitnessV0(at, code, SigHash.ALL, coins[at]?.lots ?? 0n);
}

function witnessOf(
  { spentBy, owner }: BitcoinAddress,
  digest: Uint8Array,
  signature: string,
): Uint8Array[] | undefined {
  const digits = signature.replace(/^0x/, '');
  if (owner === undefined || !/^(?:[\dA-Fa-f]{2}){64,65}$/.test(digits)) return undefined;
  const bytes = hexToBytes(digits);
  if (spentBy === 'tr') return isSchnorr(bytes, digest, owner) ? [bytes] : undefined;
  return ecdsaWitness(owner, digest, bytes);
}

/** The key recovered from r, s and v (27 or 28) must be that of the address. */
function ecdsaWitness(
  owner: Uint8Array,
  digest: Uint8Array,
  bytes: Uint8Array,
): Uint8Array[] | undefined {
  const recovery = (bytes[64] ?? 0) - 27;
  if (recovery !== 0 && recovery !== 1) return undefined;
  try {
    const recovered = Uint8Array.of(recovery, ...bytes.subarray(0, 64));
    const signature = secp256k1.Signature.fromBytes(recovered, 'recovered');
    const key = signature.recoverPublicKey(digest).toBytes(true);
    if (signature.hasHighS() || !equalBytes(hash160(key), owner)) return undefined;
    return [Uint8Array.of(...signature.toBytes('der'), SigHash.ALL), key];
  } catch {
    return undefined;
  }
}

/** Id, size and inputs of raw hexadecimal; nothing unless it is a signed transaction. */
export function readSigned(
  raw: string,
):
  | { readonly id: string; readonly vsize: number; readonly inputs: readonly Outpoint[] }
  | undefined {
  const read = readTransaction(raw);
  if (read === undefined) return undefined;
  const inputs = Array.from({ length: read.inputsLength }, (_, at) => {
    const { txid = new Uint8Array(), index = 0 } = read.getInput(at);
    return { txid: bytesToHex(txid), index };
  });
  return { id: read.id, vsize: read.vsize, inputs };
}

export const nameOf = ({ txid, index }: Outpoint): string => `${txid}:${index}`;
