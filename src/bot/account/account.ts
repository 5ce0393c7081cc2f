import type { ConnectionState, VenueAccount } from '../../gateways/venue-account.ts';
import { cancelsNext } from '../../engine/orders/cancels.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { MarginReport } from '../../model/margin-account.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import type { Order } from '../../model/order.ts';
import {
  idsOf,
  rejectReport,
  symbolOf,
  type AccountRequest,
  type MarginRequest,
  type OrderRequest,
} from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import {
  reportedId,
  reportedSymbol,
  type AnyOrderReport,
  type BalanceReport,
  type Fill,
  type RejectReport,
  type Report,
} from '../../model/report.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { RiskSettings } from '../../risk/settings.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { Meter } from '../api/bot-api.ts';
import type { Discrepancy } from '../recovery/finding.ts';
import { repair } from '../recovery/repair.ts';
import type { States } from '../risk/states.ts';
import type { ReconciliationSettings, SharedMarginSettings } from '../settings/settings.ts';
import { AccountMargin } from './account-margin.ts';
import { MarginNews, type MarginNewsLine } from './margin-news.ts';
import { AccountBalances } from './balances.ts';
import { Comparison } from './comparison.ts';
import { AccountInstruments } from './instruments.ts';
import { cancelBeyond } from './exits-beyond.ts';
import { journalRequests } from './intents.ts';
import { KnownAvailable } from './known-available.ts';
import { FollowedBalances } from './followed-balances.ts';
import { Overdue } from './overdue.ts';
import { PreTradeRisk } from './pre-trade-risk.ts';
import { confirmAtVenue, type ProvingSetup } from './venue-confirmation.ts';
import { Reconciler, type Outcome } from './reconciler.ts';
import { isOfMargin, isUnknownCancel } from './reports.ts';
import { isOfOrder, RequestQueue, type AnyQueued } from './request-queue.ts';
import type { StrategyAccount } from './strategy-account.ts';
import { StrategyAccounts } from './strategy-accounts.ts';

/** Longest time that journal and venue may differ after a connection before losses are checked anyway. */
const SETTLED_WITHIN_US = 30 * US_PER_SECOND;

/** Receives what an account cannot deal with alone. */
export interface AccountListener {
  /** The venue rejected a request. */
  rejected(account: string, strategy: string, report: RejectReport): void;
  /** The journal can no longer be written: nothing may be sent. */
  journalFailed(error: unknown, account: string): void;
  /**
   * Another process sends orders with the ids of this journal: nothing may be sent until an operator has
   * checked.
   */
  conflict(account: string, why: string): void;
  /** The connection to the venue is up again, or down. */
  connection(account: string, state: ConnectionState, why: string | undefined): void;
  /** Something happened to a margin account; `strategy` is empty if no strategy of the bot opened it. */
  margin(account: string, strategy: string, news: MarginNewsLine): void;
}

export interface AccountOptions extends Pick<ProvingSetup, 'key' | 'symbols' | 'strategies'> {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly rules: ReconciliationSettings;
  readonly limits: RiskSettings;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly meter: Meter;
  readonly states: States;
  readonly listener: AccountListener;
  /** True if own orders are in the market's books; those of a paper account are not. */
  readonly isInBook: boolean;
  /** Margin accounts that several strategies share. */
  readonly sharedMargin?: readonly SharedMarginSettings[] | undefined;
}

/**
 * An account at a venue and the strategies that trade on it. All read one record of its orders. A request
 * passes limits, journal and venue, in this order. A report passes the journal, which applies it to the
 * orders, and then the strategy that owns it.
 */
