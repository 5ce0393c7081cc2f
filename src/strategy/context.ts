import type { Observable } from 'rxjs';
import type { Candle } from '../model/candle.ts';
import type { Decimal } from '../model/decimal.ts';
import type { AlgoOrder } from '../model/algo-order.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Order, OrderList, Side } from '../model/order.ts';
import type { CandlePeriodName } from '../model/period.ts';
import type { AccountType, NonSpotAccountType, NonSpotBalance } from '../model/non-spot-balance.ts';
import type { Fill } from '../model/report.ts';
import type { Lots, Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import type { MarginAccount, MarginEvent, MarginPosition, Position } from './positions.ts';
import type { DerivativePrice, FundingRate, OpenInterest } from './derivatives.ts';
import type { Portfolio } from './portfolio.ts';
import type { MarginSymbol, Where } from './where.ts';

export type { Position } from './positions.ts';

/** A public trade. */
export interface Trade {
  readonly instrument: Instrument;
  /** Time of receipt by the strategy. */
  readonly at: Micros;
  /** Time stamp of the venue. */
  readonly stampedAt: Micros;
  /** The venue's trade id, 0 without one. */
  readonly id: number;
  /** Side of the taker. */
  readonly aggressor: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly price: Decimal;
  readonly size: Decimal;
}

/** Best bid and ask. An empty side has size 0 and price NaN. */
export interface BestBidOffer {
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
 * The current book. It is one live view, the same object at each emission: read it at once, and use
 * `levels` for a copy.
 */
export interface Book {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stale: boolean;
  /** Number of levels on a side. */
  depth(side: Side): number;
  /**
   * Price of the bid (`buy`) or ask (`sell`) at that level, the best being 0; NaN beyond the last.
   */
  ticksAt(side: Side, level: number): Ticks;
  /** Size at that level, the best being 0; 0 beyond the last. */
  lotsAt(side: Side, level: number): Lots;
  /** Sum of the sizes of the best `count` levels of a side. */
  depthLots(side: Side, count: number): number;
  /** A copy of the best `count` levels of a side, best first. */
  levels(side: Side, count: number): readonly Level[];
}

/** Market streams, by symbol. None emits before its first event. */
export interface Market {
  trades(symbol: string): Observable<Trade>;
  /** Emits once per message of the venue, when the book is complete. */
  book(symbol: string): Observable<Book>;
  /** Emits when best bid or ask, or one of their sizes, has changed. */
  bbo(symbol: string): Observable<BestBidOffer>;
  /**
   * Finished candles, from the feed if it has them, else built from its trades. Throws
   * `period-unknown`, and `feed-lacks` if the feed has no data to build them from.
   */
  candles(symbol: string, period: CandlePeriodName): Observable<Candle>;
  /**
   * Derivative data of a venue: mark and index price, the rate of the coming funding, open
   * interest. Each emits the current value at once if known, and throws `feed-lacks` if the feed
   * lacks it and nothing models it: in a backtest the exchange models mark, index and funding of a
   * contract that are not recorded.
   */
  mark(symbol: string): Observable<DerivativePrice>;
  index(symbol: string): Observable<DerivativePrice>;
  funding(symbol: string): Observable<FundingRate>;
  openInterest(symbol: string): Observable<OpenInterest>;
}

export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/**
 * Streams of the strategy's own orders and holdings. State streams emit the current value at once.
 */
export interface Account {
  /** Every change of an own order. */
  orders(symbol?: string): Observable<Order>;
  /**
   * Whole order lists, after every change of one of their orders; those with an order of the
   * symbol.
   */
  lists(symbol?: string): Observable<OrderList>;
  /** Every change of an algo order: start, trade, end. */
  algoOrders(): Observable<AlgoOrder>;
  fills(symbol?: string): Observable<Fill>;
  /** A holding of the spot account. */
  position(symbol: string): Observable<Position>;
  /** A margin position: emits at every change of it and of the price that it is checked by. */
  position(where: MarginSymbol): Observable<MarginPosition>;
  position(where: Where): Observable<Position>;
  /** The margin account of this market. */
  margin(where: MarginSymbol): Observable<MarginAccount>;
  /** Events of margin accounts, in one market or all. */
  marginEvents(where?: MarginSymbol): Observable<MarginEvent>;
  /** The strategy's spot balance: its budget, or the balance of the account. */
  balances(currency: string, accountType?: 'spot'): Observable<Balance>;
  /**
   * Wallet or derivatives balance of the whole account, as neither is part of a budget. The venue
   * is asked for it from the first subscription on. Throws `balances-unsupported` if the venue does
   * not report it.
   */
  balances(currency: string, accountType: NonSpotAccountType): Observable<NonSpotBalance>;
  balances(currency: string, accountType: AccountType): Observable<Balance>;
  /**
   * Value of all spot holdings in the quote currency of `symbol`, the basis of shares on spot: each
   * at the price of its own symbol against it. Emits when the value changes; excludes margin funds.
   */
  equity(symbol: string): Observable<Decimal>;
}

export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Everything a strategy can use. No network, no files, no clock but this one. */
export interface Context<P> {
  readonly parameters: P;
  readonly market: Market;
  readonly account: Account;
  readonly portfolio: Portfolio;
  readonly clock: { now(): Micros };
  readonly log: Log;
  /** Throws `symbol-unknown`. */
  readonly instrument: (symbol: string) => Instrument;
  /** Plots a value over time in the report, one line for each name. */
  readonly plot: (name: string, value: number) => void;
}
