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
 * The durable record of one account: intents before they left, what was sent, and what was received. It is
 * all that a bot still has after its process was killed.
 */
export class Journal {
  readonly account: string;
  /** Four letters or digits that stand in the client order ids, so that they never meet those of a journal that was lost. */
  readonly identity: string;
  /** The orders of the account. */
  readonly orders: OrderStore;
  /** The margin accounts of the account, and whose they are. */
  readonly margin: MarginStore = new MarginStore();
  /** Facts that outlive the journal; written in place, on a full disk too. */
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
    this.#take(intended.left((intents) => this.#takeIn(intents)));
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
   * Opens the journal of an account and makes it if there is none. Throws `journal-locked` if another
   * process has it, `journal-unconfirmed` where a person has to look at it first, `journal-invalid` and
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

  /** The file, for whoever reads it beside this process. */
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
   * Writes down what is about to be sent: all of it is on the disk when this returns, or nothing
   * of it and it throws `journal-unwritable`. Throws `request-invalid` for an id that is taken.
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
   * Takes cancels that left although the journal could not be written. They are written down as
   * soon as it can be.
   */
  intendedLate(intents: readonly Intent[]): void {
    this.#take(this.#takeIn(intents));
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
   * Writes down what a strategy is about to ask of a margin account, which is its own from here on: it is
   * on the disk when this returns, or it throws `journal-unwritable`.
   */
  intendMargin(strategy: string, request: MarginRequest): void {
    // The answers to settings before it too: of those that are not answered the next run knows one for each account.
    if (this.margin.find(this.#marginAccountOf(request))?.parts !== undefined) this.flush();
    const intents = [{ at: this.#now(), strategy, request }];
    const intake = this.#takeIn(intents);
    this.#tables.intended.append(intents, undefined);
    this.#take(intake);
    this.#due.soon();
  }

  /** Does something with what is kept of margin accounts; it is written with the next commit. */
  marginAccounts<T>(work: (margin: StoredMargin) => T): T {
    this.#due.soon();
    return work(this.#tables.margin);
  }

  /**
   * Takes a report of a margin account; it is in the file 50 ms later at latest. Returns what to emit to
   * strategies: nothing if it is nobody's or says nothing new.
   */
  receivedMargin(report: MarginReport, at: Micros): readonly ReceivedMargin[] {
    const { margin } = this.#tables;
    const instrumentOf = (symbol: string): Instrument | undefined => this.instrument(symbol);
    const received = margin.received(report, instrumentOf);
    this.#emit({ kind: 'received', at, strategy: received[0]?.strategy, body: report });
    return received;
  }

  /** True while reports of a shared account are held until reconciliation has found what happened before them. */
  marginWaits(marginAccount: MarginAccountId): boolean {
    return this.#tables.margin.waits(marginAccount);
  }

  /** Reports may be missing from here on, until the next comparison: the connection was lost. */
  missing(): void {
    this.#tables.margin.behind();
  }

  /** When something was last received from the venue; absent before the first time. */
  get lastReceivedAt(): Micros | undefined {
    return this.#tables.stateTable.time('lastHeardAt');
  }

  /**
   * Takes a report, and applies it to the orders; it is in the file 50 ms later at latest. `isMissed` for
   * one that a comparison found.
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
    // Another order of the same id is that of somebody else, whatever was meant by it.
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
   * Makes an order that nobody journaled one of a strategy, with the fills that were foreign until now.
   * Does nothing if the order is known.
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

  /** Keeps a fill that is not ours; returns false for one that is known. */
  keepForeign(fill: Fill): boolean {
    this.#due.soon();
    const isNew = this.#tables.foreign.keepFill(fill);
    if (isNew) this.foreignChanges.add(this.instrument(fill.symbol), fill);
    return isNew;
  }

  /** Remembers that an order of others was reported. */
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

  /** Orders that can still execute, as far as we know, oldest first. */
  openOrders(): readonly Order[] {
    return this.#tables.orders.open();
  }

  /** The instrument of a symbol by the terms that the journal was last given. */
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

  /** What client order ids of a strategy begin with; its name has at most 10 characters. */
  prefixOf(strategy: string): string {
    return `${strategy}-${this.identity}`;
  }

  /** The strategy that a client order id of this journal names; `undefined` for all other ids. */
  strategyOf(clientOrderId: string): string | undefined {
    const match = /^(.+)-([a-z0-9]{4})-\d{7,}$/.exec(clientOrderId);
    return match?.[2] === this.identity ? match[1] : undefined;
  }

  /** What a strategy takes over from the process that ran it before, beside its orders. */
  previousLife(strategy: string, prefix: string): RestoredState {
    const { stateTable, holdings } = this.#tables;
    const lastOrderNumber = stateTable.lastNumber(prefix);
    const kept = { entries: holdings.entries(strategy), managed: stateTable.managed(strategy) };
    return { lastOrderNumber, ...kept, fillsOf: (id) => this.fillsOf(id) };
  }

  /**
   * What the fills of a strategy, or of all, and what it brought to margin accounts and got back of them,
   * have changed of each currency of the spot account since the journal began; exact.
   */
  holdings(strategy?: string): readonly JournaledHolding[] {
    const { holdings } = this.#tables;
    return strategy === undefined ? holdings.all() : holdings.of(strategy);
  }

  /** The states that were set, of strategies, accounts and the bot: the later word of journal and state file. */
  states(): readonly JournaledState[] {
    return latestStates([
      ...this.#tables.stateTable.states.values(),
      ...storedStatesOf(this.stateFile),
    ]);
  }

  /** Keeps a state, see `keepTwice`. Throws `journal-unwritable`. */
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

  /** What the day of a scope began with, by currency. */
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

  /** Until when everything is known: the time of the last truth that the journal was compared with. */
  get reconciledAt(): Micros | undefined {
    return this.#tables.stateTable.time('reconciledAt');
  }

  /** From when on histories are needed: everything before is known of orders and of margin accounts. */
  get knownUntil(): Micros | undefined {
    const { reconciledAt } = this;
    const margin = this.#tables.margin.knownUntil;
    if (reconciledAt === undefined || margin === undefined) return reconciledAt;
    return margin < reconciledAt ? margin : reconciledAt;
  }

  /**
   * The journal was compared with a snapshot, and what differed is healed; see `KeptMargin.compared`.
   * Returns the reports that were held for it.
   */
  reconciled(snapshot: ComparedSnapshot): readonly CaughtUp[] {
    this.#tables.stateTable.setFact('reconciledAt', String(snapshot.at));
    this.#due.soon();
    return this.#tables.margin.compared(snapshot, (symbol) => this.instrument(symbol));
  }

  /** What the journal has of all that a snapshot names. */
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

  /** A text that is kept beside what was received. */
  kept(name: Keepsake): string | undefined {
    return this.#tables.stateTable.fact(name);
  }

  /** Keeps a text, in the same commit as what was received until then. */
  keep(name: Keepsake, text: string): void {
    this.#tables.stateTable.setFact(name, text);
    this.#due.soon();
  }

  /** Writes everything that was received. Throws `journal-unwritable`; nothing is lost by that. */
  flush(options: Pick<CommitOptions, 'isDurable'> = {}): void {
    this.#commit(() => undefined, options);
  }

  /** Writes what is left and lets the account go. */
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

  #takeIn(intents: readonly AnyIntent[]): ReportRecorder {
    return takeIn(intents, this.#tables.instruments, {
      kept: (id) => this.#tables.orders.kept(id),
    });
  }

  /** Takes what is in the table of intents, and goes where it belongs with the next commit. */
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

  /** The margin account that bears an order is its strategy's, unless it is another's. */
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
