import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { equalBytes } from '@scure/btc-signer/utils.js';
import type { Rejection } from '../../../model/rejections.ts';
import type { CosignParams } from '../approval.ts';
import { readMessage, readTransaction } from './layout.ts';

/** The signature of the user follows that of the resolver. */
export const USER_SLOT = 1;

/** Refuses a transaction that differs from what was handed out by more than the user's signature. */
export function verifyCosign(
  from: string,
  params: CosignParams,
  signed: { readonly transaction: string; readonly userAddress: string },
): Rejection | undefined {
  if (signed.userAddress !== from) {
    return rejected(`The user address is not ${from}, whose money it is.`, 'user_address');
  }
  const issued = readTransaction(params.transaction);
  const given = readTransaction(signed.transaction);
  if (given === undefined || readMessage(given.message) === undefined) {
    return rejected('It is no transaction of version 0 in hexadecimal.');
  }
  if (issued === undefined || !equalBytes(issued.message, given.message)) {
    return rejected('The message is not the one that was handed out.');
  }
  const isSameElsewhere =
    issued.signatures.length === given.signatures.length &&
    issued.signatures.every(
      (one, slot) => slot === USER_SLOT || equalBytes(one, given.signatures[slot] ?? one.slice(1)),
    );
  if (!isSameElsewhere) return rejected('Another signature than that of the user was changed.');
  return isSignedBy(from, given.message, given.signatures[USER_SLOT])
    ? undefined
    : rejected('The signature of the user is missing or wrong.');
}

/** True for a signature of a message by the owner of an address. */
export function isSignedBy(
  address: string,
  message: Uint8Array,
  signature: Uint8Array | undefined,
): boolean {
  if (signature === undefined) return false;
  try {
    // The strict rules, so that one message has one signature.
    return ed25519.verify(signature, message, base58.decode(address), { zip215: false });
  } catch {
    return false;
  }
}

const rejected = (message: string, field = 'signed_data'): Rejection => ({
  code: 'approval-invalid',
  field,
  message,
});
