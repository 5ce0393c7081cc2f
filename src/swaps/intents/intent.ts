import type { Micros } from '../../platform/time.ts';
import type { ApprovalOrder, IssuedApproval } from '../approvals/approval.ts';
import type { Quote } from './quote.ts';

/** The allowed moves between the states of an intent. */
export const INTENT_MOVES = {
  created: ['approved', 'expired'],
  approved: ['verified', 'failed', 'expired'],
  verified: ['deposited', 'failed', 'expired'],
  deposited: ['finished', 'refundRequested'],
  refundRequested: ['refunded'],
  failed: [],
  finished: [],
  expired: [],
  refunded: [],
} as const satisfies Record<string, readonly string[]>;

export type IntentState = keyof typeof INTENT_MOVES;

/** True for a state that an intent never leaves. */
export const isFinal = (state: IntentState): boolean => INTENT_MOVES[state].length === 0;

/** A transaction that a stage was reached by. */
export interface Stage {
  readonly hash: string;
  readonly at: Micros;
  /** Received amount on live chains, where a token may take a fee. */
  readonly lots?: bigint;
}

/** A requested swap, attached to one quote. */
export interface Intent {
  readonly id: string;
  /** Its partner. */
  readonly partner: string;
  readonly quote: Quote;
  /** Owner of the money, on the source network. */
  readonly from: string;
  /** Receiver, on the target network. */
  readonly to: string;
  /** Refund address if the swap fails. */
  readonly refundTo: string;
  readonly retailUser?: string;
  readonly state: IntentState;
  readonly createdAt: Micros;
  /** A whole second; nothing is accepted from then on. */
  readonly deadline: Micros;
  readonly order: ApprovalOrder;
  readonly issued: IssuedApproval;
  /** The signed transaction that takes the money, of the family `bitcoin`. */
  readonly transaction?: string;
  /** The user's permit2 signature, for the contract on a live chain. */
  readonly signature?: string;
  readonly approvedAt?: Micros;
  /** The user's payout, fixed when the resolver accepts. */
  readonly payoutLots?: bigint;
  /** The money went into escrow. */
  readonly deposit?: Stage;
  /** The user was paid. */
  readonly fulfilment?: Stage;
  /** The escrow went to the resolver. */
  readonly swap?: Stage;
  /** The escrow went back. */
  readonly refund?: Stage;
  /** Why it failed or is refunded, as a sentence. */
  readonly reason?: string;
}
