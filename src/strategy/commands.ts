import type { Decimal } from '../model/decimal.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { ContingencyType, Side, OwnRates, TrailedPrice } from '../model/order.ts';
import type { Lots, Rounding, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { DecimalInput, TicksInput } from './numbers.ts';
import type { Rebalance } from './portfolio.ts';

/** A price in a command: whole ticks, or a decimal that must fall on the tick; never both. */
export type PriceInput =
  | { readonly ticks: Ticks; readonly price?: never }
  | { readonly price: Decimal; readonly ticks?: never };

/** A stop price in a command: whole ticks, or a decimal that must fall on the tick; never both. */
export type StopInput =
  | { readonly stopTicks: Ticks; readonly stopPrice?: never }
  | { readonly stopPrice: Decimal; readonly stopTicks?: never };

/** A quantity in a command: whole lots, or a decimal that must fall on the increment; never both. */
export type QuantityInput =
  | { readonly lots: Lots; readonly quantity?: never }
  | { readonly quantity: Decimal; readonly lots?: never };

/** How numbers off their grid are brought onto it; refused if nothing is said. */
export interface Roundings {
  /** Of price and stop price, to the tick. */
  readonly priceRounding?: Rounding;
  /** Of the quantity, to the increment. */
  readonly quantityRounding?: Rounding;
}

/**
 * When a GTD order expires: at a time, or so many milliseconds after the engine takes the order up,
 * `within: hours(4)`; never both.
 */
export type Expiry =
  | { readonly timeInForce: 'GTD'; readonly expireAt: Micros; readonly within?: never }
  | { readonly timeInForce?: 'GTD'; readonly within: number; readonly expireAt?: never };

/** How long a limit order may stand. What must execute at once cannot also wait to be the maker. */
export type LimitLife =
  | {
      readonly timeInForce?: 'GTC' | 'Day';
      readonly postOnly?: boolean;
      readonly expireAt?: never;
      readonly within?: never;
    }
  | (Expiry & { readonly postOnly?: boolean })
  | {
      readonly timeInForce: 'IOC' | 'FOK';
      readonly postOnly?: false;
      readonly expireAt?: never;
      readonly within?: never;
    };

/** How long an order may wait for its stop price, and what a market order may leave once it executes. */
export type StopMarketLife =
  | {
      readonly timeInForce?: 'GTC' | 'Day' | 'IOC' | 'FOK';
      readonly expireAt?: never;
      readonly within?: never;
    }
  | Expiry;

/** Where a command trades; the symbol's spot market without `margin`. */
export interface OrderMarket {
  readonly symbol: string;
  readonly margin?: MarginMode | undefined;
}

/** What an order of any type may say, in a command. */
interface OrderExtras extends OwnRates, Roundings {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly clientOrderId?: string;
}

/** What an order of any type may say, as its author gives it. */
export interface OrderOptions extends Roundings {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly clientOrderId?: string;
  /** Fee rates of this order as fractions, `'0.002'`; they only raise what the account pays. */
  readonly takeRate?: DecimalInput;
  readonly makeRate?: DecimalInput;
}

interface OrderBase extends OrderExtras, OrderMarket {
  readonly side: Side;
  /** On margin: its fills make a position smaller, and never turn it around. */
  readonly reduceOnly?: boolean | undefined;
}

/**
 * How a stop price follows the market: behind the highest price since the order rests for a sell, the lowest
 * for a buy, by a number of ticks or a fraction of the price. It never goes back. The stop price that the
 * order is given counts until then.
 */
export type Trail = (
  | { readonly ticks: TicksInput; readonly rate?: never }
  | { readonly rate: Decimal; readonly ticks?: never }
) &
  (
    | {
        /** It begins to follow at this price. */
        readonly activation?: Decimal;
        readonly activationTicks?: never;
      }
    | { readonly activationTicks: TicksInput; readonly activation?: never }
  ) & {
    /** Which price it follows; the last trade if absent. */
    readonly by?: TrailedPrice;
    /** The least that the stop price moves by, in ticks; 1 if absent. */
    readonly step?: TicksInput;
  };

interface Trailing {
  readonly trail?: Trail;
}

/** Rests at its price or better. */
export type Limit = OrderBase & { readonly type: 'limit' } & PriceInput & QuantityInput & LimitLife;

/** Takes what is there. */
export type Market = OrderBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
} & QuantityInput;

