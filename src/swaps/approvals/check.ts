import { FAMILIES } from '../chains/families/families.ts';
import type { AgreedTerms, ApprovalSigner, SignedApproval } from './approval.ts';
import { signCosign } from './cosign/check.ts';
import { ApprovalRejected } from './disagreement.ts';
import { signHtlc } from './htlc/check.ts';
import { signPermit2 } from './permit2/check.ts';
import type { Signing } from './policy/signing.ts';

/**
 * Signs a service's data if they match the agreement; `form` is the service's name of their form, `params`
 * the data as read from the wire; `signing` the policy of the service, the strict one if absent. Throws
 * `approval-refused`, with the differing member as its field; then nothing was signed.
 */
export async function signApproval(
  params: unknown,
  form: string,
  agreed: AgreedTerms,
  signer: ApprovalSigner,
  signing?: Signing,
): Promise<SignedApproval> {
  const { family } = agreed.network;
  const terms = { ...agreed, from: FAMILIES[family].canonical(agreed.from) ?? agreed.from };
  switch (form) {
    case 'permit2':
      return signPermit2(params, terms, signer, signing);
    case 'htlc':
    case 'psbt':
      return signHtlc(params, terms, signer, signing);
    case 'cosign':
      return signCosign(params, terms, signer, signing);
    default:
      throw new ApprovalRejected('approval_type', 'There is no approval of that form.', {
        value: form,
        bound: 'one of permit2, htlc, psbt, cosign',
      });
  }
}