export class Account {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly orders: OrderStore;
  readonly instruments: AccountInstruments;
  readonly balances = new AccountBalances();
  /** Balances besides spot; requested from the venue once somebody reads them. */
  readonly nonSpotBalances: FollowedBalances;
  /** Amounts available to spend. */
  readonly available: KnownAvailable;
  /** Its margin accounts. */
  readonly margin: AccountMargin;
  /** Checks what may be sent. */
  readonly risk: PreTradeRisk;
  readonly strategies: StrategyAccounts;
  connectionState: ConnectionState | 'connecting' = 'connecting';
  /** Why it is not connected. */
  why: string | undefined;
  /** How journal and venue are compared; a reload may change it. */
  rules: ReconciliationSettings;
  readonly #options: AccountOptions;
  readonly #queue: RequestQueue;
  readonly #comparison: Comparison;
  readonly #reconciler: Reconciler;
  readonly #overdue: Overdue;
  /** Reports received before the journal was confirmed to belong to the account. */
  #early: (Report | MarginReport)[] | undefined = [];
  /** When it was connected or lost. */
  #liveSince: Micros = micros(0);
  /** When unanswered requests were sent. */
  readonly #sentAt = new Map<string, Micros>();

  constructor(options: AccountOptions) {
    const { name, venue, journal, rules, scheduler, states, limits, log, isInBook } = options;
    this.#options = options;
    [this.name, this.venue, this.journal, this.rules] = [name, venue, journal, rules];
    this.orders = journal.orders;
    this.instruments = new AccountInstruments(name, venue, journal);
    this.#queue = new RequestQueue((requests) => this.#leave(requests));
    this.#comparison = new Comparison({ venue, journal, scheduler });
    this.#reconciler = new Reconciler({
      scheduler,
      everyUs: () => this.rules.everyUs,
      reconcile: () => this.#compare(),
      failed: (error) => this.#warn('The venue could not be compared with the journal', error),
    });
    this.#overdue = this.#overdueOf(isInBook);
    this.available = new KnownAvailable(this, (currency) => this.#overdue.agrees(currency));
    this.nonSpotBalances = new FollowedBalances(this, log);
    const queue = this.#queue;
    const { orders, instruments, balances, available } = this;
    const strategies = new StrategyAccounts({
      name,
      journal,
      instruments,
      balances,
      nonSpotBalances: this.nonSpotBalances,
      queue,
      scheduler,
      log,
      limits,
      margin: () => this.margin,
    });
    this.strategies = strategies;
    this.margin = this.#marginOf(options, strategies);
    const { unsent } = queue;
    this.risk = new PreTradeRisk({
      scheduler,
      states,
      limits,
      orders,
      unsent,
      instruments,
      balances,
      available,
      strategies,
      log,
      margin: (strategy: string | undefined) => this.margin.view(strategy),
      taking: (strategy: string, currency: string) => this.margin.taking(strategy, currency),
      closesOwn: (strategy: string, request: OrderRequest) =>
        this.margin.shared.closes(strategy, request),
      whole: (strategy: string, request: MarginRequest) =>
        this.margin.shared.whole(strategy, request),
    });
  }

  /** Queries the venue if something expected is late; uses the book only if it is this market's. */
  #overdueOf(isInBook: boolean): Overdue {
    const { scheduler, log } = this.#options;
    return new Overdue({
      scheduler,
      openOrders: () => this.openOrders(),
      best: (symbol) => (isInBook ? this.risk.best(symbol) : undefined),
      isReceived: () => this.connectionState === 'live',
      askedAt: () => this.#reconciler.startedAt,
      ask: async () => {
        const before = this.#reconciler.comparisons;
        await this.#reconciler.now();
        return this.#reconciler.comparisons > before;
      },
      asks: (why) => log.info(`The venue is asked (${this.name}): ${why}`),
    });
  }

  #marginOf(
    { venue, log, meter, listener }: AccountOptions,
    strategies: StrategyAccounts,
  ): AccountMargin {
    const { name, journal, instruments } = this;
    return new AccountMargin({
      venue: () => venue.margin,
      journal,
      instruments,
      name,
      log,
      now: () => this.now(),
      openOrders: () => this.openOrders(),
      emit: (strategy, report) => strategies.margin(strategy, report),
      moved: (currency, amount) => this.#overdue.moved(currency, amount),
      news: (margin) =>
        new MarginNews({
          name,
          log,
          meter,
          report: (strategy, news) => listener.margin(name, strategy, news),
          instrument: (symbol) => instruments.known(symbol),
          markPrice: (symbol) => margin.markPrice(symbol),
          accounts: margin.store.all().flatMap(({ state }) => state ?? []),
        }),
      heldForOrders: (strategy, state) => this.risk.heldForOrders(strategy, state),
      again: (queued) => this.#queue.push(queued),
      partChanged: (strategy) => cancelBeyond(strategy, this, log),
    });
  }

  /** Connected, and nothing overdue: its state can be trusted. */
  get isCurrent(): boolean {
    return this.connectionState === 'live' && this.#overdue.why === undefined;
  }

  /**
   * False after a connection until journal and venue were compared, for 30 s at most, as events in between
   * are known only in part. Losses are checked after that even if the venue does not answer.
   */
  get isSettled(): boolean {
    const { reconciledAt } = this;
    const isCompared = reconciledAt !== undefined && reconciledAt >= this.#liveSince;
    return isCompared || this.now() - this.#liveSince > SETTLED_WITHIN_US;
  }

  /** Why it is not connected, or what is overdue. */
  get trouble(): string | undefined {
    return this.why ?? this.#overdue.why;
  }

  /** Differences that the last comparison of journal and venue found. */
  get discrepancies(): number {
    return this.#comparison.discrepancies;
  }

  get reconciledAt(): Micros | undefined {
    return this.#reconciler.lastAt;
  }

  now(): Micros {
    return this.#options.scheduler.now();
  }

  /** Open orders of all strategies that have passed the limits. */
  openOrders(): readonly Order[] {
    return this.#queue.unsent.sent(this.orders.open());
  }

  /**
   * Connects and repairs the journal from the venue. Nothing may be sent before that, so an error that
   * prevents the comparison is thrown, and `journal-unconfirmed` if the journal may belong to another
   * account.
   */
  async open(): Promise<void> {
    await this.venue.open({
      report: (report) => this.#receive(report),
      margin: (report) => this.#receiveMargin(report),
      connectionState: (connectionState, why) => this.#connectionStateChanged(connectionState, why),
    });
    await confirmAtVenue({ ...this.#options, proof: this.journal.proof, since: this.#comparison.since() }); // prettier-ignore
    this.journal.learn(this.venue.instruments);
    this.margin.shared.open(this.#options.sharedMargin ?? []);
    this.#receiveEarly();
    await this.#reconciler.now();
    const { lastAt, failure } = this.#reconciler;
    if (lastAt === undefined) {
      throw failure ?? new MillraceError('unreachable', 'The account was closed while it opened.');
    }
    this.#overdue.start();
  }

  /** Processes the reports received before the venue was confirmed to be that of the journal. */
  #receiveEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const report of early) {
      if (isOfMargin(report)) this.#receiveMargin(report);
      else this.#receive(report);
    }
  }

  /** Sends the requests of one turn in their order. */
  #leave(requests: readonly AnyQueued[]): void {
    // 1. Risk: a passed request counts at once, also for the next of the same turn.
    const passed = requests.filter((one) => this.#passes(one)).map((one) => this.#asSent(one));
    if (passed.length === 0) return;
    // 2. Journal: on the disk before anything is sent.
    const start = this.now();
    const { written, rejected, failure } = journalRequests(this.journal, passed);
    const journalUs = this.now() - start;
    if (failure !== undefined) this.#options.listener.journalFailed(failure, this.name);
    for (const { queued, rejection } of rejected) this.#reject(queued, rejection, 'journal');
    // 3. Venue.
    for (const queued of written) this.#send(queued, journalUs);
  }

  /** A setting of a shared account is sent and journaled as a setting of the whole account. */
  #asSent(queued: AnyQueued): AnyQueued {
    const { strategy, request } = queued;
    if (request.kind !== 'setMargin') return queued;
    return { ...queued, request: this.margin.shared.sent(strategy, request), asked: request };
  }

  /** True if a request may leave; otherwise it is rejected. */
  #passes(queued: AnyQueued): boolean {
    const { strategy, request, isOperators } = queued;
    // A request that never left needs no cancel: its rejection is on its way.
    if (request.kind === 'cancel' && this.#queue.unsent.has(request.clientOrderId)) return false;
    if (this.margin.waits(queued)) return false;
    const rejection = isOperators ? undefined : this.#rejection(strategy, request);
    if (rejection !== undefined) {
      this.#reject(queued, rejection, 'risk');
      return false;
    }
    this.margin.passed(strategy, request);
    if (!isOfOrder(queued)) return true;
    this.#queue.unsent.delete(queued.request);
    this.available.passed(queued.request);
    return true;
  }

  #rejection(strategy: string, request: AccountRequest): Rejection | undefined {
    const strategyAccount = this.strategies.of(strategy, symbolOf(request));
    if (strategyAccount === undefined) return undefined;
    const rejection = this.margin.rejection(strategy, request);
    if (rejection !== undefined) return rejection;
    return request.kind === 'setMargin'
      ? this.risk.marginRejection(strategyAccount, request)
      : this.risk.rejection(strategyAccount, request);
  }

  /** Sends a request that is journaled. */
  #send(queued: AnyQueued, journalUs: number): void {
    const { request, cause } = queued;
    const { meter } = this.#options;
    if (request.kind === 'setMargin') this.venue.margin?.set(request);
    else this.venue.send(this.margin.shared.sentOrder(request));
    const now = this.now();
    meter.sent(this.name, request.kind);
    if (cause !== undefined) meter.decision(this.name, now - cause, journalUs);
    if (request.kind === 'setMargin') return;
    this.#overdue.sent(request);
    for (const id of idsOf(request)) this.#sentAt.set(id, now);
    this.journal.sent(idsOf(request));
  }

  /** Reports the rejection of a request that did not leave, as a venue would. */
  #reject(queued: AnyQueued, rejection: Rejection, by: 'risk' | 'journal'): void {
    const { meter, log, scheduler } = this.#options;
    const { strategy, request } = queued;
    meter.rejected(this.name, 'risk', rejection.code);
    const now = this.now();
    if (by === 'journal') {
      log.warn(`The ${request.kind} of ${symbolOf(request)} was not sent: ${rejection.message}`);
    }
    if (request.kind === 'setMargin') {
      const { symbol, mode } = request;
      if (by === 'journal') this.margin.kept(request);
      const { asked = request } = queued;
      const report = { kind: 'marginRejected', at: now, symbol, mode, rejection, request: asked } as const; // prettier-ignore
      scheduler.at(now, () => this.strategies.margin(strategy, report));
      return;
    }
    const { unsent } = this.#queue;
    const report = rejectReport(request, rejection, now);
    if (by === 'journal') {
      this.available.kept(request);
      unsent.add(request);
    }
    // In a later turn, so that a strategy that answers with another request does not block the process.
    scheduler.at(report.at, () => {
      unsent.delete(request);
      const changes = this.orders.take(report, this.now());
      // An id is that of an order of the journal, which is found there from now on.
      if (rejection.code === 'client-order-id-taken') {
        for (const id of idsOf(request)) this.orders.forget(id);
      }
      this.strategies.of(strategy, report.symbol)?.receive(report, changes);
    });
  }

  /** Receives an order report from the venue. */
  #receive(report: Report, isMissed = false): void {
    if (this.#early !== undefined) {
      this.#early.push(report);
      return;
    }
    // 1. Journal, which applies it to the orders.
    const { strategy, isNew, changes } = this.journal.received(report, this.now(), isMissed);
    if (report.kind === 'balance') {
      this.#balance(report);
      return;
    }
    // 2. Expectations of the venue.
    if (report.kind === 'outcome-unknown') this.#reconciler.soon();
    this.#overdue.received(report);
    this.available.received(report);
    if (report.kind === 'trade' && isNew) this.#filled(report.fill);
    this.#acknowledge(report);
    // 3. The strategy. A repeated fill, of this run or another, is not emitted again.
    if (strategy === undefined || !(isNew || report.kind !== 'trade')) return;
    const strategyAccount = this.strategies.of(strategy, reportedSymbol(report));
    if (strategyAccount === undefined) return;
    this.#count(strategyAccount, report);
    strategyAccount.receive(report, changes);
    this.margin.ordersChanged(strategy, this.now());
    if (isUnknownCancel(report))
      strategyAccount.sendCancels(cancelsNext(strategyAccount.orders, report.clientOrderId));
  }

  /** Receives a margin account report, in order with the order reports. */
  #receiveMargin(report: MarginReport): void {
    if (this.#early !== undefined) this.#early.push(report);
    else this.margin.receive(report, this.now());
  }

  #balance(report: BalanceReport): void {
    this.balances.report(report);
    this.#overdue.balance(report);
    this.available.balance(report);
    for (const strategyAccount of this.strategies.all) strategyAccount.balance(report);
  }

  #filled(fill: Fill): void {
    const instrument = this.instruments.find(fill.symbol);
    if (instrument === undefined) return;
    this.#overdue.filled(instrument, fill);
    this.margin.fill(instrument, fill);
  }

  #acknowledge(report: AnyOrderReport): void {
    const id = reportedId(report);
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return;
    this.#sentAt.delete(id);
    if (report.kind !== 'outcome-unknown') {
      this.#options.meter.acknowledged(this.name, this.now() - sentAt);
    }
  }

  #count({ name }: StrategyAccount, report: AnyOrderReport): void {
    const { meter, listener } = this.#options;
    if (report.kind === 'trade') meter.filled(this.name);
    if (report.kind !== 'rejected') return;
    meter.rejected(this.name, 'venue', report.rejection.code);
    listener.rejected(this.name, name, report);
  }

  #connectionStateChanged(connectionState: ConnectionState, why: string | undefined): void {
    const { log, meter, listener } = this.#options;
    const before = this.connectionState;
    this.connectionState = connectionState;
    this.why = why;
    this.#comparison.connectionState(connectionState);
    this.#liveSince = this.now();
    if (connectionState === 'lost') {
      this.journal.missing();
      this.#overdue.clear();
      this.available.clear();
      listener.connection(this.name, connectionState, why);
      log.warn(`Account ${this.name} is disconnected: ${why ?? 'the connection broke'}`);
      return;
    }
    if (before !== 'lost') return;
    meter.reconnected(this.name, 'account');
    listener.connection(this.name, connectionState, why);
    log.info(`Account ${this.name} is connected again.`);
    void this.#reconciler.now();
  }

  /** Compares journal and venue now. */
  reconcile(): Promise<void> {
    return this.#reconciler.now();
  }

  /** Compares journal and venue once and repairs the differences. */
  async #compare(): Promise<Outcome> {
    const compared = await this.#comparison.compare(this.rules, this.strategies.all[0]?.name);
    for (const discrepancy of compared.discrepancies) this.#repair(discrepancy);
    for (const report of compared.margin) this.#receiveMargin(report);
    for (const balance of compared.balances) this.#receive(balance);
    const outcome = this.#comparison.settle(compared, this.rules);
    this.margin.compared(compared.at, outcome.caughtUp);
    return outcome;
  }

  /** Applies and reports the repair of a discrepancy. */
  #repair(discrepancy: Discrepancy): void {
    const { meter, log, listener } = this.#options;
    const { kind, message, clientOrderId, symbol, adopt, reports, requests } = discrepancy;
    meter.found(this.name, kind);
    repair(this.journal, discrepancy, this.now());
    if (adopt !== undefined) this.#adopt(adopt.order.clientOrderId);
    log.warn(`Reconciliation (${this.name}): ${message}`, { kind, clientOrderId, symbol });
    if (kind === 'order-conflict') listener.conflict(this.name, message);
    for (const report of reports) this.#receive(report, true);
    for (const report of discrepancy.margin) this.#receiveMargin(report);
    for (const request of requests) this.venue.send(request);
  }

  /** Emits an adopted order to its new owner. */
  #adopt(clientOrderId: string): void {
    const order = this.orders.find(clientOrderId);
    if (order !== undefined) this.strategies.of(order.strategy, order.symbol)?.adopt(order);
  }

  async close(): Promise<void> {
    this.#overdue.stop();
    // A comparison that waits for the venue ends when the venue is closed.
    await Promise.all([this.#reconciler.close(), this.venue.close()]);
    this.journal.close();
  }

  #warn(what: string, error: unknown): void {
    const why = errorText(error);
    this.#options.log.warn(`${what} (${this.name}): ${why}`);
  }
}
