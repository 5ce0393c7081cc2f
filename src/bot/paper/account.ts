import type { OrderRequest, ReplaceRequest } from '../../model/order-request.ts';
import type { ExchangeOptions } from '../../exchange/exchange.ts';
import type { LocalVenue } from '../../gateways/rebalancing/simulated/venue.ts';
import type { SimulatedMargin } from '../../gateways/simulated-margin.ts';
import {
  hasMargin,
  SimulatedVenue,
  type Level,
  type TransferOrder,
} from '../../gateways/simulated.ts';
import type {
  AccountListener,
  AccountSnapshot,
  VenueAccount,
} from '../../gateways/venue-account.ts';
import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, MarginReport } from '../../model/margin-account.ts';
import { isActive, type Side, type VenueOrder } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { NonSpotBalanceSource } from '../../model/non-spot-balance.ts';
import type { Fill, RejectReport, Report } from '../../model/report.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { PaperSettings } from '../settings/settings.ts';
import { continued, forTheRest, type PreviousRun } from './previous-run.ts';
import { PaperMargin } from './margin.ts';
import { ordersInGap, unchargedBetween } from './gap.ts';
import { RecentTrades } from './recent.ts';
import { restoreRequests, type OpenOrder } from './renewal.ts';

export interface PaperSetup {
  /** Name of the venue. */
  readonly venue: string;
  readonly instruments: readonly Instrument[];
  readonly scheduler: Scheduler;
  readonly settings: PaperSettings;
  readonly exchange?: ExchangeOptions;
  /** Called with a sentence about what of a previous run does not continue. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A paper account's state in the journal. */
export interface PaperRun {
  /** Available and reserved together, by currency. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Orders that have not ended; of a list those that have not. */
  readonly orders: readonly OpenOrder[];
  /** Margin accounts, also closed ones. */
  readonly margin: readonly MarginAccountState[];
  /** When something was last received of it. */
  readonly receivedAt?: Micros | undefined;
}

/**
 * An account at the exchange of this process, on real time: a bot trades on it as on a live one.
 * Whoever feeds it hands each row of the market to `market` first and then to the engine.
 *
 * After a restart `restore` continues a previous run: the balances are those of the journal, and open
 * orders are placed again under the same client order ids. To everybody they are the same orders,
 * with what had been executed of them; only their place in the queue is new. Margin accounts are taken up
 * before them, to the last digit; what the market did meanwhile is judged at its first price.
 */
export class PaperAccount implements VenueAccount, LocalVenue {
  readonly instruments: readonly Instrument[];
  readonly #setup: PaperSetup;
  /** Set if an instrument is traded on margin. */
  readonly margin: PaperMargin | undefined;
  readonly #margin: PaperMargin;
  /** Of wallet and derivatives, which begin as configured in each life: no request of a bot changes what they keep. */
  readonly nonSpotBalances: NonSpotBalanceSource = {
    follow: (accountType, listener) => this.#open().nonSpotBalances.follow(accountType, listener),
  };
  readonly #recent = new RecentTrades();
  /** Active orders as last reported, by client order id, oldest first. */
  readonly #active = new Map<string, VenueOrder>();
  readonly #earlier = new Map<string, PreviousRun>();
  /** Orders that are being placed again, without a report yet. */
  readonly #renewing = new Map<string, VenueOrder>();
  #life: PaperRun | undefined;
  /** Reports in flight, oldest first. */
  readonly #onWay: { readonly emit: () => void; readonly cancel: Cancel }[] = [];
  #venue: SimulatedVenue | undefined;
  #listener: AccountListener | undefined;
  /** Numbers of orders and fills begin above those of every previous run. */
  #numberFrom = 0;

  constructor(setup: PaperSetup) {
    this.instruments = setup.instruments;
    this.#setup = setup;
    this.#margin = new PaperMargin(() => this.#marginSide(), this.#recent);
    if (setup.instruments.some(hasMargin)) this.margin = this.#margin;
  }

