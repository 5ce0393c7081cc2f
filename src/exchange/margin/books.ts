import type { Instrument } from '../../model/instrument.ts';
import type { Book } from '../book/book.ts';
import type { Reach } from '../book/reach.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Herald } from '../ledger/herald.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Lists } from '../lists/lists.ts';
import { BookSource } from '../market-data/book-source.ts';
import type { Orders } from '../orders/orders.ts';
import type { Register } from '../orders/register.ts';
import type { Tape } from '../tape/tape.ts';
import type { Stops } from '../triggers/stops.ts';
import type { Triggers } from '../triggers/triggers.ts';
import type { MarginAccounts } from './accounts.ts';
import { Admission } from './admission.ts';
import { Chronicle } from './chronicle.ts';
import { Clearing } from './clearing.ts';
import { Contract } from './contract.ts';
import { Prices } from './prices.ts';
import { Reserves } from './reserves.ts';
import { Vault } from './vault.ts';
import { Watch } from './watch.ts';

/** What the books of margin trading are built on. */
export interface MarginBooksSetup {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly stops: Stops;
  readonly lists: Lists;
  readonly register: Register;
  readonly reach: Reach;
  readonly triggers: Triggers;
  readonly fees: Fees;
  readonly books: readonly Book[];
  readonly tapes: readonly Tape[];
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
  readonly prices: Prices;
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
    this.prices = new Prices(instruments, sources, setup.triggers.last, contracts, now);
    const { prices } = this;
    this.watch = new Watch(accounts, prices);
    // 3. What an order must pass.
    this.reserves = new Reserves({ ...setup, accounts, prices });
    const { reserves } = this;
    this.admission = new Admission({ ...setup, accounts, reserves, prices });
  }
}
