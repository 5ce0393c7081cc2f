import { hexToBytes } from '@noble/hashes/utils.js';
import { Transaction } from '@scure/btc-signer';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { addressOfScript, isSchnorr, outputKeyOf, scriptOf } from './families/bitcoin.ts';
import type { OwnedOutput } from './outputs.ts';

/** A valid signed Bitcoin transaction. */
export interface Spending {
  readonly txid: string;
  readonly inputs: readonly OwnedOutput[];
  readonly outputs: readonly OwnedOutput[];
  /** Miner fee: the inputs less the outputs. */
  readonly feeLots: bigint;
}

/** Finds an unspent output. */
type FindOutput = (txid: string, index: number) => OwnedOutput | undefined;

const RAW = /^(?:[\dA-Fa-f]{2}){10,200000}$/;
/** A signature that covers everything has no sighash byte. */
const COVERS_ALL = 0;
/** Sighash bytes of BIP 341. */
const COVERED = new Set([0x01, 0x02, 0x03, 0x81, 0x82, 0x83]);
const SIGNATURE_BYTES = 64;
/** First byte of an unspendable script. */
const OP_RETURN = 0x6a;

/** Reads raw hexadecimal; `undefined` unless it is a signed transaction. */
export function readTransaction(raw: string): Transaction | undefined {
  if (!RAW.test(raw)) return undefined;
  try {
    const read = Transaction.fromRaw(hexToBytes(raw), { allowUnknownOutputs: true });
    // Only a transaction with all its witnesses has an id.
    return read.id === '' ? undefined : read;
  } catch {
    return undefined;
  }
}

/**
 * Checks a transaction: its inputs are unspent and different, the key of each Taproot address has signed,
 * and the outputs pay whole amounts to addresses, no more than the inputs have; an unspendable one may have
 * content and no amount. Lock times are not checked, as these chains have no heights.
 */
export function examine(transaction: Transaction, find: FindOutput): Spending | Rejection {
  const inputs = inputsOf(transaction, find);
  if (isRejection(inputs)) return inputs;
  const outputs = outputsOf(transaction);
  if (isRejection(outputs)) return outputs;
  const feeLots = sum(inputs) - sum(outputs);
  if (feeLots < 0n) {
    const message = `The outputs pay ${sum(outputs)}, and the inputs have ${sum(inputs)}.`;
    return { code: 'funds-insufficient', field: 'transaction', message };
  }
  const unsigned = inputs.findIndex((_, at) => !isSigned(transaction, inputs, at));
  if (unsigned >= 0) return invalid(`Input ${unsigned} is not signed by the key of its address.`);
  return { txid: transaction.id, inputs, outputs, feeLots };
}

function inputsOf(transaction: Transaction, find: FindOutput): OwnedOutput[] | Rejection {
  const found = new Set<OwnedOutput>();
  for (let at = 0; at < transaction.inputsLength; at += 1) {
    const { txid, index } = transaction.getInput(at);
    const output = txid === undefined || index === undefined ? undefined : find(hexOf(txid), index);
    if (output === undefined) return invalid(`Input ${at} is unknown, or spent already.`);
    if (found.has(output)) return invalid(`Input ${at} is there twice.`);
    found.add(output);
  }
  return found.size === 0 ? invalid('It has no inputs.') : [...found];
}

function outputsOf(transaction: Transaction): OwnedOutput[] | Rejection {
  const outputs: OwnedOutput[] = [];
  for (let index = 0; index < transaction.outputsLength; index += 1) {
    const { script, amount = 0n } = transaction.getOutput(index);
    if (script?.[0] === OP_RETURN && amount === 0n) continue;
    const address = script === undefined ? undefined : addressOfScript(script);
    if (address === undefined) {
      const message = `Output ${index} pays to no address that is taken here.`;
      return { code: 'address-invalid', field: 'transaction', message };
    }
    if (amount <= 0n) {
      const message = `Output ${index} pays nothing.`;
      return { code: 'amount-invalid', field: 'transaction', message };
    }
    outputs.push({ txid: transaction.id, index, address, lots: amount });
  }
  return outputs.length === 0 ? invalid('It has no outputs.') : outputs;
}

function isSigned(transaction: Transaction, inputs: readonly OwnedOutput[], at: number): boolean {
  const { finalScriptWitness = [], finalScriptSig } = transaction.getInput(at);
  const [signature, ...more] = finalScriptWitness;
  const key = outputKeyOf(inputs[at]?.address ?? '');
  // Anything besides a signature is a script or an annex, which are unsupported here.
  if (key === undefined || signature === undefined || more.length > 0) return false;
  if (finalScriptSig !== undefined && finalScriptSig.length > 0) return false;
  const covers = signature[SIGNATURE_BYTES] ?? COVERS_ALL;
  const isLong = signature.length === SIGNATURE_BYTES + 1;
  if (isLong ? !COVERED.has(covers) : signature.length !== SIGNATURE_BYTES) return false;
  try {
    const message = transaction.preimageWitnessV1(
      at,
      inputs.map(({ address }) => scriptOf(address)),
      covers,
      inputs.map(({ lots }) => lots),
    );
    return isSchnorr(signature.subarray(0, SIGNATURE_BYTES), message, key);
  } catch {
    // SIGHASH_SINGLE without an output of that index.
    return false;
  }
}

const sum = (outputs: readonly OwnedOutput[]): bigint =>
  outputs.reduce((total, { lots }) => total + lots, 0n);

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const invalid = (message: string): Rejection => ({
  code: 'transfer-invalid',
  field: 'transaction',
  message,
});
