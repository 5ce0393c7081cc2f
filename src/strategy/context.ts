import type { Observable } from 'rxjs';
import type { Candle } from '../model/candle.ts';
import type { Decimal } from '../model/decimal.ts';
import type { AlgoOrder } from '../model/algo-order.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Order, OrderList, Side } from '../model/order.ts';
import type { CandlePeriodName } from '../model/period.ts';
import type { NonSpotAccountType, NonSpotBalance } from '../model/non-spot-balance.ts';
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
  /** When it reached the strategy. */
  readonly at: Micros;
  /** When the venue stamped it. */
  readonly stampedAt: Micros;
  /** The venue's trade id, 0 if it gives none. */
  readonly id: number;
  /** Side of the order that took liquidity. */
  readonly aggressor: Side;
  readonly ticks: Ticks;
  readonly lots: Lots;
  readonly price: Decimal;
  readonly size: Decimal;
}

/** Best bid and ask. A side that is empty has size 0 and NaN for its price. */
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
 * The book as it stands now. It is one living view, the same object at each emission: read it
 * when it comes, and take `levels` to keep something.
 */
export interface Book {
  readonly instrument: Instrument;
  readonly at: Micros;
  readonly stale: boolean;
  /** Number of levels on a side. */
  depth(side: Side): number;
  /** Price `rank` places from the best of the bids (`buy`) or asks (`sell`); NaN beyond the last. */
  ticksAt(side: Side, level: number): Ticks;
  /** Size `rank` places from the best; 0 beyond the last. */
  lotsAt(side: Side, level: number): Lots;
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
  bbo(symbol: string): Observable<BestBidOffer>;
  /**
   * Finished candles, read from the feed where it has them, else built from its trades. Throws
   * `period-unknown`, and `feed-lacks` where the feed has nothing to build them from.
   */
  candles(symbol: string, period: CandlePeriodName): Observable<Candle>;
  /**
   * What a venue says of a derivative beside its market: mark and index price, the rate of the coming
   * funding, how much is open. Each emits the present at once where it is known, and throws `feed-lacks`
   * where the feed holds none and nothing models it: in a backtest the exchange makes mark, index and
   * funding of a contract that are not recorded.
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

/** Where money of an account is that no margin account holds. */
export type AccountType = 'spot' | NonSpotAccountType;

/** Streams of the strategy's own orders and holdings. Those of state emit the present at once. */
export interface Account {
  /** Every change of an own order. */
  orders(symbol?: string): Observable<Order>;
  /** Order lists, whole, after every change of one of their orders; those with an order of the symbol. */
  lists(symbol?: string): Observable<OrderList>;
  /** Every change of an algo order: it began, traded, ended. */
  algoOrders(): Observable<AlgoOrder>;
  fills(symbol?: string): Observable<Fill>;
  /** A holding of the spot account. */
  position(symbol: string): Observable<Position>;
  /** A position on margin: emits with every change of it and of the price that it is judged by. */
  position(where: MarginSymbol): Observable<MarginPosition>;
  position(where: Where): Observable<Position>;
  /** The margin account that bears what is traded there. */
  margin(where: MarginSymbol): Observable<MarginAccount>;
  /** What happens to margin accounts: of one place, or of all. */
  marginEvents(where?: MarginSymbol): Observable<MarginEvent>;
  /** What the strategy has on spot: its budget, or the balance of the account. */
  balances(currency: string, accountType?: 'spot'): Observable<Balance>;
  /**
   * What the account has in its wallet or its derivatives balance: of the account as a whole, as neither is
   * part of a budget. A venue is asked for it from the first subscription on. Throws `balances-unsupported`
   * where the venue reports none.
   */
  balances(currency: string, accountType: NonSpotAccountType): Observable<NonSpotBalance>;
  balances(currency: string, accountType: AccountType): Observable<Balance>;
  /**
   * Value of all spot holdings in the quote currency of `symbol`, of which shares on spot are taken: each at the
   * price of its own symbol against it. Emits when either changes; margin funds are not in it.
   */
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
