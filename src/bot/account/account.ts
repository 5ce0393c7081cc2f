import type { CancelRequest, OrderRequest } from '../../engine/gateway.ts';
import type { OwnOrder } from '../../engine/orders/own-order.ts';
import type { Hearing, VenueAccount } from '../../gateways/venue-account.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { BalanceReport, RejectReport, Report } from '../../model/report.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { Journal } from '../journal/journal.ts';
import type { Meter } from '../operated.ts';
import type { Finding } from '../recovery/finding.ts';
import { heal } from '../recovery/heal.ts';
import { reconcile } from '../recovery/reconcile.ts';
import type { JournaledOrder } from '../journal/records.ts';
import type { RiskOrder } from '../risk/view.ts';
import type { ReconciliationSettings } from '../settings.ts';
import { Outbox } from './outbox.ts';
import { Reconciler } from './reconciler.ts';
import type { Seat, SeatHost } from './seat.ts';

/** What an account needs of the bot. */
export interface AccountHost {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly meter: Meter;
  /** The reason why a request may not leave: a limit, or the state of strategy, account or bot. */
  refusal(seat: Seat, request: OrderRequest): Refusal | undefined;
  /** The last price of a symbol; NaN while there is none. */
  marketTicks(symbol: string): number;
  /** When the market message was received that is being handed on, if one is. */
  cause(): Micros | undefined;
  /** Told of each request that the venue refused. */
  rejected(seat: Seat, report: RejectReport): void;
  /** The journal can not be written any more: nothing may be sent. */
  journalFailed(error: unknown): void;
}

export interface AccountSetup {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly rules: ReconciliationSettings;
  readonly host: AccountHost;
}

/** What happened at the venue shortly before the last comparison is looked at again. */
const OVERLAP_US = 10 * US_PER_SECOND;
/**
 * An account at a venue and everybody who trades on it: the one way out, the journal behind it, the
 * seats of the strategies, and the comparison of what is believed with what is true.
 */
export class Account implements SeatHost {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly seats: Seat[] = [];
  hearing: Hearing | 'connecting' = 'connecting';
  /** Why it is not heard of. */
  why: string | undefined;
  findings = 0;
  readonly #host: AccountHost;
  readonly #rules: () => ReconciliationSettings;
  readonly #outbox: Outbox;
  readonly #reconciler: Reconciler;
  readonly #balances = new Map<string, BalanceReport>();
  /** How often in a row each open order was found nowhere. */
  #missing: ReadonlyMap<string, number> = new Map();
  #needsSince: Micros | undefined;
  /** When requests left that nothing was heard of yet. */
  readonly #sentAt = new Map<string, Micros>();

