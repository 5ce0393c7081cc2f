import type {
  ConnectionState,
  AccountSnapshot,
  VenueAccount,
} from '../../gateways/venue-account.ts';
import type { MarginAccountId } from '../../model/margin-account.ts';
import { isUnanswered, type Order } from '../../model/order.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { CaughtUp } from '../journal/records.ts';
import type { Reconciliation } from '../recovery/finding.ts';
import { missingName } from '../recovery/margin/margin.ts';
import { reconcile } from '../recovery/reconcile.ts';
import type { ReconciliationSettings } from '../settings/settings.ts';
import type { Outcome } from './reconciler.ts';

/** Events at the venue this shortly before the last comparison are read again. */
const OVERLAP_US = 10 * US_PER_SECOND;

export interface ComparisonOptions {
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
}

/** Result of a comparison, and the time of its snapshot. */
export interface Compared extends Reconciliation {
  readonly at: Micros;
}

/** Compares journal and venue. */
export class Comparison {
  /** Differences that the last comparison found. */
  discrepancies = 0;
  readonly #options: ComparisonOptions;
  readonly #startedAt: Micros;
  /** How often in a row each open order was found nowhere. */
  #missing: ReadonlyMap<string, number> = new Map();
  #needsSince: Micros | undefined;
  /** How often the connection was lost, and whether it is. */
  #losses = 0;
  #isLost = false;

  constructor(options: ComparisonOptions) {
    this.#options = options;
    this.#startedAt = options.scheduler.now();
  }

  /** The connection is there, or is lost. */
  connectionState(connectionState: ConnectionState): void {
    this.#isLost = connectionState === 'lost';
    if (this.#isLost) this.#losses += 1;
  }

  /** Compares once; call `settle` after the differences are repaired. `adoptFor` adopts foreign orders. */
  async compare(rules: ReconciliationSettings, adoptFor: string | undefined): Promise<Compared> {
    const { journal } = this.#options;
    const snapshot = await this.#snapshot();
    const found = reconcile({
      ...journal.concerning(snapshot),
      snapshot,
      rules,
      missing: this.#missing,
      adoptFor,
      startedAt: this.#startedAt,
      strategyOf: (id) => journal.strategyOf(id),
    });
    this.discrepancies = found.discrepancies.length;
    return { ...found, at: snapshot.at };
  }

  /** Reads the account; again if the connection was lost in between, as no report covers that time. */
  async #snapshot(): Promise<AccountSnapshot> {
    const { journal, venue } = this.#options;
    const losses = this.#losses;
    const open = journal.openOrders().map(({ clientOrderId }) => clientOrderId);
    const snapshot = await venue.snapshot(this.since(), open);
    return losses === this.#losses ? snapshot : this.#snapshot();
  }

  /**
   * Marks the outcomes that stay unknown after a comparison; returns the reports of shared accounts held
   * for it.
   */
  settle(
    { missing, needsSince, at }: Compared,
    rules: ReconciliationSettings,
  ): Outcome & { readonly caughtUp: readonly CaughtUp[] } {
    const { journal } = this.#options;
    this.#missing = missing;
    this.#needsSince = needsSince;
    const isLeft = (marginAccount: MarginAccountId): boolean =>
      missing.has(missingName(marginAccount));
    const caughtUp = journal.reconciled({ at, isLeft, isReceived: !this.#isLost });
    const unsure = journal.openOrders().filter(isUnanswered);
    return {
      caughtUp,
      isUnsure: needsSince !== undefined || unsure.length > 0,
      decidesAt: this.#decidesAt(unsure, rules),
    };
  }

  /** When the first of the orders that were found nowhere counts as lost. */
  #decidesAt(
    unsure: readonly Order[],
    { lostAfterUs }: ReconciliationSettings,
  ): Micros | undefined {
    const now = this.#options.scheduler.now();
    const times = unsure
      .filter(({ clientOrderId }) => this.#missing.has(clientOrderId))
      .map(({ requestedAt }) => requestedAt + lostAfterUs)
      .filter((at) => at > now);
    return times.length === 0 ? undefined : micros(Math.min(...times));
  }

  /**
   * Start of the history to request: a little before the last comparison, before every unknown outcome, and
   * from where the last comparison lacked fills.
   */
  since(): Micros {
    const { journal, scheduler } = this.#options;
    // A journal without a comparison has sent nothing, so earlier history is irrelevant.
    const last = journal.knownUntil ?? scheduler.now();
    const unsure = journal.openOrders().filter(isUnanswered);
    const times = unsure.map(({ requestedAt }) => requestedAt);
    return micros(Math.min(last, this.#needsSince ?? last, ...times) - OVERLAP_US);
  }
}
