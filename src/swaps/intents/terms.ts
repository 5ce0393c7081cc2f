import { Decimal } from '../../model/decimal.ts';
import type { Span } from '../../platform/span.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';

/** Behaviour of the resolver, with chance from a seed. */
export interface ResolverTerms {
  /** From the approval until it accepts or declines. */
  readonly acceptUs: Span;
  /** From then until the user's money is in escrow. */
  readonly depositUs: Span;
  /** From then until the user is paid. */
  readonly fulfilUs: Span;
  /** From the request of a refund until the money is back. */
  readonly refundUs: Span;
  /** Share of the intents that it declines for no reason, 0 to 1. */
  readonly declineShare: number;
  /** Share of the deposited intents that it does not fulfil but refunds, 0 to 1. */
  readonly failShare: number;
  /** It does nothing by time; manual actions decide. */
  readonly byHand: boolean;
}

/** Offers and prices of the swap service. */
export interface SwapTerms {
  /** How long a quote is valid; whole milliseconds. */
  readonly quoteUs: number;
  /** From the creation of an intent to its deadline, which is then moved up to a whole second. */
  readonly intentUs: number;
  /** Subtracted from the value, in basis points. */
  readonly spreadBps: number | Decimal;
  /** Also subtracted, as a fraction for each 1,000 of sent value; none if absent. */
  readonly impact?: Decimal;
  /** Also subtracted from each swap, in the unit of prices; none if absent. */
  readonly fee?: Decimal;
  /** Least and largest value of a swap, in the unit of prices. */
  readonly minimumValue: Decimal;
  readonly maximumValue: Decimal;
  /** Assets of nearly constant value. */
  readonly stable: readonly string[];
  /** Stable asset over which two others are swapped; directly if absent. */
  readonly mid?: string;
  /** Codes of networks whose provider requires a quote of its own for an intent from them. */
  readonly quoteRequired: readonly string[];
  readonly resolver: ResolverTerms;
}

/** A minute for quotes, half an hour for intents, a fifth of a percent, and seconds for each step. */
export const DEFAULT_SWAP_TERMS = {
  quoteUs: US_PER_MINUTE,
  intentUs: 30 * US_PER_MINUTE,
  spreadBps: 20,
  minimumValue: new Decimal(1),
  maximumValue: new Decimal(1_000_000),
  stable: ['USDC', 'USDT'],
  mid: 'USDC',
  quoteRequired: [],
  resolver: {
    acceptUs: 2 * US_PER_SECOND,
    depositUs: 5 * US_PER_SECOND,
    fulfilUs: 10 * US_PER_SECOND,
    refundUs: 10 * US_PER_SECOND,
    declineShare: 0,
    failShare: 0,
    byHand: false,
  },
} satisfies SwapTerms;
