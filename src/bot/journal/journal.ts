import type { RestoredState } from '../../engine/session.ts';
import type { Instrument } from '../../model/instrument.ts';
import { MarginStore } from '../../engine/account/margin-store.ts';
import { OrderStore } from '../../engine/orders/order-store.ts';
import {
  marginAccountId,
  type MarginAccountId,
  type MarginReport,
} from '../../model/margin-account.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import type { Order, VenueOrder } from '../../model/order.ts';
import { reportedId, type Fill, type Report } from '../../model/report.ts';
import { US_PER_DAY, type Micros } from '../../platform/time.ts';
import type { AccountSnapshot } from '../../gateways/venue-account.ts';
import type { TradingState } from '../../risk/state.ts';
import { DueFlush } from './due.ts';
import type { JournalFile } from './file.ts';
import { ForeignChanges } from './foreign-changes.ts';
import { JournalFiles } from './files.ts';
import { ManagedStates } from './managed-states.ts';
import { takeIn, takenId, type ReportRecorder } from './report-recorder.ts';
import { isOtherOrder, type StoredOrder } from './order.ts';
import { JournalProof } from './proof.ts';
import type {
  AnyIntent,
  ComparedSnapshot,
  DayStart,
  JournaledReport,
  CaughtUp,
  ReceivedMargin,
  Intent,
  JournaledAccount,
  JournaledBalance,
  JournaledFill,
  JournaledDiscrepancy,
  JournaledHolding,
  JournaledState,
} from './records.ts';
import type { CommitOptions, JournalOptions, Keepsake } from './options.ts';
import type { StoredMargin } from './stored-margin.ts';
import { JournalRetention } from './retention.ts';
import { keepTwice, storedStatesOf, latestStates } from './state-copies.ts';
import type { StateFile } from './state-file.ts';
import type { ReportedOrder } from './order-event-log.ts';
import { JournalTables } from './tables.ts';
import { writeTerms } from './terms.ts';

const RETENTION_US = 90 * US_PER_DAY;

/**
 * The durable record of one account: requests before they left, what was sent, and what was received. It is
 * all that remains after the bot's process was killed.
 */
export class Journal {
  readonly account: string;
  /** Four letters or digits in the client order ids, which make them unique across lost journals. */
  readonly identity: string;
  /** The orders of the account. */
  readonly orders: OrderStore;
  /** The margin accounts of the account, and their owners. */
  readonly margin: MarginStore = new MarginStore();
  /** Facts that outlive the journal; written in place, even on a full disk. */
  readonly stateFile: StateFile;
  readonly managed: ManagedStates;
  readonly foreignChanges = new ForeignChanges();
  readonly proof: JournalProof;
  readonly #file: JournalFile;
  readonly #files: JournalFiles;
  readonly #options: JournalOptions;
  readonly #tables: JournalTables;
  readonly #retention: JournalRetention;
  readonly #due: DueFlush;

  private constructor(files: JournalFiles, options: JournalOptions) {
    const { account, scheduler, retentionUs = RETENTION_US } = options;
    this.account = account;
    this.stateFile = files.state;
    this.#files = files;
    this.#file = files.database;
    const file = this.#file;
    this.#options = options;
    const failed = (error: unknown): void => options.failed?.(error);
    this.#due = new DueFlush(scheduler, () => this.flush(), failed);
    this.orders = options.orders ?? new OrderStore();
    this.#tables = new JournalTables(file, this.orders, this.margin, this.foreignChanges);
    const { intended } = this.#tables;
    this.managed = new ManagedStates(this.#tables.stateTable, this.#due);
    this.proof = new JournalProof(files, this.#tables, options);
    this.identity = this.proof.identity;
    this.#take(intended.left((intents) => this.#recordIntents(intents)));
    this.#tables.orders.restoreLists();
    this.#tables.started(scheduler.now());
    this.flush({ isDurable: true });
    this.proof.mark();
    this.#retention = new JournalRetention({
      file,
      scheduler,
      retentionUs,
      flush: () => this.flush(),
      mark: () => this.proof.mark(),
      reconciledAt: () => this.reconciledAt,
      failed,
    });
  }

