import { DepthFeed } from '../../model/depth-feed.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_MINUTE } from '../../platform/time.ts';
import { Book } from '../book/book.ts';
import { SelfMatch } from './self-match.ts';
import { TimerQueue } from '../queues/timers.ts';
import { Fees } from '../ledger/fees.ts';
import { Herald } from './herald.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { ExchangeListener } from './listener.ts';
import { OrderLists, type OrderList } from '../orders/lists.ts';
import { MarginAccounts } from '../positions/accounts.ts';
import type { MarketData } from '../market-data/market-data.ts';
import { published } from '../market-data/published.ts';
import type { ExchangeOptions } from './options.ts';
import { FollowUps } from '../queues/follow-ups.ts';
import { Orders } from '../orders/orders.ts';
import { OrderIndex } from '../orders/order-index.ts';
import { SymbolStatuses } from './symbol-status.ts';
import { RecordedMarket } from '../recorded/recorded-market.ts';
import { Remainders } from '../orders/remainders.ts';
import { StopPrices } from '../orders/stop-prices.ts';
import { StopBook } from '../book/stop-book.ts';

/** What an exchange has: everything that requests and the market change, and nothing that decides. */
export class State {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly stops: StopPrices;
  readonly lists: OrderLists;
  readonly books: readonly Book[];
  readonly tapes: readonly RecordedMarket[];
  /** What the recorded market shows of each instrument, and whether somebody else takes its rows in. */
  readonly recordedBooks: readonly DepthFeed[];
  readonly sharesBooks: boolean;
  readonly marketData: MarketData | undefined;
  readonly ledger: Ledger;
  readonly wallets: Ledger;
  readonly derivatives: Ledger;
  readonly herald: Herald;
  readonly fees: Fees;
  readonly tariffs: readonly FeeSchedule[];
  readonly register: OrderIndex;
  readonly statuses: SymbolStatuses;
  readonly selfMatch: SelfMatch;
  readonly positions: MarginAccounts;
  /** What trades have brought about and is still to be done. */
  readonly agenda = new FollowUps<number | OrderList>();
  readonly triggers: StopBook;
  /** Triggered orders that go on at the next print. */
  readonly remainders: Remainders;
  readonly due = new TimerQueue();

  constructor(
    instruments: readonly Instrument[],
    listener: ExchangeListener,
    options: ExchangeOptions,
  ) {
    const { nameHoldUs = US_PER_MINUTE, orderCapacity = 1_024 } = options;
    const currencies = options.currencies?.map(({ code }) => code);
    const count = instruments.length;
    this.instruments = instruments;
    this.orders = new Orders(orderCapacity);
    this.stops = new StopPrices(this.orders);
    this.lists = new OrderLists(this.orders);
    this.books = instruments.map(() => new Book(this.orders));
    this.sharesBooks = options.recordedBooks !== undefined;
    this.recordedBooks = options.recordedBooks ?? instruments.map(() => new DepthFeed());
    this.tapes = this.recordedBooks.map((book) => new RecordedMarket(book));
    this.marketData = published(instruments, this.books, this.tapes, options.marketData);
    this.ledger = new Ledger(instruments, currencies);
    this.wallets = new Ledger(instruments, currencies);
    this.derivatives = new Ledger(instruments, currencies);
    this.herald = new Herald(this.ledger.purses.length, listener);
    this.fees = new Fees(instruments, this.ledger, this.derivatives);
    this.tariffs = this.fees.tariffs;
    this.register = new OrderIndex(this.orders, count, nameHoldUs, this.fees);
    this.statuses = new SymbolStatuses(instruments);
    this.selfMatch = new SelfMatch(options.selfMatch);
    this.positions = new MarginAccounts(instruments, this.orders, this.fees);
    this.triggers = new StopBook(this.orders, this.stops, count, this.agenda);
    this.remainders = new Remainders(this.orders, count);
  }
}
