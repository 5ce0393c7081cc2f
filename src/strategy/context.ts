import type { Observable } from 'rxjs';
import type { Candle } from '../model/candle.ts';
import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { ContingencyType, OrderStatus, OrderType, Side, VenueOrder } from '../model/order.ts';
import type { PeriodName } from '../model/period.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Fill } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { Portfolio } from './portfolio.ts';

/** A public trade. */
export interface Trade {
  readonly instrument: Instrument;
  /** When it reached the strategy. */
  readonly at: Micros;
  /** When the venue stamped it. */
  readonly stampedAt: Micros;
  /** The venue's trade id, 0 where it gives none. */
  readonly id: number;
  /** Side of the order that took liquidity. */
  readonly aggressor: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly price: Decimal;
  readonly size: Decimal;
}

/** Best bid and ask. A side that is empty has size 0 and NaN for its price. */
export interface Top {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly bidTicks: Ticks;
  readonly bidLots: Lots;
  readonly askTicks: Ticks;
  readonly askLots: Lots;
  /** True while the feed has a gap: the prices may be old. */
  readonly stale: boolean;
}

/** One level of a book. */
export interface Level {
  readonly ticks: Ticks;
  readonly lots: Lots;
}

/**
 * The book as it stands now. It is one living view, the same object at each emission: read it
 * when it comes, and take `levels` to keep something.
 */
export interface Book {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stale: boolean;
  /** Number of levels on a side. */
  count(side: Side): number;
  /** Price `rank` places from the best of the bids (`buy`) or asks (`sell`); NaN beyond the last. */
  ticksAt(side: Side, rank: number): Ticks;
  /** Size `rank` places from the best; 0 beyond the last. */
  lotsAt(side: Side, rank: number): Lots;
  /** Sum of the sizes of the best `count` levels of a side. */
  depthLots(side: Side, count: number): number;
  /** A copy of the best `count` levels of a side, best first. */
  levels(side: Side, count: number): readonly Level[];
}

/** Streams of the market, by symbol. Each is silent until its first event. */
export interface Market {
  trades(symbol: string): Observable<Trade>;
  /** Emits once per message of the venue, when the book is whole again. */
  book(symbol: string): Observable<Book>;
  /** Emits when best bid or ask, or one of their sizes, has changed. */
  top(symbol: string): Observable<Top>;
  /**
   * Finished candles, read from the feed where it has them, else built from its trades. Throws
   * `period-unknown`, and `feed-lacks` where the feed has nothing to build them from.
   */
  candles(symbol: string, period: PeriodName): Observable<Candle>;
}

/** An order of this strategy as the engine knows it. */
export interface TrackedOrder {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /**
   * `pending`: sent, not answered. `rejected`: refused, `refusal` says why. `unknown`: the fate
   * is not known and counts fully against limits. The rest as the venue says.
   */
  readonly status: OrderStatus | 'pending' | 'rejected' | 'unknown';
  /** The order that took its place: this one is `canceled` for it, and the wish to trade goes on. */
  readonly replacedBy?: string;
  readonly lots: Lots;
  readonly executedLots: Lots;
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
  /** The fee rates that it asked for itself, as fractions; they only raise what the account pays. */
  readonly takeRate?: Decimal;
  readonly makeRate?: Decimal;
  /** Of an order of a list: the client order id of the first order, which the list keeps for life. */
  readonly orderListId?: string;
  readonly contingencyType?: ContingencyType;
  /** Its place in the list, 0 for the first order; a replacement takes the place of the old one. */
  readonly listIndex?: number;
  /** Of an order of a list that waits for the first one to fill. */
  readonly inactive?: true;
  /** True when a wish owns it. */
  readonly wished: boolean;
  readonly refusal?: Refusal;
  /** As last reported; absent before the first report. */
  readonly venueOrder?: VenueOrder;
}

/** An order list of this strategy as the engine knows it. */
export interface TrackedList {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /** In list order, each as it now stands; one that was replaced stands for the one that it replaced. */
  readonly orders: readonly TrackedOrder[];
  /** True while one of its orders can still execute. */
  readonly active: boolean;
}

/** What the strategy holds of an instrument's base currency. */
export interface Position {
  readonly instrument: Instrument;
  /** Holdings in whole lots, rounded down; reserved ones included. */
  readonly lots: Lots;
  readonly size: Decimal;
  /** Quantity-weighted mean price of the holding in ticks, not rounded; NaN when nothing is held or the cost is not known. */
  readonly entryTicks: number;
}

export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** Streams of the strategy's own orders and holdings. Those of state emit the present at once. */
export interface Account {
  /** Every change of an own order. */
  orders(symbol?: string): Observable<TrackedOrder>;
  /** Order lists, whole, after every change of one of their orders; those with an order of the symbol. */
  lists(symbol?: string): Observable<TrackedList>;
  fills(symbol?: string): Observable<Fill>;
  position(symbol: string): Observable<Position>;
  balances(currency: string): Observable<Balance>;
  /** Worth of all holdings in the quote currency of `symbol`, at its last price; emits when either changes. */
  equity(symbol: string): Observable<Decimal>;
}

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** All that a strategy sees. No network, no files, no clock but this one. */
export interface Context<P> {
  readonly parameters: P;
  readonly market: Market;
  readonly account: Account;
  readonly portfolio: Portfolio;
  readonly clock: { now(): Micros };
  readonly log: Log;
  /** Throws `symbol-unknown`. */
  readonly instrument: (symbol: string) => Instrument;
  /** Draws a value over time in the report; the same name is one line. */
  readonly plot: (name: string, value: number) => void;
}
