import type { VenueAccount } from '../../gateways/venue-account.ts';
import type { Report } from '../../model/report.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { Order } from '../../model/order.ts';
import type { Finding } from '../recovery/finding.ts';
import { heal } from '../recovery/heal.ts';
import { reconcile } from '../recovery/reconcile.ts';
import type { ReconciliationSettings } from '../settings.ts';
import type { Outcome } from './reconciler.ts';
import type { AccountHost } from './setup.ts';

/** What happened at the venue shortly before the last comparison is looked at again. */
const OVERLAP_US = 10 * US_PER_SECOND;

export interface ComparisonSetup {
  /** Name of the account. */
  readonly name: string;
  readonly venue: VenueAccount;
  readonly journal: Journal;
  readonly host: AccountHost;
  readonly rules: () => ReconciliationSettings;
  /** The strategy that takes in orders of others, where the rules say so. */
  readonly adoptFor: () => string | undefined;
  /** Takes what the venue tells as if it had just come. */
  readonly hear: (report: Report) => void;
  /** Shows an order that is taken in to its strategy. */
  readonly adopt: (finding: Finding) => void;
}

/** Compares journal and venue, and repairs what differs. */
export class Comparison {
  /** Differences that the last comparison found. */
  findings = 0;
  readonly #setup: ComparisonSetup;
  readonly #startedAt: Micros;
  /** How often in a row each open order was found nowhere. */
  #missing: ReadonlyMap<string, number> = new Map();
  #needsSince: Micros | undefined;

  constructor(setup: ComparisonSetup) {
    this.#setup = setup;
    this.#startedAt = setup.host.scheduler.now();
  }

  /** Compares once, and says what is left unknown. */
  async run(): Promise<Outcome> {
    const { journal, venue, rules, adoptFor, hear } = this.#setup;
    const open = journal.openOrders().map(({ clientOrderId }) => clientOrderId);
    const truth = await venue.truth(this.since(), open);
    const { findings, balances, missing, needsSince } = reconcile({
      ...journal.concerning(truth),
      ...{ truth, rules: rules(), missing: this.#missing },
      strategyOf: (id) => journal.strategyOf(id),
      adoptFor: adoptFor(),
      startedAt: this.#startedAt,
    });
    this.findings = findings.length;
    for (const finding of findings) this.#heal(finding);
    for (const balance of balances) hear(balance);
    this.#missing = missing;
    this.#needsSince = needsSince;
    journal.reconciled(truth.at);
    const unsure = journal.openOrders().filter(isUnsure);
    return {
      isUnsure: needsSince !== undefined || unsure.length > 0,
      decidesAt: this.#decidesAt(unsure),
    };
  }

  /** When the first of the orders that were found nowhere counts as lost. */
  #decidesAt(unsure: readonly Order[]): Micros | undefined {
    const { rules, host } = this.#setup;
    const now = host.scheduler.now();
    const times = unsure
      .filter(({ clientOrderId }) => this.#missing.has(clientOrderId))
      .map(({ requestedAt }) => requestedAt + rules().lostAfterUs)
      .filter((at) => at > now);
    return times.length === 0 ? undefined : micros(Math.min(...times));
  }

  /**
   * From when on history is asked for: a little before the last comparison, before whatever is in doubt,
   * and from where the last comparison lacked something.
   */
  since(): Micros {
    const { journal, host } = this.#setup;
    // A journal that never compared anything has sent nothing: what was before it is none of its business.
    const last = journal.reconciledAt ?? host.scheduler.now();
    const unsure = journal.openOrders().filter(isUnsure);
    const times = unsure.map(({ requestedAt }) => requestedAt);
    return micros(Math.min(last, this.#needsSince ?? last, ...times) - OVERLAP_US);
  }

  /** Does what a finding asks for, and reports it. */
  #heal(finding: Finding): void {
    const { name, journal, venue, host, hear, adopt } = this.#setup;
    const { kind, message, clientOrderId, symbol, reports, requests } = finding;
    host.meter.found(name, kind);
    heal(journal, finding, host.scheduler.now());
    adopt(finding);
    host.log.warn(`Reconciliation (${name}): ${message}`, { kind, clientOrderId, symbol });
    if (kind === 'order-conflict') host.conflict(message);
    for (const report of reports) hear(report);
    for (const request of requests) venue.send(request);
  }
}

const isUnsure = ({ status }: Order): boolean => status === 'pending' || status === 'unknown';
