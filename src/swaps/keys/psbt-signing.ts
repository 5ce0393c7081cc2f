import { schnorr } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { taprootTweakPrivKey } from '@scure/btc-signer/utils.js';
import { MillraceError } from '../../model/errors.ts';
import { readPsbt, writePsbt, type Psbt } from '../approvals/htlc/psbt.ts';
import {
  askedSighash,
  signedMessage,
  signingPaths,
  type SigningPath,
} from '../approvals/htlc/taproot.ts';

/** Deterministic signatures; BIP 340's auxiliary randomness is zero. */
const AUXILIARY = new Uint8Array(32);

/** A Schnorr signature by the key of a Taproot address, tweaked with the scripts that it has. */
export const signTweaked = (
  message: Uint8Array,
  privateKey: Uint8Array,
  merkleRoot: Uint8Array = new Uint8Array(),
): Uint8Array => schnorr.sign(message, taprootTweakPrivKey(privateKey, merkleRoot), AUXILIARY);

/**
 * Adds a signature to each of the listed inputs and changes nothing else. Throws `key-invalid` for
 * an input that the key cannot sign.
 */
export function signPsbt(text: string, inputs: readonly number[], privateKey: Uint8Array): string {
  const psbt = readPsbt(text);
  if (psbt === undefined) throw unsignable('It is no sound partially signed transaction.');
  const key = schnorr.getPublicKey(privateKey);
  const signed = psbt.inputs.map((map, at) => {
    if (!inputs.includes(at)) return map;
    const [path] = signingPaths(map, key);
    if (path === undefined) throw unsignable(`Input ${at} is not one that the key can sign.`);
    return new Map([...map, [path.field, signature(psbt, at, path, privateKey)] as const]);
  });
  if (!inputs.every((at) => at in signed)) throw unsignable('A listed input is not there.');
  return writePsbt({ ...psbt, inputs: signed });
}

function signature(psbt: Psbt, at: number, path: SigningPath, privateKey: Uint8Array): string {
  const sighash = askedSighash(psbt.inputs[at] ?? new Map()) ?? 0;
  const message = signedMessage(psbt, at, path, sighash);
  if (message === undefined) throw unsignable(`What input ${at} signs cannot be read.`);
  const bytes =
    path.merkleRoot === undefined
      ? schnorr.sign(message, privateKey, AUXILIARY)
      : signTweaked(message, privateKey, path.merkleRoot);
  return bytesToHex(sighash === 0 ? bytes : Uint8Array.of(...bytes, sighash));
}

const unsignable = (sentence: string): MillraceError => new MillraceError('key-invalid', sentence);
