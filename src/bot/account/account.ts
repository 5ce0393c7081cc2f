import {
  idsOf,
  rejectReport,
  type CancelRequest,
  type OrderRequest,
} from '../../model/order-request.ts';
import type { Hearing, VenueAccount } from '../../gateways/venue-account.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import {
  reportedId,
  reportedSymbol,
  type AnyOrderReport,
  type BalanceReport,
  type Fill,
  type Report,
} from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { Finding } from '../recovery/finding.ts';
import type { ReconciliationSettings } from '../settings.ts';
import { cancels, cancelsNext } from './cancels.ts';
import { Comparison } from './comparison.ts';
import { Overdue } from './overdue.ts';
import { KnownAvailable } from './known-available.ts';
import { Outbox } from './outbox.ts';
import { proveAtVenue } from './proving.ts';
import { Purse } from './purse.ts';
import { Reconciler } from './reconciler.ts';
import { Seat, type SeatHost } from './seat.ts';
import type { AccountHost, AccountSetup } from './setup.ts';

/**
 * An account at a venue and everybody who trades on it: the one way out, the journal behind it, the
 * seats of the strategies, and the comparison of what is believed with what is true.
 */
export class Account implements SeatHost {
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly seats: Seat[] = [];
  /** Those of the seats that belong to no configured strategy. */
  readonly orphans: Seat[] = [];
  #hasSeats = false;
  hearing: Hearing | 'connecting' = 'connecting';
  /** Why it is not heard of. */
  why: string | undefined;
  readonly #setup: AccountSetup;
  /** Reports that came before the journal was known to be that of the account. */
  #early: Report[] | undefined = [];
  readonly #comparison: Comparison;
  readonly #host: AccountHost;
  readonly #rules: () => ReconciliationSettings;
  readonly #outbox: Outbox;
  readonly #reconciler: Reconciler;
  readonly #overdue: Overdue;
  /** What of it may be spent. */
  readonly available: KnownAvailable;
  readonly #balances = new Map<string, BalanceReport>();
  /** When requests left that nothing was heard of yet. */
  readonly #sentAt = new Map<string, Micros>();

