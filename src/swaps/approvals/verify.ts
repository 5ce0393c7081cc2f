import { isRejection, type Rejection } from '../../model/rejections.ts';
import type {
  ApprovalOrder,
  IssuedApproval,
  SignedApproval,
  VerifiedApproval,
} from './approval.ts';
import { verifyCosign } from './cosign/verify.ts';
import { verifyHtlc } from './htlc/verify.ts';
import { verifyPermit2 } from './permit2/verify.ts';

/** Checks signed data against the issued data; rejects any difference. */
export function verifyApproval(
  order: ApprovalOrder,
  issued: IssuedApproval,
  signed: SignedApproval,
): Rejection | VerifiedApproval {
  if (issued.form === 'permit2' && signed.form === 'permit2') {
    return verifyPermit2(order, issued.params, signed.signature) ?? { form: 'permit2' };
  }
  if (issued.form === 'htlc' && signed.form === 'htlc') {
    const verified = verifyHtlc(order.publicKey, issued.params, signed.psbt);
    return isRejection(verified) ? verified : { form: 'htlc', ...verified };
  }
  if (issued.form === 'cosign' && signed.form === 'cosign') {
    return verifyCosign(order.from, issued.params, signed) ?? { form: 'cosign' };
  }
  return mismatch(issued, signed);
}

const mismatch = (issued: IssuedApproval, signed: SignedApproval): Rejection => ({
  code: 'approval-form-invalid',
  field: 'approval_type',
  message: `The intent asks for ${issued.form}, and ${signed.form} was sent.`,
});
