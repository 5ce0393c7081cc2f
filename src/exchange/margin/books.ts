import type { Instrument } from '../../model/instrument.ts';
import type { Book } from '../book/book.ts';
import type { Reach } from '../stages/fill-estimate.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Herald } from '../state/herald.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderLists } from '../orders/lists.ts';
import { BookSource } from '../market-data/book-source.ts';
import type { Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import type { StopBook } from '../book/stop-book.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import { Admission } from '../stages/margin-check.ts';
import { Chronicle } from '../clearing/reports.ts';
import { Clearing } from '../clearing/positions.ts';
import { Contract } from '../positions/contract.ts';
import { MarkPrices } from '../positions/prices.ts';
import { Reserves } from '../clearing/requirement.ts';
import { Vault } from '../clearing/funds.ts';
import { Watch } from '../clearing/standing.ts';

/** What the books of margin trading are built on. */
export interface MarginBooksSetup {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly stops: StopPrices;
  readonly lists: OrderLists;
  readonly register: OrderIndex;
  readonly reach: Reach;
  readonly triggers: StopBook;
  readonly fees: Fees;
  readonly books: readonly Book[];
  readonly tapes: readonly RecordedMarket[];
  readonly ledger: Ledger;
  readonly derivatives: Ledger;
  readonly herald: Herald;
  readonly now: () => number;
  /** The number of the latest trade. */
  readonly tradeId: () => number;
  /** Symbols of which a venue tells the funding. */
  readonly toldFunding?: readonly string[] | undefined;
}

/** What margin trading keeps: accounts, positions, what they hold, and the prices that judge them. */
export class MarginBooks {
  readonly accounts: MarginAccounts;
  readonly vault: Vault;
  readonly chronicle: Chronicle;
  readonly clearing: Clearing;
  /** What is published of each instrument's market. */
  readonly sources: readonly BookSource[];
  /** By instrument, undefined where it is no contract. */
  readonly contracts: readonly (Contract | undefined)[];
  readonly prices: MarkPrices;
  readonly watch: Watch;
  readonly reserves: Reserves;
  readonly admission: Admission;

  constructor(accounts: MarginAccounts, setup: MarginBooksSetup) {
    const { instruments, books, tapes, ledger, derivatives, herald, now } = setup;
    // 1. Who has what.
    this.accounts = accounts;
    this.vault = new Vault(ledger, derivatives, herald);
    this.chronicle = new Chronicle(instruments, ledger, now);
    const { vault, chronicle } = this;
    this.clearing = new Clearing({ ...setup, accounts, vault, chronicle });
    // 2. By what it is judged.
    this.sources = books.map((book, index) => new BookSource(book, tapes[index]));
    const { toldFunding = [] } = setup;
    this.contracts = instruments.map(({ isContract, symbol }, index) =>
      isContract ? new Contract(index, toldFunding.includes(symbol)) : undefined,
    );
    const { sources, contracts } = this;
    this.prices = new MarkPrices(instruments, sources, setup.triggers.last, contracts, now);
    const { prices } = this;
    this.watch = new Watch(accounts, prices);
    // 3. What an order must pass.
    this.reserves = new Reserves({ ...setup, accounts, prices });
    const { reserves } = this;
    this.admission = new Admission({ ...setup, accounts, reserves, prices });
  }
}
