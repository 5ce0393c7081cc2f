import type { Decimal } from '../model/decimal.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { ContingencyType, Side, OwnRates, TrailedPrice } from '../model/order.ts';
import type { Lots, Rounding, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { DecimalInput, TicksInput } from './numbers.ts';
import type { Rebalance } from './portfolio.ts';

/** A price in a command: whole ticks, or a decimal on the tick grid; never both. */
export type PriceInput =
  | { readonly ticks: Ticks; readonly price?: never }
  | { readonly price: Decimal; readonly ticks?: never };

/** A stop price in a command: whole ticks, or a decimal on the tick grid; never both. */
export type StopInput =
  | { readonly stopTicks: Ticks; readonly stopPrice?: never }
  | { readonly stopPrice: Decimal; readonly stopTicks?: never };

/** A quantity in a command: whole lots, or a decimal on the increment grid; never both. */
export type QuantityInput =
  | { readonly lots: Lots; readonly quantity?: never }
  | { readonly quantity: Decimal; readonly lots?: never };

/** Rounding of numbers off their grid; rejected by default. */
export interface Roundings {
  /** Of price and stop price, to the tick. */
  readonly priceRounding?: Rounding;
  /** Of the quantity, to the increment. */
  readonly quantityRounding?: Rounding;
}

/**
 * When a GTD order expires: at a time, or this many milliseconds after the engine accepts the
 * order, `within: hours(4)`; never both.
 */
export type Expiry =
  | { readonly timeInForce: 'GTD'; readonly expireAt: Micros; readonly within?: never }
  | { readonly timeInForce?: 'GTD'; readonly within: number; readonly expireAt?: never };

/** Time in force of a limit order. An order that must execute at once cannot be post-only. */
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

/**
 * Time in force of a stop market order: how long it waits, and what it may leave once it executes.
 */
export type StopMarketLife =
  | {
      readonly timeInForce?: 'GTC' | 'Day' | 'IOC' | 'FOK';
      readonly expireAt?: never;
      readonly within?: never;
    }
  | Expiry;

/** Market of a command; the symbol's spot market without `margin`. */
export interface OrderMarket {
  readonly symbol: string;
  readonly margin?: MarginMode | undefined;
}

/** Optional members of an order of any type, in a command. */
interface OrderExtras extends OwnRates, Roundings {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly clientOrderId?: string;
}

/** Optional members of an order of any type, as its author gives them. */
export interface OrderOptions extends Roundings {
  /** 8 to 32 letters, digits, `_` or `-`; made by the engine if absent. */
  readonly clientOrderId?: string;
  /** Own fee rates of this order as fractions, `'0.002'`; they only raise those of the account. */
  readonly takeRate?: DecimalInput;
  readonly makeRate?: DecimalInput;
}

interface OrderBase extends OrderExtras, OrderMarket {
  readonly side: Side;
  /** On margin: its fills only reduce a position, and never flip it. */
  readonly reduceOnly?: boolean | undefined;
}

/**
 * How a stop price trails the market: behind the highest price since the order is active for a
 * sell, the lowest for a buy, by a number of ticks or a fraction of the price. It never moves back.
 * The order's own stop price applies until then.
 */
export type Trail = (
  | { readonly ticks: TicksInput; readonly rate?: never }
  | { readonly rate: Decimal; readonly ticks?: never }
) &
  (
    | {
        /** Price from which on it trails. */
        readonly activation?: Decimal;
        readonly activationTicks?: never;
      }
    | { readonly activationTicks: TicksInput; readonly activation?: never }
  ) & {
    /** Price that it trails; the last trade if absent. */
    readonly by?: TrailedPrice;
    /** Least move of the stop price, in ticks; 1 if absent. */
    readonly step?: TicksInput;
  };

interface Trailing {
  readonly trail?: Trail;
}

/** Rests at its price or better. */
export type Limit = OrderBase & { readonly type: 'limit' } & PriceInput & QuantityInput & LimitLife;

/** Takes the available lots. */
export type Market = OrderBase & {
  readonly type: 'market';
  readonly timeInForce?: 'FOK' | 'IOC';
} & QuantityInput;

/** Becomes a limit order when a trade reaches the stop price. */
export type StopLimit = OrderBase & {
  readonly type: 'stopLimit' | 'takeProfitLimit';
} & StopInput &
  PriceInput &
  QuantityInput &
  LimitLife &
  Trailing;

/** Becomes a market order when a trade reaches the stop price. */
export type StopMarket = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
} & StopInput &
  QuantityInput &
  StopMarketLife &
  Trailing;