/** Becomes a limit order when a trade comes to the stop price. */
export type StopLimit = OrderBase & {
  readonly type: 'stopLimit' | 'takeProfitLimit';
} & StopInput &
  PriceInput &
  QuantityInput &
  LimitLife &
  Trailing;

/** Becomes a market order when a trade comes to the stop price. */
export type StopMarket = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
} & StopInput &
  QuantityInput &
  StopMarketLife &
  Trailing;

/** Closes the whole position when a trade comes to the stop price, or is canceled. On margin alone. */
export type CloseStop = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
  readonly closePosition: true;
  readonly lots?: never;
  readonly quantity?: never;
} & StopInput &
  StopMarketLife;

/** An order of any type, as it stands in `place` and in a list. */
export type ListOrder = Limit | Market | StopLimit | StopMarket | CloseStop;

export type PlaceLimit = { readonly kind: 'place' } & Limit;
export type PlaceMarket = { readonly kind: 'place' } & Market;
export type PlaceStopLimit = { readonly kind: 'place' } & StopLimit;
export type PlaceStopMarket = { readonly kind: 'place' } & StopMarket;
export type PlaceClose = { readonly kind: 'place' } & CloseStop;

/** A plain order; the engine sends it and never touches it again. */
export type Place = PlaceLimit | PlaceMarket | PlaceStopLimit | PlaceStopMarket | PlaceClose;

/** Orders that are accepted or refused as one and depend on each other, as docs/order-lists.md says. */
export interface PlaceList {
  readonly kind: 'placeList';
  readonly contingencyType: ContingencyType;
  readonly orders: readonly ListOrder[];
  /** True for what `bracket` makes: the engine then holds its prices against each other too. */
  readonly bracket?: true;
}

type Unchanged<T> = { readonly [K in keyof T]?: never };
type SamePrice = Unchanged<{ ticks: 0; price: 0 }>;
type SameStop = Unchanged<{ stopTicks: 0; stopPrice: 0 }>;
type SameQuantity = Unchanged<{ lots: 0; quantity: 0 }>;

/** One of price, stop price and total quantity, or several of them. */
export type Changed<P, S, Q> =
  | (P & (S | SameStop) & (Q | SameQuantity))
  | (S & (P | SamePrice) & (Q | SameQuantity))
  | (Q & (P | SamePrice) & (S | SameStop));

/** A new price, a new stop price, a new total quantity, or several of them. */
export type Change = Changed<PriceInput, StopInput, QuantityInput>;

/** Changes price, stop price or total quantity of a plain order; the replacement has a new identity. */
export type Replace = {
  readonly kind: 'replace';
  readonly clientOrderId: string;
  readonly newClientOrderId?: string;
} & Roundings &
  Change;

export interface Cancel {
  readonly kind: 'cancel';
  readonly clientOrderId: string;
}

/** Cancels all active orders of the strategy, of one symbol or of all; managed orders of the symbol end too. */
export interface CancelAll {
  readonly kind: 'cancelAll';
  readonly symbol?: string;
  readonly margin?: MarginMode | undefined;
}

/**
 * A managed order for a holding of the base currency: a share of the strategy's equity (0 to 1, computed
 * once, when it is accepted), a value in the quote currency (computed likewise) or a number of lots. On
 * margin it is a position, negative for a short. Market orders keep it.
 *
 * A symbol has one managed order at a time: a target replaces a quote, and the reverse.
 */
export interface Target extends OrderMarket {
  readonly kind: 'target';
  readonly hold:
    | { readonly share: number }
    | { readonly lots: Lots }
    | { readonly quantity: Decimal; readonly quantityRounding?: Rounding }
    | { readonly notional: Decimal };
  /**
   * True for what `flat` makes: the plain orders of the symbol are canceled first, and the managed order is
   * done once the holding is there.
   */
  readonly clears?: true;
}

/** One side of a quote. */
export type QuoteSide = PriceInput & QuantityInput & Roundings;

/**
 * A managed order to rest in the book with at most one post-only order on each side; an absent side is
 * withdrawn. What fills is not placed again until the next quote.
 */
export interface Quote extends OrderMarket {
  readonly kind: 'quote';
  readonly bid?: QuoteSide;
  readonly ask?: QuoteSide;
}

/**
 * Brings a margin account to a balance, from the spot balance and back to it, and to a leverage. The balance
 * is absolute, so that repeating the command is safe; what is absent stays as it is.
 */