  /**
   * Opens the journal of an account; creates it if there is none. Throws `journal-locked` if another
   * process has it, `journal-unconfirmed` if an operator has to check it first, `journal-invalid` and
   * `journal-unwritable`.
   */
  static open(path: string, options: JournalOptions): Journal {
    const files = JournalFiles.open(path, options);
    try {
      return new Journal(files, options);
    } catch (error) {
      files.close();
      throw error;
    }
  }

  /** Path of the file, for other readers. */
  get path(): string {
    return this.#files.path;
  }

  /** Sets the terms of the instruments; orders in an unknown one are rejected. */
  learn(instruments: readonly Instrument[]): void {
    const news = this.#tables.instruments.unknown(instruments);
    if (news.length === 0) return;
    let written: ReadonlyMap<Instrument, number> = new Map();
    this.#commit(() => {
      written = writeTerms(news, this.#tables);
    });
    this.#tables.instruments.take(written);
  }

  /**
   * Journals requests before they are sent: all are on disk when this returns, or none of them and it
   * throws `journal-unwritable`. Throws `request-invalid` for an id that is taken.
   */
  intend(intents: readonly Intent[]): void {
    const { orders, instruments, intended } = this.#tables;
    const isHeld = (id: string): boolean => orders.held(id) !== undefined;
    const known = {
      kept: (id: string) => orders.kept(id),
      asked: (request: OrderRequest) => orders.asked(request),
    };
    const intake = takeIn(intents, instruments, known, isHeld);
    const [first, ...more] = intake.orders.keys();
    for (const id of more) if (this.#tables.rows.order(id) !== undefined) throw takenId(id);
    if (!intended.append([...this.managed.unsaved, ...intents], first)) throw takenId(first);
    this.managed.saved();
    this.#take(intake);
    this.#due.soon();
  }

  /**
   * Adds cancels that were sent although the journal could not be written. They are written as soon as it
   * can be.
   */
  intendedLate(intents: readonly Intent[]): void {
    this.#take(this.#recordIntents(intents));
    this.#due.soon();
  }

  /** Writes down, with the next commit, that requests left. */
  sent(clientOrderIds: readonly string[]): void {
    const at = this.#now();
    for (const clientOrderId of clientOrderIds) {
      const strategy = this.#tables.orders.find(clientOrderId)?.strategy;
      this.#emit({ kind: 'sent', at, strategy, clientOrderId, body: null });
    }
  }

  /**
   * Journals a margin account setting before it is sent; the strategy owns the account from now on. It is
   * on disk when this returns, or it throws `journal-unwritable`.
   */
  intendMargin(strategy: string, request: MarginRequest): void {
    // With the answers to earlier settings: of the unanswered ones the next run knows one for each account.
    if (this.margin.find(this.#marginAccountOf(request))?.parts !== undefined) this.flush();
    const intents = [{ at: this.#now(), strategy, request }];
    const intake = this.#recordIntents(intents);
    this.#tables.intended.append(intents, undefined);
    this.#take(intake);
    this.#due.soon();
  }

  /** Changes the stored margin accounts; the next commit writes them. */
  marginAccounts<T>(work: (margin: StoredMargin) => T): T {
    this.#due.soon();
    return work(this.#tables.margin);
  }

  /**
   * Applies a margin account report; it is in the file within 50 ms. Returns the reports for strategies:
   * none if it has no owner or nothing new.
   */
  receivedMargin(report: MarginReport, at: Micros): readonly ReceivedMargin[] {
    const { margin } = this.#tables;
    const instrumentOf = (symbol: string): Instrument | undefined => this.instrument(symbol);
    const received = margin.received(report, instrumentOf);
    this.#emit({ kind: 'received', at, strategy: received[0]?.strategy, body: report });
    return received;
  }

  /**
   * True while reports of a shared account are held until reconciliation has found what happened before
   * them.
   */
  marginWaits(marginAccount: MarginAccountId): boolean {
    return this.#tables.margin.waits(marginAccount);
  }

  /** Reports may be missing until the next comparison, as the connection was lost. */
  missing(): void {
    this.#tables.margin.behind();
  }

  /** When something was last received from the venue; absent before the first time. */
  get lastReceivedAt(): Micros | undefined {
    return this.#tables.stateTable.time('lastHeardAt');
  }

  /**
   * Applies a report to the orders; it is in the file within 50 ms. `isMissed` for a report that a
   * comparison found.
   */
  received(report: Report, at: Micros, isMissed = false): JournaledReport {
    this.#tables.stateTable.setFact('lastHeardAt', String(at));
    if (report.kind === 'balance') {
      this.#emit({ kind: 'received', at, body: report });
      const available = report.available.toDecimal();
      const reserved = report.reserved.toDecimal();
      const { currency, at: stampedAt } = report;
      this.#tables.stateTable.balances.set({ currency, available, reserved, at: stampedAt });
      return { isNew: true, changes: [] };
    }
    const clientOrderId = reportedId(report);
    const named = this.#tables.orders.find(clientOrderId);
    // A different order with the same id is foreign, whatever was requested under that id.
    const isOther = named !== undefined && 'order' in report && isOtherOrder(named, report.order);
    const kept = isOther ? undefined : named;
    const strategy = kept?.strategy;
    this.#emit({ kind: 'received', at, strategy, clientOrderId, body: report });
    if (kept === undefined) {
      return { isNew: report.kind !== 'trade' || this.keepForeign(report.fill), changes: [] };
    }
    const changes = this.#tables.orders.take(report, at);
    const fill = changes.find((change) => change.fill !== undefined)?.fill;
    if (fill === undefined) return { strategy, isNew: report.kind !== 'trade', changes };
    const written = this.#tables.orders.kept(clientOrderId);
    if (written === undefined) throw this.#tables.rows.missing(clientOrderId);
    const instrument = this.#tables.instruments.byId(written.instrumentId);
    this.#tables.holdings.fill(kept.strategy, instrument, fill);
    this.#tables.margin.fill(kept.strategy, instrument, fill, isMissed);
    return { strategy, isNew: true, changes };
  }

  /**
   * Makes an unjournaled order one of a strategy, with its fills that were foreign until now. Does nothing
   * if the order is known.
   */
  adopt(order: VenueOrder, strategy: string, at: Micros): void {
    const { clientOrderId, symbol } = order;
    if (this.#tables.orders.find(clientOrderId) !== undefined) return;
    const instrumentId = this.#tables.instruments.idOf(symbol);
    const instrument = this.#tables.instruments.byId(instrumentId);
    const kept = this.#tables.orders.adopted(order, strategy, instrumentId, at);
    this.#tables.stateTable.count(clientOrderId);
    this.#claim(kept);
    this.#commit(() => this.#tables.rows.insert(kept), {
      adopted: 1,
      reported: [{ kind: 'adopted', at, strategy, clientOrderId, body: order }],
    });
    this.#tables.orders.add(kept);
    for (const fill of this.#tables.foreign.take(clientOrderId)) {
      this.#tables.orders.inherit(clientOrderId, fill, at);
      const { id, lots } = fill;
      this.#emit({ kind: 'inherited', at, strategy, clientOrderId, body: { id, lots } });
      this.foreignChanges.remove(instrument, fill);
      this.#tables.holdings.fill(strategy, instrument, fill);
      this.#tables.margin.inherit(strategy, instrument, fill);
    }
    this.#due.soon();
  }

  /** Stores a foreign fill; returns false if it is known. */
  keepForeign(fill: Fill): boolean {
    this.#due.soon();
    const isNew = this.#tables.foreign.keepFill(fill);
    if (isNew) this.foreignChanges.add(this.instrument(fill.symbol), fill);
    return isNew;
  }

  /** Remembers that a foreign order was reported. */
  keepForeignOrder({ clientOrderId, symbol }: VenueOrder, at: Micros): void {
    this.#due.soon();
    this.#tables.foreign.keepOrder(clientOrderId, symbol, at);
  }

  /** Writes down what reconciliation found. */
  discrepancy(discrepancy: JournaledDiscrepancy): void {
    const { at, clientOrderId, ...rest } = discrepancy;
    const strategy =
      clientOrderId === undefined ? undefined : this.#tables.orders.find(clientOrderId)?.strategy;
    this.#emit({ kind: 'found', at, strategy, clientOrderId, body: { clientOrderId, ...rest } });
  }

  /** Orders that may still execute, as far as is known, oldest first. */
  openOrders(): readonly Order[] {
    return this.#tables.orders.open();
  }

  /** The instrument of a symbol by its latest terms in the journal. */
  instrument(symbol: string): Instrument | undefined {
    return this.#tables.instruments.find(symbol);
  }

  order(clientOrderId: string): Order | undefined {
    return this.#tables.orders.held(clientOrderId) ?? this.#tables.rows.order(clientOrderId);
  }

  /** The received fills of an order, oldest first. */
  fillsOf(clientOrderId: string): readonly JournaledFill[] {
    return this.#tables.orders.fills(clientOrderId);
  }

  /** Prefix of a strategy's client order ids; its name has at most 10 characters. */
  prefixOf(strategy: string): string {
    return `${strategy}-${this.identity}`;
  }

  /** The strategy that a client order id of this journal names; `undefined` for all other ids. */
  strategyOf(clientOrderId: string): string | undefined {
    const match = /^(.+)-([a-z0-9]{4})-\d{7,}$/.exec(clientOrderId);
    return match?.[2] === this.identity ? match[1] : undefined;
  }

  /** State that a strategy takes over from its previous process, besides its orders. */
  previousLife(strategy: string, prefix: string): RestoredState {
    const { stateTable, holdings } = this.#tables;
    const lastOrderNumber = stateTable.lastNumber(prefix);
    const kept = { entries: holdings.entries(strategy), managed: stateTable.managed(strategy) };
    return { lastOrderNumber, ...kept, fillsOf: (id) => this.fillsOf(id) };
  }

  /**
   * Exact changes of each currency of the spot account since the journal began, by the fills of a strategy
   * or of all and by their transfers to and from margin accounts.
   */
  holdings(strategy?: string): readonly JournaledHolding[] {
    const { holdings } = this.#tables;
    return strategy === undefined ? holdings.all() : holdings.of(strategy);
  }

  /** The stored states of strategies, accounts and the bot: the later one of journal and state file. */
  states(): readonly JournaledState[] {
    return latestStates([
      ...this.#tables.stateTable.states.values(),
      ...storedStatesOf(this.stateFile),
    ]);
  }

  /** Stores a state, see `keepTwice`. Throws `journal-unwritable`. */
  setState(scope: string, state: TradingState, why: string, at: Micros): void {
    const { stateTable, log } = this.#tables;
    const before = this.states().find((one) => one.scope === scope);
    keepTwice({ scope, state, why, at }, before, {
      file: this.stateFile,
      states: stateTable.states,
      log,
      commit: () => this.#commit(() => undefined, { isDurable: true }),
      failed: (error) => this.#options.failed?.(error),
    });
  }

  /** Equity of a scope at the start of its day, by currency. */
  dayStart(scope: string): ReadonlyMap<string, DayStart> {
    return this.#tables.stateTable.daysOf(scope);
  }

  setDayStart(scope: string, currency: string, start: DayStart): void {
    this.#tables.stateTable.days.set({ scope, currency, ...start });
    this.#due.soon();
  }

  /** Balances as last received, by currency. */
  balances(): ReadonlyMap<string, JournaledBalance> {
    return new Map(this.#tables.stateTable.balances.values().map((one) => [one.currency, one]));
  }

  /** Until when everything is known: the time of the last compared snapshot. */
  get reconciledAt(): Micros | undefined {
    return this.#tables.stateTable.time('reconciledAt');
  }

  /** Start of the histories to request: everything before is known of orders and margin accounts. */
  get knownUntil(): Micros | undefined {
    const { reconciledAt } = this;
    const margin = this.#tables.margin.knownUntil;
    if (reconciledAt === undefined || margin === undefined) return reconciledAt;
    return margin < reconciledAt ? margin : reconciledAt;
  }

  /**
   * The journal was compared with a snapshot and repaired; see `StoredMargin.compared`. Returns the reports
   * that were held for it.
   */
  reconciled(snapshot: ComparedSnapshot): readonly CaughtUp[] {
    this.#tables.stateTable.setFact('reconciledAt', String(snapshot.at));
    this.#due.soon();
    return this.#tables.margin.compared(snapshot, (symbol) => this.instrument(symbol));
  }

  /** The journal's records of everything in a snapshot. */
  concerning({ orders, ended, fills }: AccountSnapshot): JournaledAccount {
    const ids = new Set([...orders, ...ended, ...fills].map(({ clientOrderId }) => clientOrderId));
    for (const { clientOrderId } of this.#tables.orders.open()) ids.add(clientOrderId);
    const known = [...ids].flatMap((id) => this.order(id) ?? []);
    return {
      orders: known.sort((one, other) => one.requestedAt - other.requestedAt),
      ...this.#tables.foreign.among(ids, fills),
      balances: this.balances(),
      instruments: this.#tables.instruments.all(),
      margin: this.#tables.margin.all(),
      knowsCarry: (carry) => this.#tables.margin.carries.knows(carry),
    };
  }

  /** A stored text. */
  kept(name: Keepsake): string | undefined {
    return this.#tables.stateTable.fact(name);
  }

  /** Stores a text, in the same commit as the reports received until then. */
  keep(name: Keepsake, text: string): void {
    this.#tables.stateTable.setFact(name, text);
    this.#due.soon();
  }

  /** Writes everything that was received. Throws `journal-unwritable`; nothing is lost by that. */
  flush(options: Pick<CommitOptions, 'isDurable'> = {}): void {
    this.#commit(() => undefined, options);
  }

  /** Writes what is left and releases the account. */
  close(): void {
    this.#due.stop();
    this.#retention.stop();
    try {
      this.flush({ isDurable: true });
      this.proof.mark();
    } finally {
      this.#files.close();
    }
  }

  #recordIntents(intents: readonly AnyIntent[]): ReportRecorder {
    return takeIn(intents, this.#tables.instruments, {
      kept: (id) => this.#tables.orders.kept(id),
    });
  }

  /** Takes over the rows of the table of intents; the next commit moves them to their tables. */
  #take({ orders, margin, managed, reported }: ReportRecorder): void {
    for (const [clientOrderId, kept] of orders) {
      this.#tables.orders.intend(kept);
      this.#tables.stateTable.count(clientOrderId);
      this.#claim(kept);
    }
    for (const { strategy, request } of margin) {
      this.#tables.margin.claim(this.#marginAccountOf(request), strategy);
      this.#tables.margin.asked(this.#marginAccountOf(request), request, strategy);
    }
    this.managed.take(managed);
    for (const event of reported) this.#tables.log.emit(event);
  }

  #marginAccountOf({ symbol, mode }: MarginRequest): MarginAccountId {
    const { instruments } = this.#tables;
    return marginAccountId(instruments.byId(instruments.idOf(symbol)), mode);
  }

  /** The margin account of an order becomes its strategy's, unless it is another's. */
  #claim({ order: { margin, strategy }, instrumentId }: StoredOrder): void {
    if (margin === undefined) return;
    const instrument = this.#tables.instruments.byId(instrumentId);
    this.#tables.margin.claim(marginAccountId(instrument, margin.mode), strategy);
  }

  #commit(
    work: () => void,
    { reported = [], isDurable = false, adopted = 0 }: CommitOptions = {},
  ): void {
    const write = (): void => {
      this.#tables.write(work, reported, adopted);
    };
    if (isDurable) this.#file.durably(write);
    else this.#file.transaction(write);
    this.#due.stop();
    this.managed.saved();
    this.#tables.written();
  }

  #emit(event: ReportedOrder): void {
    this.#tables.log.emit(event);
    this.#due.soon();
  }

  #now(): Micros {
    return this.#options.scheduler.now();
  }
}
