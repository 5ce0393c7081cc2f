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

/** A request for a swap. */
export interface SwapRequest {
  readonly from: TokenChoice;
  readonly to: TokenChoice;
  readonly amount: Decimal;
  readonly slippageBps: number;
  /** The caller's own user; kept only for the history. */
  readonly retailUser?: string | undefined;
}

/** Least and largest payout. */
export interface Outcome {
  readonly leastLots: bigint;
  readonly mostLots: bigint;
}

/** An offer of the service, for a time. */
export interface Quote {
  readonly id: string;
  /** Its partner. */
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