  constructor(setup: AccountSetup) {
    const { name, venue, journal, rules, host } = setup;
    this.#setup = setup;
    this.name = name;
    this.venue = venue;
    this.journal = journal;
    this.#host = host;
    let present = rules;
    this.#rules = () => present;
    this.setRules = (next) => {
      present = next;
    };
    this.#comparison = new Comparison({
      ...{ name, venue, journal, host, rules: this.#rules },
      adoptFor: () => this.seats[0]?.name,
      hear: (report) => this.#hear(report),
      adopt: (finding) => this.#adopt(finding),
    });
    this.#outbox = new Outbox({
      scheduler: host.scheduler,
      refusal: (seat, request) => host.refusal(seat, request),
      passed: (request) => this.available.passed(request),
      intend: (intents) => journal.intend(intents),
      intendedLate: (intents) => journal.intendedLate(intents),
      send: (request) => venue.send(request),
      cause: () => host.cause(),
      sent: (request, journalUs, cause) => this.#sent(request, journalUs, cause),
      refused: (seat, request, refusal, by) => this.#refused(seat, request, refusal, by),
      failed: (error) => host.journalFailed(error),
    });
    this.#reconciler = new Reconciler({
      scheduler: host.scheduler,
      everyUs: () => this.#rules().everyUs,
      reconcile: () => this.#comparison.run(),
      failed: (error) => this.#warn('The venue could not be compared with the journal', error),
    });
    this.#overdue = new Overdue({
      scheduler: host.scheduler,
      openOrders: () => this.openOrders(),
      best: host.best,
      isHeard: () => this.hearing === 'live',
      askedAt: () => this.#reconciler.startedAt,
      ask: async () => {
        const before = this.#reconciler.comparisons;
        await this.#reconciler.now();
        return this.#reconciler.comparisons > before;
      },
      asks: (why) => host.log.info(`The venue is asked (${name}): ${why}`),
    });
    this.available = new KnownAvailable(this, (currency) => this.#overdue.agrees(currency));
  }

  /** Heard of, and nothing overdue: what is known of it is true as far as anybody can tell. */
  get isCurrent(): boolean {
    return this.hearing === 'live' && this.#overdue.why === undefined;
  }

  /** Why it is not heard of, or what is overdue. */
  get trouble(): string | undefined {
    return this.why ?? this.#overdue.why;
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

  /** The instrument of a symbol, or its terms as the journal last had them; throws `symbol-unknown`. */
  instrumentOf(symbol: string): Instrument {
    const kept = this.instruments.some((one) => one.symbol === symbol)
      ? undefined
      : this.journal.instrument(symbol);
    return kept ?? this.instrument(symbol);
  }

  /**
   * Takes in the open orders that no configured strategy has: of a strategy that was renamed or
   * removed, or in a symbol that it does not trade any more. They are shown, count against the
   * limits of the account and are canceled with all others. Comes once, when the seats are there.
   */
  openOrphans(): void {
    this.#hasSeats = true;
    for (const order of this.journal.openOrders()) {
      if (this.seats.some(({ orders }) => orders.find(order.clientOrderId) !== undefined)) continue;
      this.#seatOf(order.strategy, order.symbol)?.adopt(order);
    }
    for (const orphan of this.orphans) {
      const open = orphan.orders.open().map(({ clientOrderId, symbol }) => `${clientOrderId} (${symbol})`); // prettier-ignore
      if (open.length === 0) continue;
      this.#host.log.warn(
        `Strategy ${orphan.name} is not configured on account ${this.name}, or not for these symbols, and has orders open: ${open.join(', ')}. They count against the limits of the account; "millrace halt" and the end of the bot cancel them.`,
      );
    }
  }

  /** Differences that the last comparison of journal and venue found. */
  get findings(): number {
    return this.#comparison.findings;
  }

  get reconciledAt(): Micros | undefined {
    return this.#reconciler.lastAt;
  }

  now(): Micros {
    return this.#host.scheduler.now();
  }

  /**
   * Connects, and heals the journal by what the venue says. Before that nothing may be sent, so
   * what keeps the two from being compared is thrown, and `journal-unconfirmed` where the journal
   * may be that of another account.
   */
  async open(): Promise<void> {
    await this.venue.open({
      report: (report) => this.#hear(report),
      hearing: (hearing, why) => this.#hearingChanged(hearing, why),
    });
    await this.#prove();
    this.journal.learn(this.venue.instruments);
    await this.#reconciler.now();
    const { lastAt, failure } = this.#reconciler;
    if (lastAt === undefined) {
      throw failure ?? new MillraceError('unreachable', 'The account was closed while it opened.');
    }
    this.#overdue.start();
  }

  /** What the venue reports until this has ended is not for the journal yet. */
  async #prove(): Promise<void> {
    const { proof } = this.journal;
    await proveAtVenue({
      ...this.#setup,
      proof,
      since: this.#comparison.since(),
      log: this.#host.log,
    });
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const report of early) this.#hear(report);
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
    return balance === undefined ? ZERO : balance.available.plus(balance.reserved).toDecimal();
  }

  /** The currencies that it has. */
  get currencies(): readonly string[] {
    return [...this.#balances.keys()];
  }

  /** Open orders of all seats. */
  openOrders(): readonly Order[] {
    const [only] = this.seats;
    if (only !== undefined && this.seats.length === 1) return only.orders.open();
    return this.seats.flatMap((seat) => seat.orders.open());
  }

  /** Compares journal and venue now. */
  reconcile(): Promise<void> {
    return this.#reconciler.now();
  }

  /** Asks the venue to cancel orders of a seat; a list that is to end as a whole is canceled once. */
  cancel(seat: Seat, orders: Iterable<Order>): void {
    this.#cancel(seat, cancels(seat.orders, [...orders]));
  }

  #cancel(seat: Seat, orders: readonly Order[]): void {
    for (const { clientOrderId, symbol } of orders) {
      const request: CancelRequest = { kind: 'cancel', clientOrderId, symbol };
      this.#outbox.push(seat, request, false);
    }
  }

  async close(): Promise<void> {
    this.#overdue.stop();
    // A comparison that waits for the venue ends once that is closed.
    await Promise.all([this.#reconciler.close(), this.venue.close()]);
    this.journal.close();
  }

  #sent(request: OrderRequest, journalUs: number, cause: Micros | undefined): void {
    const { meter } = this.#host;
    const now = this.now();
    meter.sent(this.name, request.kind);
    if (cause !== undefined) meter.decision(this.name, now - cause, journalUs);
    this.#overdue.sent(request);
    for (const id of idsOf(request)) this.#sentAt.set(id, now);
    this.journal.sent(idsOf(request));
  }

  #refused(seat: Seat, request: OrderRequest, refusal: Refusal, by: 'risk' | 'journal'): void {
    const { meter, log } = this.#host;
    meter.refused(this.name, 'risk', refusal.code);
    if (by === 'journal') this.available.kept(request);
    const report = rejectReport(request, refusal, this.now());
    if (by === 'journal') {
      log.warn(`The ${request.kind} of ${report.clientOrderId} was not sent: ${refusal.message}`);
    }
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
      this.#overdue.clear();
      this.available.clear();
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
    if (this.#early !== undefined) {
      this.#early.push(report);
      return;
    }
    const { strategy, isNew } = this.journal.heard(report, this.now());
    if (report.kind === 'balance') {
      this.#balances.set(report.currency, report);
      this.#overdue.balance(report);
      this.available.balance(report);
      for (const seat of this.seats) seat.balance(report);
      return;
    }
    if (report.kind === 'doubt') this.#reconciler.soon();
    this.#overdue.heard(report);
    this.available.heard(report);
    if (report.kind === 'trade' && isNew) this.#filled(report.fill);
    this.#acknowledge(report);
    const seat = this.#seatOf(strategy, reportedSymbol(report));
    // A fill that is told again, in this life or after another, says nothing new.
    if (seat === undefined || !(isNew || report.kind !== 'trade')) return;
    this.#recall(seat, reportedId(report));
    this.#route(seat, report);
  }

  /** The seat of a strategy's orders in a symbol; one without a strategy where none is configured. */
  #seatOf(strategy: string | undefined, symbol: string): Seat | undefined {
    if (strategy === undefined) return undefined;
    const own = this.seats.filter(({ name }) => name === strategy);
    const found = own.find((seat) => seat.trades(symbol));
    if (found !== undefined || !this.#hasSeats) return found;
    const orphan = new Seat({
      ...{ name: strategy, account: this.name, host: this },
      instruments: [this.instrumentOf(symbol)],
      purse: new Purse(undefined),
    });
    this.seats.push(orphan);
    this.orphans.push(orphan);
    return orphan;
  }

  /** An order that ended so long ago that its seat has forgotten it, and that is open again. */
  #recall(seat: Seat, clientOrderId: string): void {
    if (seat.orders.find(clientOrderId) !== undefined) return;
    const order = this.journal.order(clientOrderId);
    if (order !== undefined && order.endedAt === undefined) seat.adopt(order);
  }

  #filled(fill: Fill): void {
    const instrument = this.instruments.find(({ symbol }) => symbol === fill.symbol);
    if (instrument !== undefined) this.#overdue.filled(instrument, fill);
  }

  /** Tells the strategy whose order it is. */
  #route(seat: Seat, report: AnyOrderReport): void {
    if (report.kind === 'trade') this.#host.meter.filled(this.name);
    if (report.kind === 'rejected') {
      this.#host.meter.refused(this.name, 'venue', report.refusal.code);
      this.#host.rejected(seat, report);
    }
    seat.hear(report);
    if (report.kind !== 'rejected' || report.request !== 'cancel') return;
    if (report.refusal.code !== 'order-unknown') return;
    this.#cancel(seat, cancelsNext(seat.orders, report.clientOrderId));
  }

  #acknowledge(report: AnyOrderReport): void {
    const id = reportedId(report);
    const sentAt = this.#sentAt.get(id);
    if (sentAt === undefined) return;
    this.#sentAt.delete(id);
    if (report.kind !== 'doubt') this.#host.meter.acknowledged(this.name, this.now() - sentAt);
  }

  /** Shows an order that is taken in to the strategy whose it is from now on. */
  #adopt({ adopt }: Finding): void {
    if (adopt === undefined) return;
    const order = this.journal.order(adopt.order.clientOrderId);
    if (order !== undefined) this.#seatOf(adopt.strategy, order.symbol)?.adopt(order);
  }

  #warn(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#host.log.warn(`${what} (${this.name}): ${why}`);
  }
}
