import { MillraceError } from '../model/errors.ts';
import { lots, ticks } from '../model/units.ts';
import type { Quote, QuoteSide, Target } from './commands.ts';
import type { LotsInput, TicksInput } from './numbers.ts';

/**
 * Wishes to hold a share of the equity (0 to 1) in the base currency of a symbol, or a number of
 * lots of it. Throws `out-of-range`.
 *
 *     target('BTCUSDT', 0.5) // half of the equity
 *     target('BTCUSDT', { lots: 250 })
 */
export function target(
  symbol: string,
  hold:
    (number & { readonly __lots?: never; readonly __ticks?: never }) | { readonly lots: LotsInput },
): Target {
  if (typeof hold === 'object') {
    return Object.freeze({
      kind: 'target',
      symbol,
      hold: Object.freeze({ lots: lots(hold.lots) }),
    });
  }
  if (!(hold >= 0 && hold <= 1)) {
    throw new MillraceError(
      'out-of-range',
      `target("${symbol}", ${hold}): a share of the equity is from 0 to 1; for a number of lots write { lots: ${hold} }.`,
      { field: 'share' },
    );
  }
  return Object.freeze({ kind: 'target', symbol, hold: Object.freeze({ share: hold }) });
}

/** Wishes to hold nothing of the base currency; a quote of the symbol is withdrawn with it. */
export const flat = (symbol: string): Target => target(symbol, { lots: 0 });

/** One side of a quote as the author gives it, in whole ticks and lots. */
export interface QuoteOf {
  readonly ticks: TicksInput;
  /** 0 withdraws the side. */
  readonly lots: LotsInput;
}

/**
 * Wishes to stand in the book with one post-only order on each side. A side that is absent or
 * has 0 lots is withdrawn, so that `quote(symbol, {})` withdraws both. Throws `out-of-range`.
 */
export function quote(
  symbol: string,
  sides: { readonly bid?: QuoteOf | undefined; readonly ask?: QuoteOf | undefined },
): Quote {
  const bid = side('bid', sides.bid);
  const ask = side('ask', sides.ask);
  return Object.freeze({
    kind: 'quote',
    symbol,
    ...(bid === undefined ? {} : { bid }),
    ...(ask === undefined ? {} : { ask }),
  });
}

function side(name: 'bid' | 'ask', given: QuoteOf | undefined): QuoteSide | undefined {
  if (given === undefined || given.lots === 0) return undefined;
  if (given.lots < 0) {
    throw new MillraceError(
      'out-of-range',
      `The ${name} of a quote has ${given.lots} lots; give a positive whole number, or 0 to withdraw it.`,
      { field: 'lots' },
    );
  }
  return Object.freeze({ ticks: ticks(given.ticks), lots: lots(given.lots) });
}
