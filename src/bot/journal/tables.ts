import type { MarginStore } from '../../engine/account/margin-store.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { Micros } from '../../platform/time.ts';
import { checkCensus, keepCensus } from './census.ts';
import type { JournalFile } from './file.ts';
import { Foreign } from './foreign.ts';
import type { ForeignChanges } from './foreign-changes.ts';
import { StoredHoldings } from './holdings.ts';
import { InstrumentRows } from './instrument-rows.ts';
import { Intended } from './intended.ts';
import { StoredMargin } from './stored-margin.ts';
import { OrderRows } from './order-rows.ts';
import { StoredOrders } from './orders.ts';
import { StateTable } from './state-table.ts';
import { OrderEventLog, type ReportedOrder } from './order-event-log.ts';

/** The last event before which stories of orders may lack something, as a fact. */
export const WHOLE = 'storyWholeAfter';

/** The tables of a journal, as far as they are in memory. Changes are written together. */
export class JournalTables {
  readonly instruments: InstrumentRows;
  readonly rows: OrderRows;
  readonly orders: StoredOrders;
  readonly holdings: StoredHoldings;
  readonly margin: StoredMargin;
  readonly foreign: Foreign;
  readonly stateTable: StateTable;
  readonly log: OrderEventLog;
  readonly intended: Intended;

  /** Reads what every start needs. Throws `journal-invalid` if that is damaged or not whole. */
  constructor(file: JournalFile, store: OrderStore, margin: MarginStore, changes: ForeignChanges) {
    this.instruments = new InstrumentRows(file);
    this.rows = new OrderRows(file, this.instruments);
    this.orders = new StoredOrders(this.rows, store);
    this.holdings = new StoredHoldings(file);
    this.margin = new StoredMargin(file, { store: margin, holdings: this.holdings, changes });
    this.foreign = new Foreign(file);
    this.stateTable = new StateTable(file);
    this.log = new OrderEventLog(file);
    this.intended = new Intended(file);
    checkCensus(file, this);
  }

  /**
   * Writes the changes and runs `work` within a transaction. `adopted` open orders are added that are not
   * held yet.
   */
  write(work: () => void, reported: readonly ReportedOrder[], adopted: number): void {
    keepCensus(this, adopted);
    this.orders.write();
    work();
    this.holdings.write();
    this.margin.write();
    this.foreign.write();
    this.stateTable.write();
    this.log.write(reported);
    this.intended.write();
  }

  /** A new process continues the journal: requests without a report have an unknown outcome. */
  started(at: Micros): void {
    const { orders, rows, stateTable, log } = this;
    // Order events of older releases are incomplete.
    if (stateTable.fact(WHOLE) === undefined) stateTable.setFact(WHOLE, String(log.lastSequence()));
    orders.unknownOutcomeAll(at);
    if (!rows.isEmpty) log.emit({ kind: 'started', at, body: null });
  }

  /** All changes are in the file. */
  written(): void {
    this.orders.written();
    this.holdings.written();
    this.margin.written();
    this.foreign.written();
    this.stateTable.written();
    this.log.written();
    this.intended.written();
  }
}