  constructor({ name, venue, journal, rules, host }: AccountSetup) {
    this.name = name;
    this.venue = venue;
    this.journal = journal;
    this.#host = host;
    let present = rules;
    this.#rules = () => present;
    this.setRules = (next) => {
      present = next;
    };
    this.#outbox = new Outbox({
      scheduler: host.scheduler,
      refusal: (seat, request) => host.refusal(seat, request),
      intend: (intents) => journal.intend(intents),
      send: (request) => venue.send(request),
      cause: () => host.cause(),
      sent: (request, journalUs, cause) => this.#sent(request, journalUs, cause),
      refused: (seat, request, refusal, by) => this.#refused(seat, request, refusal, by),
      failed: (error) => host.journalFailed(error),
    });
    this.#reconciler = new Reconciler({
      scheduler: host.scheduler,
      everyUs: () => this.#rules().everyUs,
      reconcile: () => this.#reconcile(),
      failed: (error) => this.#warn('The venue could not be compared with the journal', error),
    });
  }

  /** Takes other rules of reconciliation from here on. */
  readonly setRules: (rules: ReconciliationSettings) => void;

  get instruments(): readonly Instrument[] {
    return this.venue.instruments;
  }

  /** The instrument of a symbol; throws `symbol-unknown`. */
  instrument(symbol: string): Instrument {
    const instrument = this.instruments.find((one) => one.symbol === symbol);
    if (instrument !== undefined) return instrument;
    throw new MillraceError(
      'symbol-unknown',
      `The venue of account ${this.name} has no symbol "${symbol}" that can be traded.`,
      { field: 'symbols' },
    );
  }

  get reconciledAt(): Micros | undefined {
    return this.#reconciler.lastAt;
  }

  now(): Micros {
    return this.#host.scheduler.now();
  }

  /**
   * Connects, and heals the journal by what the venue says. Before that nothing may be sent, so
   * what keeps the two from being compared is thrown.
   */
  async open(): Promise<void> {
    await this.venue.open({
      report: (report) => this.#hear(report),
      hearing: (hearing, why) => this.#hearingChanged(hearing, why),
    });
    this.journal.learn(this.venue.instruments);
    await this.#reconciler.now();
    const { lastAt, failure } = this.#reconciler;
    if (lastAt === undefined) {
      throw failure ?? new MillraceError('unreachable', 'The account was closed while it opened.');
    }
  }

  send(seat: Seat, request: OrderRequest, wished: boolean): void {
    this.#outbox.push(seat, request, wished);
  }

  balances(at: Micros): readonly BalanceReport[] {
    return [...this.#balances.values()].map((balance) => ({ ...balance, at }));
  }

  marketTicks(symbol: string): number {
    return this.#host.marketTicks(symbol);
  }

  /** What the account has of a currency, reserved or not, as last told. */
  holding(currency: string): Decimal {
    const balance = this.#balances.get(currency);
    return balance === undefined ? ZERO : balance.available.plus(balance.reserved);
  }

  /** The currencies that it has. */
  get currencies(): readonly string[] {
    return [...this.#balances.keys()];
  }

  /** Open orders of all seats as limits look at them. */
  get riskOrders(): readonly RiskOrder[] {
    const [only] = this.seats;
    if (only !== undefined && this.seats.length === 1) return only.riskOrders;
    return this.seats.flatMap((seat) => seat.riskOrders);
  }

  /** Compares journal and venue now. */
  reconcile(): Promise<void> {
    return this.#reconciler.now();
  }

  /** Asks the venue to cancel orders of a seat. */
  cancel(seat: Seat, orders: Iterable<OwnOrder>): void {
    for (const { clientOrderId, symbol } of orders) {
      const request: CancelRequest = { kind: 'cancel', clientOrderId, symbol };
      this.#outbox.push(seat, request, false);
    }
  }

  /** Orders of all seats that can still execute. */
  *openOrders(): Iterable<OwnOrder> {
    for (const seat of this.seats) yield* seat.orders.open();
  }

  async close(): Promise<void> {
    // A comparison that waits for the venue ends once that is closed.
    await Promise.all([this.#reconciler.close(), this.venue.close()]);
    this.journal.flush();
    this.journal.close();
  }

  #sent(request: OrderRequest, journalUs: number, cause: Micros | undefined): void {
    const { meter } = this.#host;
    const now = this.now();
    meter.sent(this.name, request.kind);
    if (cause !== undefined) meter.decision(this.name, now - cause, journalUs);
    for (const id of idsOf(request)) this.#sentAt.set(id, now);
    this.journal.sent(idsOf(request));
  }

  #refused(seat: Seat, request: OrderRequest, refusal: Refusal, by: 'risk' | 'journal'): void {
    const { meter, log } = this.#host;
    meter.refused(this.name, 'risk', refusal.code);
    const named = nameOf(request);
    if (by === 'journal') {
      log.warn(`The ${request.kind} of ${named.clientOrderId} was not sent: ${refusal.message}`);
    }
    const report: RejectReport = {
      kind: 'rejected',
      at: this.now(),
      request: request.kind,
      ...named,
      refusal,
    };
    // In a later turn: whoever answers it with another request must not keep the process from all else.
    this.#host.scheduler.at(report.at, () => {
      seat.hear(report);
    });
  }

  #hearingChanged(hearing: Hearing, why: string | undefined): void {
    const before = this.hearing;
    this.hearing = hearing;
    this.why = why;
    if (hearing === 'lost') {
      this.#host.log.warn(`Account ${this.name} is not heard of: ${why ?? 'the connection broke'}`);
      return;
    }
    if (before !== 'lost') return;
    this.#host.meter.reconnected(this.name, 'account');
    this.#host.log.info(`Account ${this.name} is heard of again.`);
    void this.#reconciler.now();
  }

  /** What the venue says, as it comes. */
  #hear(report: Report): void {
    const { strategy, isNew } = this.journal.heard(report, this.now());
    if (report.kind === 'balance') {
      this.#balances.set(report.currency, report);
      for (const seat of this.seats) seat.balance(report);
      return;
    }
    if (report.kind === 'doubt') this.#reconciler.soon();
    this.#acknowledge(report);
    const seat = this.seats.find(({ name }) => name === strategy);
    // A fill that is told again, in this life or after another, says nothing new.
    if (seat !== undefined && (isNew || report.kind !== 'trade')) this.#route(seat, report);
  }

  /** Tells the strategy whose order it is. */
  #route(seat: Seat, report: Exclude<Report, { kind: 'balance' }>): void {
    if (report.kind === 'trade') this.#host.meter.filled(this.name);
    if (report.kind === 'rejected') {
      this.#host.meter.refused(this.name, 'venue', report.refusal.code);
      this.#host.rejected(seat, report);
    }
    seat.hear(report);
  }

  #acknowledge(report: Exclude<Report, { kind: 'balance' }>): void {
    const id = idOf(report);
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return;
    this.#sentAt.delete(id);
    if (report.kind !== 'doubt') this.#host.meter.acknowledged(this.name, this.now() - sentAt);
  }

  /** Compares once and heals what differs; gives true while the fate of an order is not known. */
  async #reconcile(): Promise<boolean> {
    const { journal } = this;
    const open = journal.openOrders().map(({ clientOrderId }) => clientOrderId);
    const truth = await this.venue.truth(this.#since(), open);
    const { findings, balances, missing, needsSince } = reconcile({
      ...journal.concerning(truth),
      ...{ truth, rules: this.#rules(), missing: this.#missing },
      strategyOf: (id) => journal.strategyOf(id),
      adoptFor: this.seats[0]?.name,
    });
    for (const finding of findings) this.#heal(finding);
    for (const balance of balances) this.#hear(balance);
    this.#missing = missing;
    this.#needsSince = needsSince;
    journal.reconciled(truth.at);
    return needsSince !== undefined || journal.openOrders().some(isUnsure);
  }

  /**
   * From when on history is asked for: a little before the last comparison, before whatever is in doubt,
   * and from where the last comparison lacked something.
   */
  #since(): Micros {
    // A journal that never compared anything has sent nothing: what was before it is none of its business.
    const last = this.journal.reconciledAt ?? this.now();
    const unsure = this.journal.openOrders().filter(isUnsure);
    const times = unsure.map(({ intendedAt }) => intendedAt);
    return micros(Math.min(last, this.#needsSince ?? last, ...times) - OVERLAP_US);
  }

  /** Does what a finding asks for, and tells of it. */
  #heal(finding: Finding): void {
    const { log, meter } = this.#host;
    const { kind, message, clientOrderId, symbol, reports, requests } = finding;
    this.findings += 1;
    meter.found(this.name, kind);
    heal(this.journal, finding, this.now());
    this.#adopt(finding);
    log.warn(`Reconciliation (${this.name}): ${message}`, { kind, clientOrderId, symbol });
    for (const report of reports) this.#hear(report);
    for (const request of requests) this.venue.send(request);
  }

  /** Shows an order that is taken in to the strategy whose it is from now on. */
  #adopt({ adopt }: Finding): void {
    if (adopt === undefined) return;
    const order = this.journal.order(adopt.order.clientOrderId);
    const seat = this.seats.find(({ name }) => name === adopt.strategy);
    if (order !== undefined) seat?.adopt(order);
  }

  #warn(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#host.log.warn(`${what} (${this.name}): ${why}`);
  }
}

/** The client order ids of the orders that a request makes, or cancels. */
function idsOf(request: OrderRequest): readonly string[] {
  if (request.kind === 'placeList') return request.orders.map((order) => order.clientOrderId);
  return [request.kind === 'replace' ? request.newClientOrderId : request.clientOrderId];
}

/** By what a refusal names a request. */
function nameOf(request: OrderRequest): Pick<RejectReport, 'clientOrderId' | 'symbol'> {
  if (request.kind === 'placeList') {
    return { clientOrderId: request.orderListId, symbol: request.orders[0]?.symbol ?? '' };
  }
  const { symbol } = request;
  return request.kind === 'replace'
    ? { clientOrderId: request.newClientOrderId, symbol }
    : { clientOrderId: request.clientOrderId, symbol };
}

const idOf = (report: Exclude<Report, { kind: 'balance' }>): string =>
  'order' in report ? report.order.clientOrderId : report.clientOrderId;

const isUnsure = ({ status }: JournaledOrder): boolean =>
  status === 'pending' || status === 'unknown';
