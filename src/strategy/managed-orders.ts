import { Decimal } from '../model/decimal.ts';
import { ownMembers, unknownName } from '../model/members.ts';
import type { Rounding } from '../model/units.ts';
import { taking } from './arguments.ts';
import { SIDE } from './command-schema.ts';
import type { Quote, QuoteSide, Roundings, Target } from './commands.ts';
import { asGiven, saying } from './command.ts';
import { namesOf } from './schema.ts';
import type { DecimalInput, LotsInput, PriceOf, QuantityOf } from './numbers.ts';
import { orderMarketOf, type Where } from './where.ts';

function targetOf(
  where: Where,
  hold:
    | (number & { readonly __lots?: never; readonly __ticks?: never })
    | { readonly lots: LotsInput }
    | { readonly quantity: DecimalInput; readonly quantityRounding?: Rounding }
    | { readonly notional: DecimalInput },
): Target {
  if (typeof hold === 'object') {
    return Object.freeze({
      kind: 'target',
      ...orderMarketOf(where),
      hold: Object.freeze(asGiven(hold) as unknown as Target['hold']),
    } as Target);
  }
  return Object.freeze({
    kind: 'target',
    ...orderMarketOf(where),
    hold: Object.freeze({ share: hold }),
  } as Target);
}

/**
 * Keeps a position at a share of the equity (0 to 1) in the base currency of a symbol, a value of it in the
 * quote currency, or a number of lots of it. The engine refuses a share outside of that and a fraction of a lot.
 *
 *     target('BTCUSDT', 0.5) // half of the equity
 *     target('BTCUSDT', { quantity: '0.25' }) // or { lots: 25_000 }
 *     target('BTCUSDT', { notional: '1000' }) // as many lots as 1,000 USDT are worth
 *     target(isolated('BTCUSDT'), -0.5) // a short worth half the equity of its margin account
 *
 * A share and a value become lots once, at the price of the moment, the mark price on margin, toward zero;
 * what the funds do not bear is left out.
 *
 * On margin a share, a value and lots may be negative, and a share may be above 1 as far as the leverage of the
 * account allows: it is of the account's equity and never multiplied by its leverage. A position that
 * the venue closes by force is not opened again until a new target is given.
 */
export const target = taking('target(where, hold)', targetOf);

/**
 * Leaves a position whatever guards it: cancels all plain orders and lists that this strategy has on
 * the symbol, withdraws its quote, and sells what is held once all of these have ended and their fills
 * are known. It is done when nothing is held; a later order of the symbol is free to buy again.
 */
export const flat = taking('flat(where)', (where: Where): Target =>
  Object.freeze({ ...target(where, { lots: 0 }), clears: true }),
);

/** One side of a quote as the author gives it; a quantity of 0 withdraws it. */
export type QuoteOf = PriceOf & QuantityOf & Roundings;

function quoteOf(
  where: Where,
  sides: { readonly bid?: QuoteOf | undefined; readonly ask?: QuoteOf | undefined },
): Quote {
  const { bid: bidOf, ask: askOf, ...stray } = sidesOf(sides);
  const bid = side(bidOf);
  const ask = side(askOf);
  return Object.freeze({
    ...saying({ kind: 'quote', ...orderMarketOf(where) }, stray),
    ...(bid === undefined ? {} : { bid }),
    ...(ask === undefined ? {} : { ask }),
  } as Quote);
}

/**
 * Keeps one post-only order on each side of the book. A side that is absent or
 * has a quantity of 0 is withdrawn, so that `quote(symbol, {})` withdraws both. The engine refuses fractions of
 * ticks and lots, and what is below 1.
 */
export const quote = taking('quote(where, sides)', quoteOf);

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
  const side = asGiven(given);
  const { lots, quantity } = side;
  const isNone = lots === 0 || (Decimal.isDecimal(quantity) && quantity.isZero());
  const isWithdrawn = isNone && unknownName(given, SIDE_MEMBERS) === undefined;
  return isWithdrawn ? undefined : (Object.freeze(side) as unknown as QuoteSide);
}
