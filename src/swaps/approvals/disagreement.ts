import { MillraceError } from '../../model/errors.ts';
import type { AgreedTerms, ApprovalSigner } from './approval.ts';

/** The error of a user who does not sign: `field` is the member that is not what was agreed. */
export const disagreement = (field: string, sentence: string): MillraceError =>
  new MillraceError('approval-refused', sentence, { field });

/** Throws `approval-refused` where a member is not what it has to be. */
export function agree(matches: boolean, field: string, sentence: string): asserts matches {
  if (!matches) throw disagreement(field, sentence);
}

/** Throws where a signer cannot sign for the owner of the money. */
export function checkSigner({ network, from }: AgreedTerms, signer: ApprovalSigner): void {
  const sentence = `The key of ${signer.address} does not sign for ${from} on ${network.name}.`;
  agree(signer.family === network.family && signer.address === from, 'from', sentence);
}
