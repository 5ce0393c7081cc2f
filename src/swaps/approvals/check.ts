import { MillraceError } from '../../model/errors.ts';
import { FAMILIES } from '../chains/families/families.ts';
import type { AgreedTerms, ApprovalSigner, SignedApproval } from './approval.ts';
import { signCosign } from './cosign/check.ts';
import { signHtlc } from './htlc/check.ts';
import { signPermit2 } from './permit2/check.ts';

/**
 * Signs what a service asks for, where it is what was agreed; `form` is what the service calls it,
 * `params` what it wants signed, as read from the wire. Throws `approval-refused`, with the member
 * that does not match as its field, and then nothing was signed.
 */
export async function signApproval(
  params: unknown,
  form: string,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
): Promise<SignedApproval> {
  const { family } = agreed.network;
  const terms = { ...agreed, from: FAMILIES[family].canonical(agreed.from) ?? agreed.from };
  switch (form) {
    case 'permit2':
      return signPermit2(params, terms, signer);
    case 'htlc':
    case 'psbt':
      return signHtlc(params, terms, signer);
    case 'cosign':
      return signCosign(params, terms, signer);
    default:
      throw new MillraceError('approval-refused', `There is no approval of the form "${form}".`, {
        field: 'approval_type',
      });
  }
}
