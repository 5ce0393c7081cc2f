import type { Decimal } from '../model/decimal.ts';
import type { Side } from '../model/order.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** A price in a command: whole ticks, or a decimal that must fall on the tick; never both. */
export type PriceInput =
  | { readonly ticks: Ticks; readonly price?: never }
  | { readonly price: Decimal; readonly ticks?: never };

/** A quantity in a command: whole lots, or a decimal that must fall on the increment; never both. */
export type QuantityInput =
  | { readonly lots: Lots; readonly quantity?: never }
  | { readonly quantity: Decimal; readonly lots?: never };

interface PlaceBase {
  readonly kind: 'place';
  readonly symbol: string;
  readonly side: Side;
  /** Made by the engine where absent. */
  readonly clientOrderId?: string;
}

/** How long a limit order may stand. What must execute at once cannot also wait to be the maker. */
export type LimitLife =
  | { readonly timeInForce?: 'GTC' | 'Day'; readonly postOnly?: boolean }
  | { readonly timeInForce: 'GTD'; readonly expireAt: Micros; readonly postOnly?: boolean }
  | { readonly timeInForce: 'IOC' | 'FOK'; readonly postOnly?: false };

export type PlaceLimit = PlaceBase & { readonly type: 'limit' } & PriceInput &
  QuantityInput &
  LimitLife;

export type PlaceMarket = PlaceBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
} & QuantityInput;

/** A plain order; the engine sends it and never touches it again. */
export type Place = PlaceLimit | PlaceMarket;

/** A new price, a new total quantity, or both. */
export type Change =
  | (PriceInput & { readonly lots?: never; readonly quantity?: never })
  | (QuantityInput & { readonly ticks?: never; readonly price?: never })
  | (PriceInput & QuantityInput);

/** Changes price or total quantity of a plain order; the replacement has a new identity. */
export type Replace = {
  readonly kind: 'replace';
  readonly clientOrderId: string;
  readonly newClientOrderId?: string;
} & Change;

export interface Cancel {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
}

/** Cancels all active orders of the strategy, of one symbol or of all; wishes of the symbol end too. */
export interface CancelAll {
  readonly kind: 'cancelAll';
  readonly symbol?: string;
}

/**
 * The wish to hold so much of the base currency: a share of the strategy's equity (0 to 1, judged
 * once, when the wish is taken up) or a number of lots. Kept true with market orders.
 *
 * A symbol has one wish at a time: a target takes the place of a quote, and the other way round.
 */
export interface Target {
  readonly kind: 'target';
  readonly symbol: string;
  readonly hold: { readonly share: number } | { readonly lots: Lots };
}

/** One side of a quote. */
export interface QuoteSide {
  readonly ticks: Ticks;
  readonly lots: Lots;
}

/**
 * The wish to stand in the book with at most one post-only order on each side; an absent side is
 * withdrawn. What fills is not placed again until the next quote.
 */
export interface Quote {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly bid?: QuoteSide;
  readonly ask?: QuoteSide;
}

/** What a strategy asks for: plain frozen data, compared in tests and stored in the journal. */
export type Command = Place | Replace | Cancel | CancelAll | Target | Quote;
