import { DepthFeed } from '../model/depth-feed.ts';
import type { Instrument } from '../model/instrument.ts';
import { US_PER_MINUTE } from '../platform/time.ts';
import { Book } from './book/book.ts';
import { SelfMatch } from './book/self-match.ts';
import { Due } from './due.ts';
import { Fees } from './ledger/fees.ts';
import { Herald } from './ledger/herald.ts';
import { Ledger } from './ledger/ledger.ts';
import type { Tariff } from './ledger/tariff.ts';
import type { ExchangeListener } from './listener.ts';
import { Lists, type OrderList } from './lists/lists.ts';
import { MarginAccounts } from './margin/accounts.ts';
import type { MarketData } from './market-data/market-data.ts';
import { published } from './market-data/published.ts';
import type { ExchangeOptions } from './options.ts';
import { Agenda } from './orders/agenda.ts';
import { Orders } from './orders/orders.ts';
import { Register } from './orders/register.ts';
import { Statuses } from './requests/statuses.ts';
import { Tape } from './tape/tape.ts';
import { Remainders } from './triggers/remainders.ts';
import { Stops } from './triggers/stops.ts';
import { Triggers } from './triggers/triggers.ts';

/** What an exchange has: everything that requests and the market change, and nothing that decides. */
export class State {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly stops: Stops;
  readonly lists: Lists;
  readonly books: readonly Book[];
  readonly tapes: readonly Tape[];
  /** What the recorded market shows of each instrument, and whether somebody else takes its rows in. */
  readonly recordedBooks: readonly DepthFeed[];
  readonly sharesBooks: boolean;
  readonly marketData: MarketData | undefined;
  readonly ledger: Ledger;
  readonly wallets: Ledger;
  readonly derivatives: Ledger;
  readonly herald: Herald;
  readonly fees: Fees;
  readonly tariffs: readonly Tariff[];
  readonly register: Register;
  readonly statuses: Statuses;
  readonly selfMatch: SelfMatch;
  readonly positions: MarginAccounts;
  /** What trades have brought about and is still to be done. */
  readonly agenda = new Agenda<number | OrderList>();
  readonly triggers: Triggers;
  /** Triggered orders that go on at the next print. */
  readonly remainders: Remainders;
  readonly due = new Due();

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
    this.stops = new Stops(this.orders);
    this.lists = new Lists(this.orders);
    this.books = instruments.map(() => new Book(this.orders));
    this.sharesBooks = options.recordedBooks !== undefined;
    this.recordedBooks = options.recordedBooks ?? instruments.map(() => new DepthFeed());
    this.tapes = this.recordedBooks.map((book) => new Tape(book));
    this.marketData = published(instruments, this.books, this.tapes, options.marketData);
    this.ledger = new Ledger(instruments, currencies);
    this.wallets = new Ledger(instruments, currencies);
    this.derivatives = new Ledger(instruments, currencies);
    this.herald = new Herald(this.ledger.purses.length, listener);
    this.fees = new Fees(instruments, this.ledger, this.derivatives);
    this.tariffs = this.fees.tariffs;
    this.register = new Register(this.orders, count, nameHoldUs, this.fees);
    this.statuses = new Statuses(instruments);
    this.selfMatch = new SelfMatch(options.selfMatch);
    this.positions = new MarginAccounts(instruments, this.orders, this.fees);
    this.triggers = new Triggers(this.orders, this.stops, count, this.agenda);
    this.remainders = new Remainders(this.orders, count);
  }
}
