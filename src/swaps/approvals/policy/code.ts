import { errorText, MillraceError } from '../../../model/errors.ts';
import { sanitize } from '../../../model/plain-words.ts';
import type { Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../approval.ts';
import { agree, ApprovalRejected, oneOf } from '../disagreement.ts';
import type { SigningCheck, SigningStatement } from './policy.ts';
import { sameOn } from './terms.ts';

/** Inputs of a code check. */
export interface CodeQuestion {
  readonly check: SigningCheck | undefined;
  readonly form: ApprovalForm;
  readonly params: Readonly<Record<string, unknown>>;
  readonly agreed: AgreedTerms;
  readonly now: Micros;
  /** Who can take the money by the same data; nothing if the code decides. */
  readonly takers: readonly string[] | undefined;
}

const CODE = 'The check as code';

/**
 * Calls the code check, and compares its statement with the agreement. Throws `approval-refused` if it
 * rejects, fails, returns nothing, or differs.
 */
export async function checkByCode(question: CodeQuestion): Promise<void> {
  const { check, form, params, agreed, now, takers } = question;
  if (check === undefined) return;
  let reported: unknown;
  try {
    reported = await check({ form, params: structuredClone(params), agreed: structuredClone(agreed), now }); // prettier-ignore
  } catch (error) {
    if (error instanceof ApprovalRejected) throw error;
    const field = (error instanceof MillraceError ? error.field : undefined) ?? 'params_to_sign';
    const why = sanitize(errorText(error));
    const finding = { value: 'refused', bound: 'accepted by the check' };
    throw new ApprovalRejected(field, `${CODE} refuses it: ${why}`, finding, error);
  }
  const { token, lots, escrow, deadline } = statementOf(reported);
  const isSame = sameOn(agreed);
  agree(isSame(token, agreed.token), 'token', `${CODE} read another token.`, {
    value: token,
    bound: agreed.token,
  });
  const isWithin = lots > 0n && lots <= agreed.lots;
  agree(isWithin, 'lots', `${CODE} read another amount.`, {
    value: lots,
    bound: `above 0 and at most ${agreed.lots}`,
  });
  const { escrows, from, latest } = agreed;
  const isTrusted = escrows?.some((one) => isSame(one, escrow)) ?? true;
  const trusted = { value: escrow, bound: oneOf(escrows ?? []) };
  agree(isTrusted, 'escrow', `${CODE} read an escrow that is not trusted.`, trusted);
  const isOther = !isSame(escrow, from);
  const other = { value: escrow, bound: `another one than ${from}` };
  agree(isOther, 'escrow', 'Escrow is the owner of the money.', other);
  const isTaker = takers?.some((one) => isSame(one, escrow)) ?? true;
  const taken = { value: escrow, bound: oneOf(takers ?? []) };
  agree(isTaker, 'escrow', `${CODE} read an escrow that the data does not pay.`, taken);
  const isEarly = deadline === undefined || latest === undefined || deadline <= latest;
  const late = { value: deadline, bound: `no later than ${latest ?? ''}` };
  agree(isEarly, 'deadline', `${CODE} read a later end than is agreed to.`, late);
}

/** The code's answer, if it is a statement. */
function statementOf(reported: unknown): SigningStatement {
  const { token, lots, escrow, deadline } = (reported ?? {}) as Partial<SigningStatement>;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const isTime = deadline === undefined || Number.isSafeInteger(deadline);
  if (isText(token) && typeof lots === 'bigint' && isText(escrow) && isTime) {
    return { token, lots, escrow, deadline };
  }
  throw new ApprovalRejected('params_to_sign', `${CODE} does not say what would leave.`, {
    value: reported,
    bound:
      'a statement of token (text), lots (bigint), escrow (text), maybe deadline (microseconds)',
  });
}