/**
 * Closes the whole position when a trade reaches the stop price, or is canceled. Only on margin.
 */
export type CloseStop = OrderBase & {
  readonly type: 'stopMarket' | 'takeProfitMarket';
  readonly closePosition: true;
  readonly lots?: never;
  readonly quantity?: never;
} & StopInput &
  StopMarketLife;

/** An order of any type, as in `place` and in a list. */
export type ListOrder = Limit | Market | StopLimit | StopMarket | CloseStop;

export type PlaceLimit = { readonly kind: 'place' } & Limit;
export type PlaceMarket = { readonly kind: 'place' } & Market;
export type PlaceStopLimit = { readonly kind: 'place' } & StopLimit;
export type PlaceStopMarket = { readonly kind: 'place' } & StopMarket;
export type PlaceClose = { readonly kind: 'place' } & CloseStop;

/** A plain order; the engine sends it and never changes it. */
export type Place = PlaceLimit | PlaceMarket | PlaceStopLimit | PlaceStopMarket | PlaceClose;

/**
 * Orders that are accepted or rejected together and depend on each other, as docs/order-lists.md
 * describes.
 */
export interface PlaceList {
  readonly kind: 'placeList';
  readonly contingencyType: ContingencyType;
  readonly orders: readonly ListOrder[];
  /** True for a list from `bracket`: the engine then compares its prices too. */
  readonly bracket?: true;
}

type Unchanged<T> = { readonly [K in keyof T]?: never };
type SamePrice = Unchanged<{ ticks: 0; price: 0 }>;
type SameStop = Unchanged<{ stopTicks: 0; stopPrice: 0 }>;
type SameQuantity = Unchanged<{ lots: 0; quantity: 0 }>;

/** At least one of price, stop price and total quantity. */
export type Changed<P, S, Q> =
  | (P & (S | SameStop) & (Q | SameQuantity))
  | (S & (P | SamePrice) & (Q | SameQuantity))
  | (Q & (P | SamePrice) & (S | SameStop));

/** At least one of a new price, a new stop price and a new total quantity. */
export type Change = Changed<PriceInput, StopInput, QuantityInput>;

/** Changes price, stop price or total quantity of a plain order; the replacement has a new id. */
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

/**
 * Cancels all active orders of the strategy, of one symbol or all, and ends managed orders there.
 */
export interface CancelAll {
  readonly kind: 'cancelAll';
  readonly symbol?: string;
  readonly margin?: MarginMode | undefined;
}

/**
 * A managed order for a holding of the base currency: a share of the strategy's equity (0 to 1,
 * converted once, on acceptance), a value in the quote currency (converted likewise) or a number of
 * lots. On margin it is a position, negative for a short. Market orders maintain it.
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
   * True for `flat`: the plain orders of the symbol are canceled first, and the managed order ends
   * once the target is reached.
   */
  readonly clears?: true;
}

/** One side of a quote. */
export type QuoteSide = PriceInput & QuantityInput & Roundings;

/**
 * A managed order to rest in the book with at most one post-only order on each side; an absent side
 * is canceled. Filled lots are not placed again until the next quote.
 */
export interface Quote extends OrderMarket {
  readonly kind: 'quote';
  readonly bid?: QuoteSide;
  readonly ask?: QuoteSide;
}

/**
 * Sets the balance of a margin account, with transfers from and to the spot balance, and its
 * leverage. The balance is absolute, so that repeating the command is safe; absent members stay
 * unchanged.
 */
export interface SetMargin {
  readonly kind: 'setMargin';
  readonly symbol: string;
  readonly margin: MarginMode;
  readonly balance?: Decimal | undefined;
  readonly leverage?: Decimal | undefined;
  readonly replenish?: Replenish | undefined;
}

