import type {
  AgreedTerms,
  ApprovalSigner,
  SignedApproval,
} from '../../swaps/approvals/approval.ts';
import { signApproval } from '../../swaps/approvals/check.ts';
import { membersOf } from '../../model/members.ts';
import {
  refuseNoObject,
  refuseUnknownOption,
  refuseWrongOption,
  type OptionTable,
} from '../http/unknown-members.ts';
import { ServiceError } from '../http/service-error.ts';
import { issuedApproval, type RequestedApproval } from './reading/issued.ts';
import type { SigningRules } from './signing.ts';

/** The contract that a token's owner must approve, on its chain, before a permit2 approval counts. */
export interface TokenToAllow {
  /** Contract address of the token. */
  readonly token: string;
  readonly owner: string;
  /** Address of the permit2 contract. */
  readonly spender: string;
}

/** How an approval is handed over. */
export interface ApproveOptions {
  /**
   * Called if the service says that the permit2 contract may not take the token yet (its code 25). Once it
   * is done the same approval is sent again; without it the error is thrown.
   */
  readonly allow?: ((what: TokenToAllow) => Promise<void>) | undefined;
}

interface Approving {
  /** Its id. */
  readonly intent: string;
  readonly asked: RequestedApproval;
  readonly agreed: AgreedTerms;
  readonly deadline: AgreedTerms['deadline'];
  readonly signer: ApprovalSigner;
  readonly rules: SigningRules;
}

const OPTIONS: OptionTable<ApproveOptions> = { allow: 'function' };

const AGREED = membersOf<AgreedTerms>({
  intent: true,
  network: true,
  token: true,
  lots: true,
  from: true,
  destination: true,
  deadline: true,
  latest: true,
  escrows: true,
  permit2Contracts: true,
});

/** Signs what was agreed and hands it over by `send`. */
export async function approved(
  { intent, asked, agreed, deadline, signer, rules }: Approving,
  options: ApproveOptions,
  send: (signed: SignedApproval) => Promise<unknown>,
): Promise<void> {
  refuseWrongOption('approve', options, OPTIONS);
  refuseUnknownOption('approve', agreed, AGREED);
  refuseNoObject('approve', 'agreed', agreed);
  const { network, destination } = agreed;
  for (const [name, given] of Object.entries({ network, destination, signer })) {
    refuseNoObject('approve', name, given);
  }
  const { allow } = options;
  const issued = issuedApproval(asked);
  // The service compares a permit with its own deadline; an agreed one bounds it.
  const latest = agreed.latest ?? agreed.deadline;
  const bound = latest === undefined ? {} : { latest };
  const reported = { ...agreed, intent, ...(deadline === undefined ? {} : { deadline, ...bound }) };
  const { terms, signing } = rules.of(reported, issued.form, asked.params);
  const signed = await signApproval(issued.params, issued.form, terms, signer, signing);
  try {
    await send(signed);
  } catch (error) {
    const isUnapproved = error instanceof ServiceError && error.class === 'token-unapproved';
    if (!isUnapproved || allow === undefined || issued.form !== 'permit2') throw error;
    const spender = issued.params.permit2_contract_address;
    await allow({ token: agreed.token, owner: agreed.from, spender });
    await send(signed);
  }
}
