import type { OrderRequest } from '../../model/order-request.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { isActive, type Order } from '../../model/order.ts';
import type { AnyOrderReport, BalanceReport, Fill } from '../../model/report.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { COMPARISON_GAP_US } from './reconciler.ts';
import { Unexplained } from './unexplained.ts';
import { unshown, type BestOf } from './unshown.ts';

export interface OverdueHost {
  readonly scheduler: Scheduler;
  /** Orders that can still execute. */
  openOrders(): Iterable<Order>;
  /** The best bid and offer of a symbol as received; `undefined` if own orders are not in its book. */
  best: BestOf;
  /** True while the account is connected: otherwise everything is read after the next connection. */
  isReceived(): boolean;
  /** When the venue was last queried, for any reason. */
  askedAt(): Micros | undefined;
  /** Queries the venue; returns whether it answered. */
  ask(): Promise<boolean>;
  /** Called with the reason of a query. */
  asks(why: string): void;
}

/** How often it is looked whether something is overdue. */
const LOOK_US = 500 * US_PER_MS;
/** Longest normal time of a reply, or of a report after the market data that imply it. */
const DUE_US = US_PER_SECOND;
/** Delay before the same query is repeated; it doubles each time. */
const AGAIN_US = 2 * US_PER_SECOND;
const AGAIN_MAX_US = 30 * US_PER_SECOND;

interface Awaited {
  readonly id: string;
  readonly kind: OrderRequest['kind'];
  /** The list that it was sent with. */
  readonly list: string | undefined;
  readonly since: Micros;
}

/**
 * A request, order or balance whose state is unknown: since when, and when the venue may be queried again.
 */
interface UnknownOutcome {
  readonly why: string;
  readonly since: Micros;
  askAt: number;
  againUs: number;
}

/**
 * Notices what the venue should have reported and did not, on a connection that seems to be fine:
 *
 * - a request that was not answered within a second
 * - an order that the book has not shown for a second where it should be: it was filled or is gone
 * - a balance that for a second is not what its fills made of it
 *
 * The venue is asked then; one answer settles all of them. What stays unknown is asked for again
 * more and more rarely, so that neither a slow venue nor a book that lags is asked all the time.
 */
export class Overdue {
  readonly #host: OverdueHost;
  readonly #awaited = new Map<string, Awaited>();
  readonly #unknownOutcomes = new Map<string, UnknownOutcome>();
  readonly #unexplained = new Unexplained();
  /** When the venue is next queried for balances, and the delay after that. */
  #balancesAskAt = Number.NEGATIVE_INFINITY;
  #balancesAgainUs = AGAIN_US;
  /** Reason of the running query. */
  #why: string | undefined;
  #cancel: Cancel = () => undefined;

  constructor(host: OverdueHost) {
    this.#host = host;
  }

