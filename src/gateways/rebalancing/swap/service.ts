import type { Decimal } from '../../../model/decimal.ts';
import type { Micros } from '../../../platform/time.ts';
import type { AgreedTerms, ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { IntentStatus } from '../../../wire/swaps/statuses.ts';
import type { SwapPath } from './wallet.ts';

/** A swap route's calls of the swap service, by either of its surfaces. */
export interface SwapService {
  /** A quote on the request. Throws `answer-invalid` if it differs from it. */
  quote(asked: SwapRequest): Promise<SwapOffer>;
  /** Makes an intent of a quote, which moves nothing before it is approved. */
  createIntent(asked: SwapRequest, quote: string): Promise<SwapApproval>;
  /** Signs an intent's approval, once it matches the agreement, and sends it. */
  approve(intent: SwapApproval, agreed: AgreedTerms, signer: ApprovalSigner): Promise<void>;
  status(intent: string): Promise<SwapStatus>;
}

export interface SwapRequest {
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

/** Content to sign for an intent. */
export interface SwapApproval {
  readonly intent: string;
  readonly form: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly deadline?: Micros | undefined;
}

/** State of an intent. */
export interface SwapStatus {
  /** Absent if its name is unknown. */
  readonly state: IntentStatus | undefined;
  readonly sentLots: bigint;
  readonly depositTx: string | undefined;
  readonly fulfilTx: string | undefined;
}
