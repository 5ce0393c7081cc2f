import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { TokenTerms } from '../tokens.ts';

/** A token by its id, or by its network and its address there. */
export interface TokenChoice {
  readonly id?: number | undefined;
  /** `id` of the network. */
  readonly network?: number | undefined;
  readonly contract?: string | undefined;
}

/** What somebody wants to swap. */
export interface SwapRequest {
  readonly from: TokenChoice;
  readonly to: TokenChoice;
  readonly amount: Decimal;
  readonly slippageBps: number;
  /** Whom the caller does it for; kept for the history only. */
  readonly retailUser?: string | undefined;
}

/** Lots that at least and at most come out. */
export interface Outcome {
  readonly leastLots: bigint;
  readonly mostLots: bigint;
}

/** What the service would give, for a time. */
export interface Quote {
  readonly id: string;
  /** The partner it was made for. */
  readonly partner: string;
  readonly from: TokenTerms;
  readonly fromLots: bigint;
  readonly to: TokenTerms;
  readonly outcome: Outcome;
  /** Over what it is routed, of two assets that are not stable. */
  readonly mid?: { readonly token: TokenTerms; readonly outcome: Outcome };
  readonly slippageBps: number;
  /** Whole milliseconds; after it the quote is invalid. */
  readonly expiresAt: Micros;
  readonly retailUser?: string;
}
