import { hexToBytes } from '@noble/hashes/utils.js';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { FAMILIES } from '../../chains/families/families.ts';
import type { ApprovalOrder, Permit2Params } from '../approval.ts';
import { permitOf } from './issue.ts';
import { readSignature } from './signature.ts';
import { digestOf } from './typed-data.ts';

/** Refuses a signature that is not the owner's over exactly what was handed out. */
export function verifyPermit2(
  order: ApprovalOrder,
  params: Permit2Params,
  signature: string,
): Rejection | undefined {
  const read = readSignature(signature);
  if (read === undefined) {
    return rejected('The signature is not of 65 bytes with v 27 or 28, or of 64 bytes.');
  }
  const typed = permitOf(order, params);
  if (isRejection(typed)) return typed;
  const family = FAMILIES[order.network.family];
  const owner = family.canonical(order.from) ?? order.from;
  if (family.isSignedBy(owner, hexToBytes(digestOf(typed).slice(2)), read)) return undefined;
  return rejected(`The signature is not by ${order.from}, or is over something else.`);
}

const rejected = (message: string): Rejection => ({
  code: 'approval-invalid',
  field: 'signed_data',
  message,
});
