import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { AgreedTerms, ApprovalSigner } from './approval.ts';

/** Most characters shown of a value; a service's values may be long. */
const SHOWN = 120;

/** A difference between the data to sign and the agreement. */
export interface Disagreement {
  /** Value of the member. */
  readonly value: unknown;
  /** Its required value, or the exceeded bound, as text. */
  readonly bound: string;
}

/**
 * The error of a user who does not sign (`approval-refused`): `field` is the differing member, `value` its
 * value, and `bound` the required one. Nothing was signed.
 */
export class ApprovalRejected extends MillraceError {
  readonly value: string;
  readonly bound: string;

  constructor(field: string, sentence: string, { value, bound }: Disagreement, cause?: unknown) {
    const [shown, allowed] = [shownValue(value), sanitize(bound)];
    const words = `${sentence} Nothing was signed: ${field} is ${shown}, and must be ${allowed}.`;
    super('approval-refused', words, { field, cause });
    this.value = shown;
    this.bound = allowed;
  }
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'string') return sanitize(value, SHOWN);
  if (typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined;
  return sanitize(text ?? typeof value, SHOWN);
}

/** Throws `ApprovalRejected` if a member is not what it has to be. */
export function agree(
  matches: boolean,
  field: string,
  sentence: string,
  finding: Disagreement,
): asserts matches {
  if (!matches) throw new ApprovalRejected(field, sentence, finding);
}

/** Throws if a signer cannot sign for the owner of the money. */
export function checkSigner({ network, from }: AgreedTerms, signer: ApprovalSigner): void {
  const sentence = `The key of ${signer.address} does not sign for ${from} on ${network.name}.`;
  const isOwner = signer.family === network.family && signer.address === from;
  agree(isOwner, 'from', sentence, { value: signer.address, bound: from });
}

/** Several allowed values, as the bound of an error. */
export const oneOf = (allowed: Iterable<string>): string => {
  const names = [...allowed];
  return names.length === 0 ? 'one of none' : `one of ${names.join(', ')}`;
};
