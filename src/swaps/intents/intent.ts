import type { Micros } from '../../platform/time.ts';
import type { ApprovalOrder, IssuedApproval } from '../approvals/approval.ts';
import type { Quote } from './quote.ts';

/** The moves between the states of an intent; there are no others. */
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
  /** What arrived; of real chains, where a token may take a fee. */
  readonly lots?: bigint;
}

/** A swap that somebody has asked for, attached to one quote. */
export interface Intent {
  readonly id: string;
  /** The partner that it came from. */
  readonly partner: string;
  readonly quote: Quote;
  /** Whose money it is, on the network that it comes from. */
  readonly from: string;
  /** Who is paid, on the network that it goes to. */
  readonly to: string;
  /** Who gets the money back where the swap does not come about. */
  readonly refundTo: string;
  readonly retailUser?: string;
  readonly state: IntentState;
  readonly createdAt: Micros;
  /** A whole second; nothing is accepted from then on. */
  readonly deadline: Micros;
  readonly order: ApprovalOrder;
  readonly issued: IssuedApproval;
  /** What takes the money, of the family `bitcoin`: the signed transaction. */
  readonly transaction?: string;
  /** What the user has signed by permit2, for the contract on a real chain. */
  readonly signature?: string;
  readonly approvedAt?: Micros;
  /** What the user gets, settled when the resolver accepts. */
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