  /** Continues a previous run; before `open`. */
  restore(life: PaperRun): void {
    if (this.#venue !== undefined) throw fault('restored after it was opened');
    this.#life = life;
  }

  /** Throws `currency-unknown` for a balance of a currency that no instrument trades. */
  open(listener: AccountListener): Promise<void> {
    if (this.#venue !== undefined) throw fault('opened twice');
    const { venue: name, instruments, scheduler, settings, exchange } = this.#setup;
    const { orderUs, reportUs } = settings;
    const venue = new SimulatedVenue({
      venue: name,
      instruments,
      scheduler,
      latency: { orderUs, reportUs },
      balances: this.#life?.balances ?? settings.balances,
      nonSpotBalances: settings.nonSpotBalances,
      exchange,
      observer: (report) => this.#happened(report),
      marginObserver: (report) => this.#happenedOnMargin(report),
    });
    this.#venue = venue;
    this.#numberFrom = scheduler.now();
    this.#margin.number(this.#numberFrom);
    this.#listener = listener;
    listener.connectionState('live');
    const reports = this.#restoreMargin(venue);
    // The initial state is emitted at once, all else after the report latency: see `#happened`.
    let isOpen = false;
    venue.connect((report) => {
      if (!isOpen) this.#emit(report);
    });
    isOpen = true;
    for (const report of reports) listener.margin(report);
    if (this.#life !== undefined) this.#restoreOrders(venue, this.#life);
    this.#life = undefined;
    return Promise.resolve();
  }

  /** Processes a market row of the instrument at `index`; orders fill by it. */
  market(index: number, columns: EventColumns, row: number): void {
    this.#open().market(index, columns, row);
  }

  send(request: OrderRequest): void {
    const venue = this.#open();
    if (request.kind !== 'replace') {
      venue.send(request);
      return;
    }
    const restored = this.#earlier.get(request.clientOrderId);
    if (restored === undefined) {
      venue.send(request);
      return;
    }
    const rest = forTheRest(request, restored);
    if (rest.lots <= 0) {
      this.#refuse(request, restored);
      return;
    }
    this.#earlier.set(request.newClientOrderId, restored);
    // Made here of the engine's request, and unchecked since.
    venue.submit(rest);
  }

  holds(currency: string): boolean {
    return this.#open().holds(currency);
  }

  available(currency: string): Decimal {
    return this.#open().available(currency);
  }

  levels(symbol: string, side: Side, count: number): readonly Level[] {
    return this.#open().levels(symbol, side, count);
  }

  receive(currency: string, amount: Decimal): void {
    this.deliverAll();
    this.#open().receive(currency, amount);
  }

  pay(currency: string, amount: Decimal): boolean {
    this.deliverAll();
    return this.#open().pay(currency, amount);
  }

  trade(order: TransferOrder): readonly Fill[] | Rejection {
    this.deliverAll();
    return this.#open().trade(order);
  }

  /**
   * Emits all reports in flight. A transfer changes the account when it is journaled, so earlier changes
   * must be journaled by then; a transfer therefore delivers the reports of its account some milliseconds
   * early.
   */
  deliverAll(): void {
    for (;;) {
      const next = this.#onWay.shift();
      if (next === undefined) return;
      next.cancel();
      next.emit();
    }
  }

  /** The exchange's state when the request arrives; the answer follows all earlier reports. */
  snapshot(since: Micros): Promise<AccountSnapshot> {
    const { scheduler, settings } = this.#setup;
    const venue = this.#open();
    return new Promise((resolve) => {
      this.#after(settings.orderUs, () => {
        const snapshot = this.#snapshot(venue, scheduler.now(), since);
        this.#after(settings.reportUs, () => resolve(snapshot));
      });
    });
  }

  /** The clocks are one. */
  clockSkewUs(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): Promise<void> {
    this.#listener = undefined;
    return Promise.resolve();
  }

  #snapshot(venue: SimulatedVenue, at: Micros, since: Micros): AccountSnapshot {
    return {
      at,
      orders: [...this.#active.keys()].flatMap((id) => {
        const order = venue.activeOrder(id);
        return order === undefined ? [] : [this.#known(order)];
      }),
      ended: this.#recent.endedSince(since),
      fills: this.#recent.fillsSince(since),
      balances: venue.balances,
      ...(this.margin === undefined ? {} : { margin: this.margin.snapshot(since) }),
    };
  }

  /** Restores the margin accounts of a previous run; returns the first reports of margin accounts. */
  #restoreMargin(venue: SimulatedVenue): readonly MarginReport[] {
    const { scheduler, warn } = this.#setup;
    const now = scheduler.now();
    const { margin: accounts = [], receivedAt = now } = this.#life ?? {};
    const reports = this.#margin.restore(venue, accounts, now);
    for (const report of reports) {
      if (report.kind === 'marginRejected') warn?.(ordersInGap(report));
    }
    const uncharged = unchargedBetween(accounts, receivedAt, now);
    if (uncharged !== undefined) warn?.(uncharged);
    return [...(this.margin?.present(now) ?? []), ...reports];
  }

