import type { Decimal } from '../../../model/decimal.ts';
import type { Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { IntentStatus } from '../../../wire/swaps/statuses.ts';
import type { SwapPath } from './wallet.ts';

/** What a swap route asks of the swap service, by either of its surfaces. */
export interface SwapService {
  /** A quote on what was asked for. Throws `answer-invalid` if it is on something else. */
  quote(asked: AskedSwap): Promise<SwapOffer>;
  /** Makes an intent of a quote, which moves nothing before it is approved. */
  createIntent(asked: AskedSwap, quote: string): Promise<SwapApproval>;
  /** Signs what an intent asks for, once it is what was agreed, and hands it over. */
  approve(intent: SwapApproval, agreed: AgreedTerms, signer: ApprovalSigner): Promise<void>;
  status(intent: string): Promise<SwapStatus>;
}

export interface AskedSwap {
  readonly path: SwapPath;
  readonly amount: Decimal;
  /** Basis points, as text. */
  readonly slippage: string;
}

export interface SwapOffer {
  readonly id: string;
  /** Between these, in smallest units of the token at the end of the road, something arrives. */
  readonly leastLots: bigint;
  readonly mostLots: bigint;
  readonly expiresAt: Micros;
}

/** What is to be signed for an intent. */
export interface SwapApproval {
  readonly intent: string;
  readonly form: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly deadline?: Micros | undefined;
}

/** How an intent stands. */
export interface SwapStatus {
  /** Absent if its name is none that is known. */
  readonly state: IntentStatus | undefined;
  readonly sentLots: bigint;
  readonly depositTx: string | undefined;
  readonly fulfilTx: string | undefined;
}