/** Automatic replenishing of a margin account from spot. */
export interface Replenish {
  /** Replenishes below this balance; only at a margin call if absent. */
  readonly floor?: Decimal | undefined;
  /** Balance after replenishing; the balance of the command if absent. */
  readonly target?: Decimal | undefined;
  /** Most funds per UTC day; 0 ends it. */
  readonly maxPerDay: Decimal;
}

/** Members of every algo order. */
interface Algo extends OrderMarket {
  /**
   * Permanent id, 8 to 32 letters, digits, `_` or `-`. The same command again is the same order,
   * after a restart too: it has no further effect.
   */
  readonly id: string;
}

/** An optional price of an order. */
type AnyPrice = PriceInput | Unchanged<{ ticks: 0; price: 0 }>;

/** An algo order that trades a quantity in one direction. */
type Executed = Algo & {
  readonly side: Side;
  /** On margin: its fills only reduce a position, and never flip it. */
  readonly reduceOnly?: boolean | undefined;
} & QuantityInput;

/** A quantity in slices over a time. */
type Sliced = Executed &
  AnyPrice & {
    /** Duration in milliseconds: `hours(1)`. */
    readonly over: number;
    readonly slices: number;
    /** Most random delay of a slice, as a fraction of the interval from 0 to 1. */
    readonly jitter?: number;
    /** Most of the market's volume since the last slice: `rate('0.1')`. */
    readonly participation?: Decimal;
    /** What happens to an unfilled rest: nothing, or a market order; nothing if absent. */
    readonly atEnd?: 'leave' | 'market';
  };

/** Slices of the same size (time weighted average price). */
export type Twap = { readonly kind: 'twap' } & Sliced;

/** The market's volume in an interval, in any unit. */
export interface ProfileVolume {
  readonly volume: number;
}

/** Slices by the volume of the market (volume weighted average price). */
export type Vwap = { readonly kind: 'vwap' } & Sliced & {
    /** Volume of each interval; without it slices follow the last interval's volume. */
    readonly profile?: readonly ProfileVolume[];
  };

/** A limit order with a visible part. */
export type Iceberg = { readonly kind: 'iceberg' } & Executed &
  PriceInput &
  (
    | { readonly visibleLots: Lots; readonly visibleQuantity?: never }
    | { readonly visibleQuantity: Decimal; readonly visibleLots?: never }
  ) & { readonly postOnly?: boolean };

/** Buys at each price and sells at the next one above, repeatedly. */
export type Grid = { readonly kind: 'grid' } & Algo &
  QuantityInput & {
    /** Number of prices, with the lowest and the highest. */
    readonly levels: number;
    /** Equal distance or equal ratio between prices; equal distance if absent. */
    readonly spacing?: 'arithmetic' | 'geometric';
  } & (
    | { readonly lowTicks: Ticks; readonly low?: never }
    | { readonly low: Decimal; readonly lowTicks?: never }
  ) &
  (
    | { readonly highTicks: Ticks; readonly high?: never }
    | { readonly high: Decimal; readonly highTicks?: never }
  );

/** Buys for the same value repeatedly (dollar cost averaging). */
export type Dca = { readonly kind: 'dca' } & Algo & {
    /** Value of each purchase, in the quote currency. */
    readonly value: Decimal;
    /** Most purchases. */
    readonly max: number;
    /** How far above the average price everything is sold: `rate('0.02')`. */
    readonly takeProfit?: Decimal;
  } & (
    | {
        /** Interval in milliseconds: `days(1)`. */
        readonly every: number;
        readonly drop?: never;
      }
    | {
        /** Drop of the price below the average price before each purchase: `rate('0.05')`. */
        readonly drop: Decimal;
        readonly every?: never;
      }
  );

/** A parent order: the engine sends child orders for it until it is done. */
export type AlgoCommand = Twap | Vwap | Iceberg | Grid | Dca;

/** A command of a strategy: plain frozen data, compared in tests and stored in the journal. */
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