  /** Places the orders of a previous run again; their outcome is reported as their status. */
  #restoreOrders(venue: SimulatedVenue, { orders }: PaperRun): void {
    const { requests, restoredOrders, ended, lost } = restoreRequests(
      orders,
      this.#setup.scheduler.now(),
    );
    for (const order of lost) this.#neverCame(order);
    for (const [clientOrderId, restored] of restoredOrders) {
      this.#earlier.set(clientOrderId, restored);
      this.#renewing.set(clientOrderId, restored.order);
    }
    for (const order of ended) this.#endedMeanwhile(order);
    for (const request of requests) venue.renew(request);
  }

  /** Reports an order that did not continue. */
  #endedMeanwhile(order: VenueOrder): void {
    const at = this.#setup.scheduler.now();
    this.#recent.ended({ ...order, updatedAt: at });
    this.#listener?.report({ kind: 'status', at, order: { ...order, updatedAt: at } });
  }

  /** Reports an order that was intended and never placed, as a venue does that does not know it. */
  #neverCame({ clientOrderId, symbol, replaces }: OpenOrder): void {
    this.#listener?.report({
      kind: 'rejected',
      at: this.#setup.scheduler.now(),
      request: replaces === undefined ? 'place' : 'replace',
      clientOrderId,
      symbol,
      rejection: {
        code: 'order-lost',
        message: `The order ${clientOrderId} had not come to stand when the bot ended.`,
      },
    });
  }

  /** Records an event of the exchange at its moment. */
  #happened(report: Report): void {
    this.#send(() => this.#emit(report));
    if (
      report.kind === 'balance' ||
      report.kind === 'rejected' ||
      report.kind === 'outcome-unknown'
    )
      return;
    if (report.kind === 'replaced') this.#active.delete(report.order.originalClientOrderId ?? '');
    const order = this.#known(report.order);
    if (isActive(order.status)) this.#active.set(order.clientOrderId, order);
    else {
      this.#active.delete(order.clientOrderId);
      this.#recent.ended(order);
    }
    if (report.kind === 'trade') {
      this.#recent.filled({ ...report.fill, id: report.fill.id + this.#numberFrom });
    }
  }

  /** The same of margin accounts. */
  #happenedOnMargin(report: MarginReport): void {
    const known = this.#margin.happened(report);
    this.#send(() => this.#listener?.margin(known));
  }

  /** Hands a report on after the report latency. */
  #emit(report: Report): void {
    switch (report.kind) {
      case 'balance':
      case 'outcome-unknown':
        this.#listener?.report(report);
        return;
      case 'rejected':
        this.#rejected(report);
        return;
      case 'trade': {
        const fill = { ...report.fill, id: report.fill.id + this.#numberFrom };
        this.#listener?.report({ ...report, order: this.#known(report.order), fill });
        break;
      }
      default: {
        const order = this.#known(report.order);
        const isRenewed = this.#renewing.delete(order.clientOrderId);
        this.#listener?.report({ kind: isRenewed ? 'status' : report.kind, at: report.at, order });
      }
    }
    if (!isActive(report.order.status)) this.#earlier.delete(report.order.clientOrderId);
    if (report.kind === 'replaced') this.#earlier.delete(report.order.originalClientOrderId ?? '');
  }

  /** An order that cannot be placed again is reported as canceled, with the orders of its list. */
  #rejected(report: RejectReport): void {
    const rejected = this.#renewing.get(report.clientOrderId);
    if (rejected === undefined) {
      this.#earlier.delete(report.clientOrderId);
      this.#listener?.report(report);
      return;
    }
    const { orderListId } = rejected;
    for (const [clientOrderId, order] of [...this.#renewing]) {
      const isOfList = orderListId !== undefined && order.orderListId === orderListId;
      if (order !== rejected && !(report.request === 'placeList' && isOfList)) continue;
      this.#renewing.delete(clientOrderId);
      this.#earlier.delete(clientOrderId);
      this.#endedMeanwhile({ ...order, status: 'canceled' });
    }
  }

  #refuse({ newClientOrderId, symbol }: ReplaceRequest, { filledLots }: PreviousRun): void {
    const { orderUs, reportUs } = this.#setup.settings;
    this.#after(orderUs + reportUs, () => {
      this.#listener?.report({
        kind: 'rejected',
        at: this.#setup.scheduler.now(),
        request: 'replace',
        clientOrderId: newClientOrderId,
        symbol,
        rejection: {
          code: 'quantity-below-executed',
          field: 'quantity',
          message: `The new quantity must be above the ${filledLots} lots that were executed already.`,
          limit: String(filledLots),
        },
      });
    });
  }

  /** An order of the exchange as everybody knows it. */
  #known(order: VenueOrder): VenueOrder {
    const numbered = { ...order, id: order.id + this.#numberFrom };
    const restored = this.#earlier.get(order.clientOrderId);
    return restored === undefined ? numbered : continued(numbered, restored);
  }

  #after(delayUs: number, task: () => void): void {
    const { scheduler } = this.#setup;
    scheduler.at(micros(scheduler.now() + delayUs), task);
  }

  /** Emits after the report latency: orders and margin accounts in one sequence. */
  #send(emit: () => void): void {
    const { scheduler, settings } = this.#setup;
    const cancel = scheduler.at(micros(scheduler.now() + settings.reportUs), () => {
      this.#onWay.splice(this.#onWay.indexOf(one), 1);
      emit();
    });
    const one = { emit, cancel };
    this.#onWay.push(one);
  }

  #marginSide(): SimulatedMargin {
    const { margin } = this.#open();
    if (margin === undefined) throw fault('asked for margin that it has not');
    return margin;
  }

  #open(): SimulatedVenue {
    if (this.#venue === undefined) throw fault('used before it was opened');
    return this.#venue;
  }
}

const fault = (what: string): MillraceError =>
  new MillraceError('internal', `A paper account was ${what}.`);
