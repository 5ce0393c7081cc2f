import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import type { HtlcParams } from '../approval.ts';
import { readPsbt, withWitnesses, type Psbt, type PsbtMap } from './psbt.ts';
import { xOnlyKey } from './public-key.ts';
import { isSignature, isSignatureField, signingPaths, witnessBehind } from './taproot.ts';

/**
 * Rejects a PSBT that differs from the issued one by more than one valid signature of the user for each
 * listed input. Returns the final transaction, raw hexadecimal; none if others have to sign before it can
 * be sent.
 */
export function verifyHtlc(
  publicKey: string | undefined,
  params: HtlcParams,
  signed: string,
): Rejection | { readonly transaction?: string } {
  const issued = readPsbt(params.psbt);
  const given = readPsbt(signed);
  const key = xOnlyKey(publicKey);
  if (given === undefined) return rejected('It is no partially signed transaction in Base64.');
  if (issued === undefined || key === undefined) return rejected('Nothing was handed out to sign.');
  if (!isSameElsewhere(issued, given)) {
    return rejected('Something else than signatures differs from what was handed out.');
  }
  const stacks: (Uint8Array[] | undefined)[] = [];
  for (const [at, map] of given.inputs.entries()) {
    const added = addedTo(issued.inputs[at] ?? new Map(), map);
    if (added === undefined) return rejected(`Input ${at} differs from what was handed out.`);
    const stack = params.inputs.includes(at)
      ? signedStack(given, at, added, key)
      : unlisted(at, added);
    if (isRejection(stack)) return stack;
    stacks.push(stack);
  }
  const complete = stacks.filter((stack) => stack !== undefined);
  if (complete.length < stacks.length) return {};
  return { transaction: bytesToHex(withWitnesses(given.unsigned, complete)) };
}

/** The same unsigned transaction, the same global fields and the same outputs, whatever their order. */
function isSameElsewhere(issued: Psbt, given: Psbt): boolean {
  return (
    isSame(issued.global, given.global) &&
    issued.inputs.length === given.inputs.length &&
    issued.outputs.length === given.outputs.length &&
    issued.outputs.every((map, at) => isSame(map, given.outputs[at] ?? new Map()))
  );
}

const isSame = (one: PsbtMap, other: PsbtMap): boolean =>
  one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);

/** The added fields; `undefined` if an old one is missing or changed. */
function addedTo(issued: PsbtMap, given: PsbtMap): [string, string][] | undefined {
  const isKept = [...issued].every(([key, value]) => given.get(key) === value);
  return isKept ? [...given].filter(([key]) => !issued.has(key)) : undefined;
}

/** The witness of a listed input: it has one new field, a signature on a path of the PSBT. */
function signedStack(
  given: Psbt,
  at: number,
  added: readonly [string, string][],
  key: Uint8Array,
): Uint8Array[] | undefined | Rejection {
  const [first, ...more] = added;
  if (first === undefined) return rejected(`Input ${at} is not signed.`);
  const [field, signature] = first;
  if (more.length > 0) return rejected(`Input ${at} has more than one signature of the user.`);
  if (!isSignatureField(field)) return rejected(`Input ${at} has a field that is no signature.`);
  const path = signingPaths(given.inputs[at] ?? new Map(), key).find((one) => one.field === field);
  if (path === undefined)
    return rejected(`Input ${at} is signed in a way that it does not ask for.`);
  if (!isSignature(given, at, path, signature)) {
    return rejected(`The signature of input ${at} is wrong.`);
  }
  const behind = witnessBehind(path);
  return behind === undefined ? undefined : [hexToBytes(signature), ...behind];
}

/** An input that the user does not sign is unchanged, and waits for its signer. */
const unlisted = (at: number, added: readonly unknown[]): Rejection | undefined =>
  added.length === 0 ? undefined : rejected(`Input ${at} is none that the user signs.`);

const rejected = (message: string): Rejection => ({
  code: 'approval-invalid',
  field: 'signed_data',
  message,
});
