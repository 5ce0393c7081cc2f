import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { NetworkFamily } from '../tokens.ts';
import type { ApprovalForm, ApprovalOrder, IssuedApproval, ResolverKeys } from './approval.ts';
import { issueCosign } from './cosign/issue.ts';
import { issueHtlc } from './htlc/issue.ts';
import { issuePermit2 } from './permit2/issue.ts';

/** The form of approvals on the networks of each family. */
const FORMS: Readonly<Record<NetworkFamily, ApprovalForm>> = {
  evm: 'permit2',
  tron: 'permit2',
  bitcoin: 'htlc',
  solana: 'cosign',
};

/**
 * Makes the data that a user has to sign; a rejection if his address, key or outputs do not allow it. The
 * same order has the same data.
 */
export function issueApproval(
  order: ApprovalOrder,
  keys: ResolverKeys = {},
): IssuedApproval | Rejection {
  const form = FORMS[order.network.family];
  switch (form) {
    case 'permit2': {
      const params = issuePermit2(order);
      return isRejection(params) ? params : { form, params };
    }
    case 'htlc': {
      const params = issueHtlc(order);
      return isRejection(params) ? params : { form, params };
    }
    case 'cosign': {
      const params = issueCosign(order, keys);
      return isRejection(params) ? params : { form, params };
    }
  }
}
