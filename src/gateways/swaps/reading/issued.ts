import type { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import type { IssuedApproval } from '../../../swaps/approvals/approval.ts';
import { ApprovalRejected } from '../../../swaps/approvals/disagreement.ts';
import { cosignParams, htlcParams, permit2Params } from '../../../wire/swaps/approvals.ts';
import { membersOf } from './read.ts';

/** A service's request for a signature, unchanged. */
export interface RequestedApproval {
  /** `permit2`, `htlc` or `psbt`, `cosign`. */
  readonly form: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Reads the content to sign by its form. Throws `approval-refused` for a form that this client does not
 * know, and `answer-invalid` if the parameters are not those of the form; nothing is signed.
 */
export function issuedApproval({ form, params }: RequestedApproval): IssuedApproval {
  switch (form) {
    case 'permit2': {
      const { additional_data: data, ...rest } = fitting(permit2Params, form, params);
      const { secretHash, ...signed } = data;
      const secret = secretHash ?? undefined;
      const additional = { ...signed, ...(secret === undefined ? {} : { secretHash: secret }) };
      return { form, params: { ...rest, additional_data: additional } };
    }
    case 'htlc':
    case 'psbt':
      return { form: 'htlc', params: fitting(htlcParams, form, params) };
    case 'cosign':
      return { form, params: fitting(cosignParams, form, params) };
    default:
      throw new ApprovalRejected(
        'approval_type',
        'The service asks for an approval of a form that this client does not know.',
        { value: form, bound: 'one of permit2, htlc, psbt, cosign' },
      );
  }
}

function fitting<S extends z.ZodType>(
  schema: S,
  form: string,
  params: Readonly<Record<string, unknown>>,
): z.output<S> {
  const read = schema.safeParse(membersOf(params));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = ['params_to_sign', ...(issue?.path ?? [])].join('.');
  throw new MillraceError(
    'answer-invalid',
    fullStop(
      `Nothing was signed: what the service asks to sign by ${form} cannot be read: ${field} ${issue?.message ?? 'does not fit'}`,
    ),
    { field },
  );
}