  /** Why the account's state may be out of date; `undefined` if nothing is overdue. */
  get why(): string | undefined {
    if (this.#why !== undefined) return this.#why;
    for (const [key, { why }] of this.#unknownOutcomes)
      if (this.#awaited.has(key)) return `${why}.`;
    return undefined;
  }

  start(): void {
    const { scheduler } = this.#host;
    this.#cancel = scheduler.at(micros(scheduler.now() + LOOK_US), () => {
      this.#check();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** A request left. */
  sent(request: OrderRequest): void {
    const since = this.#host.scheduler.now();
    const { kind } = request;
    if (kind === 'placeList') {
      for (const { clientOrderId: id } of request.orders) {
        this.#await({ id, kind, list: request.orderListId, since });
      }
      return;
    }
    const id = kind === 'replace' ? request.newClientOrderId : request.clientOrderId;
    this.#await({ id, kind, list: undefined, since });
  }

  /** Receives a report of an order or a request. */
  received(report: AnyOrderReport): void {
    if ('order' in report) {
      const { clientOrderId: id, status } = report.order;
      this.#unknownOutcomes.delete(unshownKey(id));
      for (const kind of ['place', 'placeList', 'replace'] as const) this.#answered(kind, id);
      // A fill in between is no answer to a cancel.
      if (!isActive(status)) this.#answered('cancel', id);
      return;
    }
    this.#answered(report.request, report.clientOrderId);
    if (report.request !== 'placeList') return;
    for (const { id, kind, list } of [...this.#awaited.values()]) {
      if (list === report.clientOrderId) this.#answered(kind, id);
    }
  }

  /** An execution that is reported for the first time. */
  filled(instrument: Instrument, fill: Fill): void {
    this.#unexplained.fill(instrument, fill);
  }

  /** Money went to margin accounts, or came back if the amount is negative. */
  moved(currency: string, amount: Decimal): void {
    this.#unexplained.moved(currency, amount);
  }

  /** Receives a balance. */
  balance(report: BalanceReport): void {
    this.#unexplained.balance(report);
  }

  /** True if a balance was received on this connection and matches its fills. */
  agrees(currency: string): boolean {
    return this.#unexplained.agrees(currency);
  }

  /** The connection is lost: everything is read after the next connection. */
  clear(): void {
    this.#unknownOutcomes.clear();
    this.#awaited.clear();
    this.#unexplained.clear();
  }

  #await(awaited: Awaited): void {
    this.#awaited.set(requestKey(awaited.kind, awaited.id), awaited);
  }

  #answered(kind: OrderRequest['kind'], id: string): void {
    const key = requestKey(kind, id);
    this.#awaited.delete(key);
    this.#unknownOutcomes.delete(key);
  }

  #check(): void {
    if (!this.#host.isReceived()) return;
    const now = this.#host.scheduler.now();
    this.#checkRequests(now);
    this.#checkBooks();
    this.#checkBalances();
    const due = [...this.#unknownOutcomes.values()].filter(({ askAt }) => askAt <= now);
    const [first] = due;
    const askedAt = this.#host.askedAt() ?? Number.NEGATIVE_INFINITY;
    if (first === undefined || this.#why !== undefined || now < askedAt + COMPARISON_GAP_US) return;
    for (const unknownOutcome of due) {
      unknownOutcome.askAt = now + unknownOutcome.againUs;
      unknownOutcome.againUs = Math.min(AGAIN_MAX_US, unknownOutcome.againUs * 2);
    }
    const more = due.length === 1 ? '' : ` (and ${due.length - 1} more)`;
    void this.#ask(`${first.why}${more}.`);
  }

  #checkRequests(now: Micros): void {
    for (const [key, { id, kind, since }] of this.#awaited) {
      if (now - since < DUE_US) continue;
      this.#unknownOutcome(key, `The ${WORDS[kind]} ${id} was not answered within 1 s`, 0);
    }
  }

  /** An overdue order that is being canceled or replaced is queried as such. */
  #checkBooks(): void {
    const standing = [...this.#host.openOrders()].filter(
      ({ clientOrderId: id }) => !this.#awaited.has(requestKey('cancel', id)),
    );
    const ids = unshown(standing, this.#host.best);
    for (const key of [...this.#unknownOutcomes.keys()]) {
      if (key.startsWith(UNSHOWN) && !ids.has(key.slice(UNSHOWN.length)))
        this.#unknownOutcomes.delete(key);
    }
    for (const id of ids) {
      this.#unknownOutcome(
        unshownKey(id),
        `The book does not show the order ${id} any more`,
        DUE_US,
      );
    }
  }

  #checkBalances(): void {
    const currencies = new Set(this.#unexplained.currencies);
    for (const key of [...this.#unknownOutcomes.keys()]) {
      if (!key.startsWith(BALANCE) || currencies.has(key.slice(BALANCE.length))) continue;
      this.#unknownOutcomes.delete(key);
    }
    const now = this.#host.scheduler.now();
    const afterUs = Math.max(DUE_US, this.#balancesAskAt - now);
    for (const currency of currencies) {
      const why = `The balance of ${currency} is not what its fills made of it`;
      this.#unknownOutcome(`${BALANCE}${currency}`, why, afterUs);
    }
  }

  #unknownOutcome(key: string, why: string, afterUs: number): void {
    if (this.#unknownOutcomes.has(key)) return;
    const since = this.#host.scheduler.now();
    this.#unknownOutcomes.set(key, { why, since, askAt: since + afterUs, againUs: AGAIN_US });
  }

  /** Somebody moved funds by hand, or fees are rounded otherwise than documented, which does not end. */
  #onUnresolved(asked: Micros): void {
    const isAgain = asked - this.#balancesAskAt < AGAIN_MAX_US;
    this.#balancesAgainUs = isAgain ? Math.min(AGAIN_MAX_US, this.#balancesAgainUs * 2) : AGAIN_US;
    this.#balancesAskAt = asked + this.#balancesAgainUs;
  }

  async #ask(why: string): Promise<void> {
    this.#why = why;
    this.#host.asks(why);
    const asked = this.#host.scheduler.now();
    const hasAnswered = await this.#host.ask();
    this.#why = undefined;
    if (!hasAnswered) return;
    // The venue has reported its state; an unknown request remains awaited.
    const left = this.#unexplained.currencies.filter((currency) => {
      const since = this.#unknownOutcomes.get(`${BALANCE}${currency}`)?.since;
      return since !== undefined && since <= asked;
    });
    for (const currency of left) {
      this.#unexplained.settle(currency);
      this.#unknownOutcomes.delete(`${BALANCE}${currency}`);
    }
    if (left.length > 0) this.#onUnresolved(asked);
  }
}

const WORDS = {
  place: 'order',
  placeList: 'order',
  replace: 'replacement',
  cancel: 'cancel of',
} as const satisfies Record<OrderRequest['kind'], string>;

const BALANCE = 'balance ';
const UNSHOWN = 'unshown ';
const unshownKey = (id: string): string => `${UNSHOWN}${id}`;
const requestKey = (kind: OrderRequest['kind'], id: string): string => `${kind} ${id}`;
