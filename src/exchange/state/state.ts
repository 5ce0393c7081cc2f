import { DepthFeed } from '../../model/depth-feed.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_MINUTE } from '../../platform/time.ts';
import { Book } from '../book/book.ts';
import { StopBook } from '../book/stop-book.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import { Fees } from '../ledger/fees.ts';
import { Ledger } from '../ledger/ledger.ts';
import { BookSource } from '../market-data/book-source.ts';
import { type MarketData, published } from '../market-data/market-data.ts';
import { type OrderList, OrderLists } from '../orders/lists.ts';
import { OrderIndex } from '../orders/order-index.ts';
import { Orders } from '../orders/orders.ts';
import { Remainders } from '../orders/remainders.ts';
import { StopPrices } from '../orders/stop-prices.ts';
import { MarginAccounts } from '../positions/accounts.ts';
import { Contract } from '../positions/contract.ts';
import { MarkPrices } from '../positions/prices.ts';
import { MarginReports } from '../positions/report.ts';
import { FollowUps } from '../queues/follow-ups.ts';
import { TIMER, TimerQueue } from '../queues/timers.ts';
import { RecordedMarket } from '../recorded/recorded-market.ts';
import { Bank } from '../wallet/bank.ts';
import { FillEstimate } from './fill-estimate.ts';
import type { ExchangeListener } from './listener.ts';
import { type ExchangeOptions, type Rules, rulesOf } from './options.ts';
import { SelfMatch } from './self-match.ts';
import { SymbolStatuses } from './symbol-status.ts';
import { Symbols } from './symbols.ts';

/**
 * State of an exchange: everything that requests, the market and time change. It decides nothing.
 */
export class State {
  declare readonly instruments: readonly Instrument[];
  declare readonly symbols: Symbols;
  declare readonly listener: ExchangeListener;
  declare readonly rules: Rules;
  /** Time of the latest call. */
  now = 0;
  /** Time since which an order that starts to rest or to wait counts as present. */
  presentSince = 0;
  /** Id of the latest trade. */
  tradeId = 0;
  declare readonly orders: Orders;
  /** Stop prices, of the orders that have one. */
  declare readonly stops: StopPrices;
  /** Order lists with active orders. */
  declare readonly lists: OrderLists;
  declare readonly index: OrderIndex;
  /** Triggered orders that wait for the next print. */
  declare readonly remainders: Remainders;
  /** Follow-ups of trades: triggered orders, and lists whose primary has filled. */
  declare readonly followUps: FollowUps<number | OrderList>;
  declare readonly books: readonly Book[];
  declare readonly stopBook: StopBook;
  /** What the recorded market of each instrument shows, and the book of its feed. */
  declare readonly recorded: readonly RecordedMarket[];
  declare readonly recordedBooks: readonly DepthFeed[];
  /** True if another part applies the feed's rows to its books. */
  declare readonly sharesBooks: boolean;
  /**
   * Lots of resting orders that the recorded market has filled; only differences of it are used.
   */
  filledByMarket = 0;
  /** Price at which the last sweep of early orders halted, else NaN. */
  haltedAt = Number.NaN;
  /** Not later than the first time at which the close of a candle ends. */
  closesEndAt = Number.POSITIVE_INFINITY;
  /** Balances for spot and margin trading, of the wallets, and for futures. */
  declare readonly ledger: Ledger;
  declare readonly wallets: Ledger;
  declare readonly derivatives: Ledger;
  declare readonly fees: Fees;
  /** By fee schedule id. */
  declare readonly schedules: readonly FeeSchedule[];
  /** Unsettled trades of an incoming order: in ticks × lots, and in lots. */
  takenValue = 0;
  takenLots = 0;
  /** Latest fill estimate. */
  declare readonly estimate: FillEstimate;
  declare readonly statuses: SymbolStatuses;
  declare readonly selfMatch: SelfMatch;
  /** Margin accounts and positions, the prices that check them, and reports not emitted yet. */
  declare readonly marginAccounts: MarginAccounts;
  declare readonly contracts: readonly (Contract | undefined)[];
  declare readonly prices: MarkPrices;
  /** Displayed market of each instrument. */
  declare readonly sources: readonly BookSource[];
  declare readonly marginReports: MarginReports;
  /** Public market data, if it is published. */
  declare readonly marketData: MarketData | undefined;
  /** Wallets, sub-accounts and frozen accounts. */
  declare readonly bank: Bank;
  /** Timers, apart from the expiry of orders. */
  declare readonly timers: TimerQueue;
  /** True from the first known time, and if no interest, sample or expiry is ever due. */
  hasSchedule: boolean;

  constructor(
    instruments: readonly Instrument[],
    listener: ExchangeListener,
    options: ExchangeOptions,
  ) {
    const { nameHoldUs = US_PER_MINUTE, orderCapacity = 1_024, margin = {} } = options;
    const count = instruments.length;
    this.instruments = instruments;
    this.symbols = new Symbols(instruments);
    this.listener = listener;
    this.rules = rulesOf(options);
    const currencies = options.currencies?.map(({ code }) => code);
    const newLedger = (): Ledger => new Ledger(instruments, currencies);
    this.ledger = newLedger();
    this.wallets = newLedger();
    this.derivatives = newLedger();
    this.fees = new Fees(instruments, this.ledger, this.derivatives);
    this.schedules = this.fees.schedules;
    this.orders = new Orders(orderCapacity);
    this.stops = new StopPrices(this.orders);
    this.lists = new OrderLists(this.orders);
    this.index = new OrderIndex(this.orders, count, nameHoldUs, this.fees);
    this.remainders = new Remainders(this.orders, count);
    this.followUps = new FollowUps();
    this.timers = new TimerQueue();
    this.books = instruments.map(() => new Book(this.orders));
    this.stopBook = new StopBook(this.orders, this.stops, count, this.followUps);
    this.sharesBooks = options.recordedBooks !== undefined;
    this.recordedBooks = options.recordedBooks ?? instruments.map(() => new DepthFeed());
    this.recorded = this.recordedBooks.map((book) => new RecordedMarket(book));
    this.estimate = new FillEstimate();
    this.statuses = new SymbolStatuses(instruments);
    this.selfMatch = new SelfMatch(options.selfMatch);
    this.sources = this.books.map((book, index) => new BookSource(book, this.recorded[index]));
    this.marketData = published(instruments, this.books, this.recorded, options.marketData);
    const { reportedFunding = [] } = margin;
    this.contracts = instruments.map(({ isContract, symbol }, index) =>
      isContract ? new Contract(index, reportedFunding.includes(symbol)) : undefined,
    );
    this.marginAccounts = new MarginAccounts(instruments, this.orders, this.fees);
    this.prices = new MarkPrices(instruments, this.sources, this.stopBook.last, this.contracts);
    this.marginReports = new MarginReports();
    const ledgers = { spot: this.ledger, wallet: this.wallets, derivatives: this.derivatives };
    const rate = options.priceRate ?? ((from, to) => this.marketData?.rate(from, to));
    this.bank = new Bank({ ledgers, rate, listener, timers: this.timers, options });
    // Interest, samples and fundings start at the first call with a time.
    this.hasSchedule =
      Object.keys(this.rules.dailyRates).length === 0 &&
      !instruments.some((instrument) => instrument.isContract);
    if (!this.hasSchedule) this.timers.add(0, TIMER.START, 0);
  }

  /** Advances the time to `at`, unless it is later already. */
  setNow(at: number): void {
    if (at > this.now) this.now = at;
    this.presentSince = this.now;
  }
}
