import type { MarginStore } from '../../engine/account/margin-store.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { Micros } from '../../platform/time.ts';
import { checkCensus, keepCensus } from './census.ts';
import type { JournalFile } from './file.ts';
import { Foreign } from './foreign.ts';
import type { ForeignChanges } from './foreign-changes.ts';
import { KeptHoldings } from './holdings.ts';
import { InstrumentRows } from './instrument-rows.ts';
import { Intended } from './intended.ts';
import { KeptMargin } from './kept-margin.ts';
import { OrderRows } from './order-rows.ts';
import { KeptOrders } from './orders.ts';
import { Standing } from './standing.ts';
import { Story, type Told } from './story.ts';

/** The last event before which stories of orders may lack something, as a fact. */
export const WHOLE = 'storyWholeAfter';

/** The tables of a journal, as far as they are in memory. What has changed is written together. */
export class JournalTables {
  readonly instruments: InstrumentRows;
  readonly rows: OrderRows;
  readonly orders: KeptOrders;
  readonly holdings: KeptHoldings;
  readonly margin: KeptMargin;
  readonly foreign: Foreign;
  readonly standing: Standing;
  readonly story: Story;
  readonly intended: Intended;

  /** Reads what every start needs. Throws `journal-invalid` where that is damaged or not whole. */
  constructor(file: JournalFile, store: OrderStore, margin: MarginStore, changes: ForeignChanges) {
    this.instruments = new InstrumentRows(file);
    this.rows = new OrderRows(file, this.instruments);
    this.orders = new KeptOrders(this.rows, store);
    this.holdings = new KeptHoldings(file);
    this.margin = new KeptMargin(file, { store: margin, holdings: this.holdings, changes });
    this.foreign = new Foreign(file);
    this.standing = new Standing(file);
    this.story = new Story(file);
    this.intended = new Intended(file);
    checkCensus(file, this);
  }

  /**
   * Writes what has changed, and what `work` does, within a transaction. `adopted` open orders come
   * with it that are not held yet.
   */
  write(work: () => void, told: readonly Told[], adopted: number): void {
    keepCensus(this, adopted);
    this.orders.write();
    work();
    this.holdings.write();
    this.margin.write();
    this.foreign.write();
    this.standing.write();
    this.story.write(told);
    this.intended.write();
  }

  /** A process goes on with the journal: of what it has not heard of nobody knows whether it arrived. */
  started(at: Micros): void {
    const { orders, rows, standing, story } = this;
    // What older releases told of orders is not whole.
    if (standing.fact(WHOLE) === undefined) standing.setFact(WHOLE, String(story.lastSequence()));
    orders.doubtAll(at);
    if (!rows.isEmpty) story.tell({ kind: 'started', at, body: null });
  }

  /** All of it is in the file. */
  written(): void {
    this.orders.written();
    this.holdings.written();
    this.margin.written();
    this.foreign.written();
    this.standing.written();
    this.story.written();
    this.intended.written();
  }
}
