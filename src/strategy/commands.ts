import type { Decimal } from '../model/decimal.ts';
import type { Side } from '../model/order.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';

/** A price on its way into a command: whole ticks, or a decimal that must fall on the tick. */
export type PriceInput = { readonly ticks: Ticks } | { readonly price: Decimal };
/** A quantity on its way into a command: whole lots, or a decimal that must fall on the increment. */
export type QuantityInput = { readonly lots: Lots } | { readonly quantity: Decimal };

interface PlaceBase {
  readonly kind: 'place';
  readonly symbol: string;
  readonly side: Side;
  readonly lots?: Lots;
  readonly quantity?: Decimal;
  /** Made by the engine where absent. */
  readonly clientOrderId?: string;
}

export type PlaceLimit = PlaceBase & {
  readonly type: 'limit';
  readonly ticks?: Ticks;
  readonly price?: Decimal;
  readonly postOnly?: boolean;
} & (
    | { readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'Day' }
    | { readonly timeInForce: 'GTD'; readonly expireAt: Micros }
  );

export type PlaceMarket = PlaceBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
};

/** A plain order; the engine sends it and never touches it again. */
export type Place = PlaceLimit | PlaceMarket;

/** Changes price or total quantity of a plain order; the replacement has a new identity. */
export interface Replace {
  readonly kind: 'replace';
  readonly clientOrderId: string;
  readonly newClientOrderId?: string;
  readonly lots?: Lots;
  readonly quantity?: Decimal;
  readonly ticks?: Ticks;
  readonly price?: Decimal;
}

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