export interface SetMargin {
  readonly kind: 'setMargin';
  readonly symbol: string;
  readonly margin: MarginMode;
  readonly balance?: Decimal | undefined;
  readonly leverage?: Decimal | undefined;
  readonly replenish?: Replenish | undefined;
}

/** How a margin account is filled up from spot without another command. */
export interface Replenish {
  /** A balance below this is filled up; at a margin call alone if absent. */
  readonly floor?: Decimal | undefined;
  /** To what it is filled up; the balance that the command sets if absent. */
  readonly target?: Decimal | undefined;
  /** The most that may come in a day of UTC+0; 0 ends it. */
  readonly maxPerDay: Decimal;
}

/** What every algo order says. */
interface Algo extends OrderMarket {
  /**
   * Its name, 8 to 32 letters, digits, `_` or `-`. The same command again is the same order, after a restart
   * too: nothing more is done for it.
   */
  readonly id: string;
}

/** Not required prices: of an order that may have none. */
type AnyPrice = PriceInput | Unchanged<{ ticks: 0; price: 0 }>;

/** An algo order that trades a quantity in one direction. */
type Executed = Algo & {
  readonly side: Side;
  /** On margin: its fills make a position smaller, and never turn it around. */
  readonly reduceOnly?: boolean | undefined;
} & QuantityInput;

/** A quantity that is sent in slices over a time. */
type Sliced = Executed &
  AnyPrice & {
    /** Over how many milliseconds: `hours(1)`. */
    readonly over: number;
    readonly slices: number;
    /** How much of an interval a slice may be late, at random, from 0 to 1. */
    readonly jitter?: number;
    /** The most of the market's volume since the slice before: `rate('0.1')`. */
    readonly participation?: Decimal;
    /** What becomes of a rest: nothing, or a market order; nothing if absent. */
    readonly atEnd?: 'leave' | 'market';
  };

/** Slices of the same size (time weighted average price). */
export type Twap = { readonly kind: 'twap' } & Sliced;

/** What the market trades in an interval, in any unit. */
export interface ProfileVolume {
  readonly volume: number;
}

/** Slices by the volume of the market (volume weighted average price). */
export type Vwap = { readonly kind: 'vwap' } & Sliced & {
    /** The volume of each interval; by the volume before each slice if absent. */
    readonly profile?: readonly ProfileVolume[];
  };

/** A limit order of which a part is shown at a time. */
export type Iceberg = { readonly kind: 'iceberg' } & Executed &
  PriceInput &
  (
    | { readonly visibleLots: Lots; readonly visibleQuantity?: never }
    | { readonly visibleQuantity: Decimal; readonly visibleLots?: never }
  ) & { readonly postOnly?: boolean };

/** Buys at each price and sells at the next one above, again and again. */
export type Grid = { readonly kind: 'grid' } & Algo &
  QuantityInput & {
    /** How many prices, the lowest and the highest included. */
    readonly levels: number;
    /** The same distance between prices, or the same ratio; the same distance if absent. */
    readonly spacing?: 'arithmetic' | 'geometric';
  } & (
    | { readonly lowTicks: Ticks; readonly low?: never }
    | { readonly low: Decimal; readonly lowTicks?: never }
  ) &
  (
    | { readonly highTicks: Ticks; readonly high?: never }
    | { readonly high: Decimal; readonly highTicks?: never }
  );

/** Buys for the same value again and again (dollar cost averaging). */
export type Dca = { readonly kind: 'dca' } & Algo & {
    /** Value of each purchase, in the quote currency. */
    readonly value: Decimal;
    /** How many purchases at most. */
    readonly max: number;
    /** How far above the mean price all of it is sold: `rate('0.02')`. */
    readonly takeProfit?: Decimal;
  } & (
    | {
        /** Every so many milliseconds: `days(1)`. */
        readonly every: number;
        readonly drop?: never;
      }
    | {
        /** Each time that the price is so far below the mean price: `rate('0.05')`. */
        readonly drop: Decimal;
        readonly every?: never;
      }
  );

/** A parent order: the engine sends child orders for it until it is done. */
export type AlgoCommand = Twap | Vwap | Iceberg | Grid | Dca;

/** What a strategy asks for: plain frozen data, compared in tests and stored in the journal. */
export type Command =
  | Place
  | PlaceList
  | Replace
  | Cancel
  | CancelAll
  | Target
  | Quote
  | AlgoCommand
  | SetMargin
  | Rebalance;
