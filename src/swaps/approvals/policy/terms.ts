import { micros, type Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../approval.ts';
import { agree, ApprovalRejected, oneOf } from '../disagreement.ts';
import { permit2Contract, typedAddress } from '../permit2/address.ts';
import { isForeign, type ResolvedPolicy } from './resolve.ts';

/**
 * The agreement within the policy's bounds: of escrows and contracts the common ones, and the earlier end.
 * Throws `approval-refused` if the agreement itself is beyond a bound.
 */
export function boundedTerms(
  agreed: AgreedTerms,
  form: ApprovalForm,
  policy: ResolvedPolicy,
  now: Micros,
): AgreedTerms {
  const { network, token, lots } = agreed;
  const { family } = network;
  const id = String(network.id);
  const bounds = policy.networks.get(id) ?? {};
  const { tokens } = bounds;
  const isSame = sameOn(agreed);
  if (tokens !== undefined) {
    const most = [...tokens].find(([one]) => isSame(one, token))?.[1];
    const sentence = `The signing policy allows no such token on ${network.name}.`;
    const bound = oneOf(tokens.keys());
    agree(most !== undefined, 'token', sentence, { value: token, bound });
    const tooMuch = 'It is more than the signing policy allows in one approval.';
    agree(lots <= most, 'lots', tooMuch, { value: lots, bound: `at most ${most}` });
  }
  if (isForeign(policy, form) && bounds.escrows === undefined) {
    throw new ApprovalRejected(
      'escrow',
      `The service of a foreign shape has no escrow that is trusted on ${network.name}.`,
      { value: 'not named', bound: `named as networks.${id}.escrows of the signing policy` },
    );
  }
  const escrows = bounds.escrows === 'checked' ? undefined : bounds.escrows;
  const isPermit = family === 'evm' || family === 'tron';
  const defaults = isPermit ? [permit2Contract(family)] : undefined;
  const contracts = both(agreed.permit2Contracts, bounds.permit2Contracts, isSame) ?? defaults;
  const trusted = both(agreed.escrows, escrows, isSame);
  const latest = micros(Math.min(agreed.latest ?? Infinity, now + policy.maxLifetimeUs));
  return {
    ...agreed,
    latest,
    ...(trusted === undefined ? {} : { escrows: trusted }),
    ...(contracts === undefined ? {} : { permit2Contracts: contracts }),
  };
}

type IsSame = (one: string, other: string) => boolean;

/** Compares addresses of the source network. */
export function sameOn({ network: { family } }: AgreedTerms): IsSame {
  if (family !== 'evm' && family !== 'tron') return (one, other) => one === other;
  return (one, other) => {
    const typed = typedAddress(family, one);
    return typed !== undefined && typed === typedAddress(family, other);
  };
}

/** The common members of both lists; the existing list if the other is absent. */
function both(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
  isSame: IsSame,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((each) => other.some((each2) => isSame(each, each2)));
}
