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

/** What an exchange has: everything that requests, the market and time change, and nothing that decides. */
export class State {
  declare readonly instruments: readonly Instrument[];
  declare readonly symbols: Symbols;
  declare readonly listener: ExchangeListener;
  declare readonly rules: Rules;
  /** Time of the latest call. */
  now = 0;
  /** Time from which an order that comes to rest or to wait now is held to have been there. */
  comesAt = 0;
  /** Number of the latest trade. */
  tradeId = 0;
  declare readonly orders: Orders;
  /** Stop prices, of the orders that have one. */
  declare readonly stops: StopPrices;
  /** Order lists with active orders. */
  declare readonly lists: OrderLists;
  declare readonly index: OrderIndex;
  /** Triggered orders that go on at the next print. */
  declare readonly remainders: Remainders;
  /** What trades have brought about and is still to be done: orders that are triggered, lists whose primary has filled. */
  declare readonly followUps: FollowUps<number | OrderList>;
  declare readonly books: readonly Book[];
  declare readonly stopBook: StopBook;
  /** What the recorded market shows of each instrument, and the book of its feed. */
  declare readonly recorded: readonly RecordedMarket[];
  declare readonly recordedBooks: readonly DepthFeed[];
  /** True where somebody else takes the rows of the feed into its books. */
  declare readonly sharesBooks: boolean;
  /** Lots of resting orders that the recorded market has filled, a running sum of which differences are used. */
  filledByMarket = 0;
  /** Where the last sweep of early orders halted, else NaN. */
  haltedAt = Number.NaN;
  /** No later than the first time at which the close of a candle can no longer be taken. */
  closesEndAt = Number.POSITIVE_INFINITY;
  /** Balances for spot and margin trading, of the wallets, and for futures. */
  declare readonly ledger: Ledger;
  declare readonly wallets: Ledger;
  declare readonly derivatives: Ledger;
  declare readonly fees: Fees;
  /** By number of the fee schedule. */
  declare readonly schedules: readonly FeeSchedule[];
  /** What of an incoming order is traded and not settled: in ticks times lots, and in lots. */
  takenValue = 0;
  takenLots = 0;
  /** What an order could execute, as it was estimated last. */
  declare readonly estimate: FillEstimate;
  declare readonly statuses: SymbolStatuses;
  declare readonly selfMatch: SelfMatch;
  /** Margin accounts and positions, what they are judged by, and what happened to them and is not emitted yet. */
  declare readonly marginAccounts: MarginAccounts;
  declare readonly contracts: readonly (Contract | undefined)[];
  declare readonly prices: MarkPrices;
  /** What is displayed of each instrument's market. */
  declare readonly sources: readonly BookSource[];
  declare readonly marginReports: MarginReports;
  /** What everybody may know, where that is wanted. */
  declare readonly marketData: MarketData | undefined;
  /** Wallets, sub-accounts, and who is frozen. */
  declare readonly bank: Bank;
  /** What happens by time, the expiry of orders aside. */
  declare readonly timers: TimerQueue;
  /** True from the first time that is known, and where no interest, sample or expiry is ever due. */
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
    // Interest, samples and fundings are computed from the first call that gives a time.
    this.hasSchedule =
      Object.keys(this.rules.dailyRates).length === 0 && !instruments.some((one) => one.isContract);
    if (!this.hasSchedule) this.timers.add(0, TIMER.START, 0);
  }

  /** Lets time come to `at`, or stay where it is later already. */
  come(at: number): void {
    if (at > this.now) this.now = at;
    this.comesAt = this.now;
  }
}
