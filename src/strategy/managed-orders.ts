import { Decimal } from '../model/decimal.ts';
import { ownMembers, unknownName } from '../model/members.ts';
import type { Rounding } from '../model/units.ts';
import { commandFactory } from './arguments.ts';
import { SIDE } from './command-schema.ts';
import type { Quote, QuoteSide, Roundings, Target } from './commands.ts';
import { argumentMembers, commandFrom } from './command.ts';
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
      hold: Object.freeze(argumentMembers(hold) as unknown as Target['hold']),
    } as Target);
  }
  return Object.freeze({
    kind: 'target',
    ...orderMarketOf(where),
    hold: Object.freeze({ share: hold }),
  } as Target);
}

/**
 * Keeps a position at a share of the equity (0 to 1) in the base currency of a symbol, a value of
 * it in the quote currency, or a number of lots of it. The engine rejects a share outside of that
 * and a fraction of a lot.
 *
 *     target('BTCUSDT', 0.5) // half of the equity
 *     target('BTCUSDT', { quantity: '0.25' }) // or { lots: 25_000 }
 *     target('BTCUSDT', { notional: '1000' }) // as many lots as 1,000 USDT are worth
 *     target(isolated('BTCUSDT'), -0.5) // a short worth half the equity of its margin account
 *
 * A share and a value are converted to lots once, at the current price, the mark price on margin,
 * toward zero, and reduced to what the funds cover.
 *
 * On margin a share, a value and lots may be negative, and a share may be above 1 as far as the
 * leverage of the account allows: it is of the account's equity and never multiplied by its
 * leverage. A position that the venue closes by force is not opened again until a new target.
 */
export const target = commandFactory('target(where, hold)', targetOf);

/**
 * Closes a position with its protection: cancels all plain orders and lists of this strategy on the
 * symbol, ends its quote, and closes the holding or position once all of these have ended and their fills are
 * known. It ends when nothing is held; a later order of the symbol may buy again.
 */
export const flat = commandFactory('flat(where)', (where: Where): Target =>
  Object.freeze({ ...target(where, { lots: 0 }), clears: true }),
);

/** One side of a quote as the author gives it; a quantity of 0 cancels it. */
export type QuoteOf = PriceOf & QuantityOf & Roundings;

function quoteOf(
  where: Where,
  sides: { readonly bid?: QuoteOf | undefined; readonly ask?: QuoteOf | undefined },
): Quote {
  const { bid: bidOf, ask: askOf, ...stray } = sidesOf(sides);
  const bid = side(bidOf);
  const ask = side(askOf);
  return Object.freeze({
    ...commandFrom({ kind: 'quote', ...orderMarketOf(where) }, stray),
    ...(bid === undefined ? {} : { bid }),
    ...(ask === undefined ? {} : { ask }),
  } as Quote);
}

/**
 * Keeps one post-only order on each side of the book. An absent side, or one with quantity 0, is
 * canceled, so that `quote(symbol, {})` cancels both. The engine rejects fractions of ticks and
 * lots, and numbers below 1.
 */
export const quote = commandFactory('quote(where, sides)', quoteOf);

/** Keeps a value that is not an object under an invalid name: it must not cancel both sides. */
function sidesOf(given: unknown): Parameters<typeof quoteOf>[1] {
  return typeof given === 'object' && given !== null
    ? ownMembers(given)
    : ({ sides: given ?? null } as object);
}

const SIDE_MEMBERS = namesOf(SIDE);

function side(given: QuoteOf | undefined): QuoteSide | undefined {
  // The engine rejects a value that is not a side.
  if (typeof given !== 'object' || given === null) return given;
  const side = argumentMembers(given);
  const { lots, quantity } = side;
  const isNone = lots === 0 || (Decimal.isDecimal(quantity) && quantity.isZero());
  const isWithdrawn = isNone && unknownName(given, SIDE_MEMBERS) === undefined;
  return isWithdrawn ? undefined : (Object.freeze(side) as unknown as QuoteSide);
}
