import type { ConnectionState, VenueAccount } from '../../gateways/venue-account.ts';
import { cancelsNext } from '../../engine/orders/cancels.ts';
import type { OrderStore } from '../../engine/orders/order-store.ts';
import type { MarginReport } from '../../model/margin-account.ts';
import { MillraceError } from '../../model/errors.ts';
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

/** How long journal and venue may stay apart after a connection before losses are looked at all the same. */
const SETTLED_WITHIN_US = 30 * US_PER_SECOND;

/** Receives what an account cannot deal with alone. */
export interface AccountListener {
  /** The venue rejected a request. */
  rejected(account: string, strategy: string, report: RejectReport): void;
  /** The journal cannot be written any more: nothing may be sent. */
  journalFailed(error: unknown, account: string): void;
  /** Somebody else sends with the ids of the journal: nothing may be sent before a person has looked. */
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
  /** True if own orders stand in the books of the market, as those on paper do not. */
  readonly isInBook: boolean;
  /** Margin accounts that several strategies share. */
  readonly sharedMargin?: readonly SharedMarginSettings[] | undefined;
}

/**
 * An account at a venue and everybody who trades on it. There is one record of its orders, which all
 * read. A request passes the limits, the journal and the venue, in this order; a report passes the
 * journal, which applies it to the orders, and the strategy whose it is.
 */
export class Account {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly orders: OrderStore;
  readonly instruments: AccountInstruments;
  readonly balances = new AccountBalances();
  /** What it has beside spot, of which nothing is asked before somebody looks. */
  readonly nonSpotBalances: FollowedBalances;
  /** What of it may be spent. */
  readonly available: KnownAvailable;
  /** Its margin accounts. */
  readonly margin: AccountMargin;
  /** What may leave it. */
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
  /** Reports that came before the journal was known to be that of the account. */
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

  /** Asks the venue where what should be known of it is late; the book only where it is this market's. */
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
   * False after a connection until journal and venue are compared, for 30 s at most: what happened meanwhile is
   * known in parts alone. A venue that cannot be asked for longer must not keep losses from being noticed.
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
   * Connects, and heals the journal by what the venue says. Before that nothing may be sent, so
   * what keeps the two from being compared is thrown, and `journal-unconfirmed` where the journal
   * may be that of another account.
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

  /** What the venue reported before it was known to be the venue of this journal. */
  #receiveEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const report of early) {
      if (isOfMargin(report)) this.#receiveMargin(report);
      else this.#receive(report);
    }
  }

  /** Lets go what was requested within one turn, in the order in which it was requested. */
  #leave(requests: readonly AnyQueued[]): void {
    // 1. Risk: what passes counts at once, also for the next of the same turn.
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

  /** A setting of a shared account leaves, and is journaled, as one of the account as a whole. */
  #asSent(queued: AnyQueued): AnyQueued {
    const { strategy, request } = queued;
    if (request.kind !== 'setMargin') return queued;
    return { ...queued, request: this.margin.shared.sent(strategy, request), asked: request };
  }

  /** Whether a request may leave; one that may not is rejected. */
  #passes(queued: AnyQueued): boolean {
    const { strategy, request, isOperators } = queued;
    // What never left needs no cancel: its rejection is on its way.
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
    // In a later turn: whoever answers it with another request must not keep the process from all else.
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

  /** What the venue reports, as it comes. */
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
    // 2. What is expected of the venue.
    if (report.kind === 'outcome-unknown') this.#reconciler.soon();
    this.#overdue.received(report);
    this.available.received(report);
    if (report.kind === 'trade' && isNew) this.#filled(report.fill);
    this.#acknowledge(report);
    // 3. The strategy. A fill that is reported again, in this run or another, says nothing new.
    if (strategy === undefined || !(isNew || report.kind !== 'trade')) return;
    const strategyAccount = this.strategies.of(strategy, reportedSymbol(report));
    if (strategyAccount === undefined) return;
    this.#count(strategyAccount, report);
    strategyAccount.receive(report, changes);
    this.margin.ordersChanged(strategy, this.now());
    if (isUnknownCancel(report))
      strategyAccount.sendCancels(cancelsNext(strategyAccount.orders, report.clientOrderId));
  }

  /** What the venue reports of a margin account, in order with the reports of orders. */
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

  /** Compares journal and venue once, and repairs what differs. */
  async #compare(): Promise<Outcome> {
    const compared = await this.#comparison.compare(this.rules, this.strategies.all[0]?.name);
    for (const discrepancy of compared.discrepancies) this.#heal(discrepancy);
    for (const report of compared.margin) this.#receiveMargin(report);
    for (const balance of compared.balances) this.#receive(balance);
    const outcome = this.#comparison.settle(compared, this.rules);
    this.margin.compared(compared.at, outcome.caughtUp);
    return outcome;
  }

  /** Does what a discrepancy asks for, and reports it. */
  #heal(discrepancy: Discrepancy): void {
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

  /** Shows an order that is taken in to the strategy whose it is from now on. */
  #adopt(clientOrderId: string): void {
    const order = this.orders.find(clientOrderId);
    if (order !== undefined) this.strategies.of(order.strategy, order.symbol)?.adopt(order);
  }

  async close(): Promise<void> {
    this.#overdue.stop();
    // A comparison that waits for the venue ends once that is closed.
    await Promise.all([this.#reconciler.close(), this.venue.close()]);
    this.journal.close();
  }

  #warn(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#options.log.warn(`${what} (${this.name}): ${why}`);
  }
}
