/**
 * The states of an intent and their names on each surface. The Execution surface has no name for a
 * requested refund: the money is still in escrow, so it reports `Deposited`.
 */
const INTENT_STATUSES = {
  created: { execution: 'Created', affiliate: 'Initiated' },
  approved: { execution: 'Approved', affiliate: 'ApprovalAdded' },
  verified: { execution: 'Verified', affiliate: 'Accepted' },
  failed: { execution: 'Failed', affiliate: 'Declined' },
  deposited: { execution: 'Deposited', affiliate: 'UserDeposited' },
  finished: { execution: 'Finished', affiliate: 'Fulfilled' },
  expired: { execution: 'Expired', affiliate: 'Expired' },
  refundRequested: { execution: 'Deposited', affiliate: 'RefundRequested' },
  refunded: { execution: 'Refunded', affiliate: 'Refunded' },
} as const satisfies Record<string, { execution: string; affiliate: string }>;

export type IntentStatus = keyof typeof INTENT_STATUSES;

/** The name that a surface has for a state. */
export const statusName = (status: IntentStatus, surface: 'execution' | 'affiliate'): string =>
  INTENT_STATUSES[status][surface];

const NAMES: ReadonlyMap<string, IntentStatus> = new Map(
  (Object.entries(INTENT_STATUSES) as [IntentStatus, { execution: string; affiliate: string }][])
    // A name of two states is read as the first: a refund is unknown.
    .toReversed()
    .flatMap(([status, names]) => [
      [names.affiliate, status],
      [names.execution, status],
    ]),
);

/** The state of a name of either surface; `undefined` for an unknown name. */
export const statusOfName = (name: string): IntentStatus | undefined => NAMES.get(name);
