import { Decimal } from '../../model/decimal.ts';
import type { Span } from '../../platform/span.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';

/** How whoever executes intents behaves, with chance from a seed. */
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
  /** It does nothing by time; hands say what happens. */
  readonly byHand: boolean;
}

/** What the swap service offers, and at what price. */
export interface SwapTerms {
  /** How long a quote is valid; whole milliseconds. */
  readonly quoteUs: number;
  /** From the creation of an intent to its deadline, which is then moved up to a whole second. */
  readonly intentUs: number;
  /** Taken off what the money is worth, in basis points. */
  readonly spreadBps: number | Decimal;
  /** Taken off besides, as a share, for each 1,000 of value that is sent; nothing if absent. */
  readonly impact?: Decimal;
  /** Taken off besides of each swap, in the unit of prices; nothing if absent. */
  readonly fee?: Decimal;
  /** What a swap may be worth, in the unit of prices. */
  readonly minimumValue: Decimal;
  readonly maximumValue: Decimal;
  /** Assets that are worth nearly the same all the time. */
  readonly stable: readonly string[];
  /** Stable asset over which two that are not are swapped; they go straight where absent. */
  readonly mid?: string;
  /** Codes of networks whose provider takes an intent from them only with a quote of its own. */
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
