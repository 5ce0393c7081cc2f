import { ownMembers, strayMember } from '../model/members.ts';
import { taking } from './arguments.ts';
import { SIDE } from './command-schema.ts';
import type { Quote, QuoteSide, Target } from './commands.ts';
import { saying } from './saying.ts';
import { namesOf } from './schema.ts';
import type { LotsInput, TicksInput } from './numbers.ts';

function targetOf(
  symbol: string,
  hold:
    | (number & { readonly __lots?: never; readonly __ticks?: never })
    | { readonly lots: LotsInput },
): Target {
  if (typeof hold === 'object') {
    return Object.freeze({
      kind: 'target',
      symbol,
      hold: Object.freeze(ownMembers(Object(hold) as object) as Target['hold']),
    });
  }
  return Object.freeze({ kind: 'target', symbol, hold: Object.freeze({ share: hold }) });
}

/**
 * Wishes to hold a share of the equity (0 to 1) in the base currency of a symbol, or a number of
 * lots of it. The engine refuses a share outside of that and a fraction of a lot.
 *
 *     target('BTCUSDT', 0.5) // half of the equity
 *     target('BTCUSDT', { lots: 250 })
 */
export const target = taking('target(symbol, hold)', targetOf);

/**
 * Leaves a position whatever guards it: cancels all plain orders and lists that this strategy has on
 * the symbol, withdraws its quote, and sells what is held once all of these have ended and their fills
 * are known. It is done when nothing is held; a later order of the symbol is free to buy again.
 */
export const flat = taking('flat(symbol)', (symbol: string): Target =>
  Object.freeze({ ...target(symbol, { lots: 0 }), clears: true }),
);

/** One side of a quote as the author gives it, in whole ticks and lots. */
export interface QuoteOf {
  readonly ticks: TicksInput;
  /** 0 withdraws the side. */
  readonly lots: LotsInput;
}

function quoteOf(
  symbol: string,
  sides: { readonly bid?: QuoteOf | undefined; readonly ask?: QuoteOf | undefined },
): Quote {
  const { bid: bidOf, ask: askOf, ...stray } = sidesOf(sides);
  const bid = side(bidOf);
  const ask = side(askOf);
  return Object.freeze({
    ...saying({ kind: 'quote', symbol }, stray),
    ...(bid === undefined ? {} : { bid }),
    ...(ask === undefined ? {} : { ask }),
  } as Quote);
}

/**
 * Wishes to stand in the book with one post-only order on each side. A side that is absent or
 * has 0 lots is withdrawn, so that `quote(symbol, {})` withdraws both. The engine refuses fractions of
 * ticks and lots, and what is below 1.
 */
export const quote = taking('quote(symbol, sides)', quoteOf);

/** What is no object is kept under a name that is refused: it must not withdraw both sides. */
function sidesOf(given: unknown): Parameters<typeof quoteOf>[1] {
  return typeof given === 'object' && given !== null
    ? ownMembers(given)
    : ({ sides: given ?? null } as object);
}

const SIDE_MEMBERS = namesOf(SIDE);

function side(given: QuoteOf | undefined): QuoteSide | undefined {
  // What is no object, or says what no side says, is for the engine to refuse.
  if (typeof given !== 'object' || given === null) return given;
  const isWithdrawn = given.lots === 0 && strayMember(given, SIDE_MEMBERS) === undefined;
  return isWithdrawn ? undefined : (Object.freeze(ownMembers(given)) as unknown as QuoteSide);
}
