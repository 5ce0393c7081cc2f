import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { repair } from '../../../src/bot/recovery/repair.ts';
import { reconcile } from '../../../src/bot/recovery/reconcile.ts';
import type { ReconciliationSettings } from '../../../src/bot/settings/settings.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { OrderStore } from '../../../src/engine/orders/order-store.ts';
import type { Report } from '../../../src/model/report.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BTC, START, forgetStateFile } from '../journal/kit.ts';
import { ModelVenue } from './model-venue.ts';

export const STRATEGY = 'ema';
export const RULES: ReconciliationSettings = {
  everyUs: 60 * US_PER_SECOND,
  foreignOrders: 'report',
  lostAfterUs: 30 * US_PER_SECOND,
};

/** What becomes of a report on its way. */
export type Outcome = 'heard' | 'lost' | 'twice' | 'late';

/**
 * A bot that does nothing but journal, send, hear and reconcile, on a wire that loses, repeats and
 * delays what it carries, and whose process can be killed at any step: what is on the disk then is
 * all that is left.
 */
export class BotModel {
  readonly venue = new ModelVenue(START, (report) => this.#carry(report));
  readonly #folder: string;
  readonly #rules: ReconciliationSettings;
  readonly #fates: Outcome[] = [];
  readonly #late: Report[] = [];
  #lives = 0;
  #scheduler = new VirtualScheduler(START);
  journal: Journal;
  #missing: ReadonlyMap<string, number> = new Map();
  #needsSince: number | undefined;
  readonly discrepancies: string[] = [];

  constructor(folder: string, rules: ReconciliationSettings = RULES) {
    this.#folder = folder;
    this.#rules = rules;
    this.journal = this.#open(this.#path());
    this.journal.learn([BTC]);
  }

  /** The orders of the account, as the engine of the bot has them too. */
  get orders(): OrderStore {
    return this.journal.orders;
  }

  /** What becomes of the next reports, in their order; after these all are heard. */
  foretell(fates: readonly Outcome[]): void {
    this.#fates.splice(0, this.#fates.length, ...fates);
  }

  pass(us: number): void {
    this.#scheduler.advanceTo(micros(this.#scheduler.now() + us));
    this.venue.now = this.#scheduler.now();
  }

  /** Journals a request and sends it; `arrives` is false where the wire loses it. */
  send(request: OrderRequest, arrives: boolean): void {
    const at = this.#scheduler.now();
    this.orders.request(request, { strategy: STRATEGY, managed: false, requestedAt: at });
    this.journal.intend([{ at, strategy: STRATEGY, request, managed: false }]);
    if (arrives) this.venue.take(request);
  }

  /** Hears what was late, newest first. */
  receiveLate(): void {
    for (const report of this.#late.splice(0).reverse()) this.#receive(report);
  }

  /** Kills the process and starts another on a copy of what is on the disk. */
  kill(): void {
    const from = this.#path();
    this.#lives += 1;
    for (const end of ['', '-wal']) {
      if (existsSync(from + end)) copyFileSync(from + end, this.#path() + end);
    }
    forgetStateFile(this.#path());
    const killed = this.journal;
    this.journal = this.#open(this.#path());
    killed.close();
    this.#missing = new Map();
    this.#needsSince = undefined;
  }

  reconcile(): void {
    const since = this.journal.reconciledAt ?? START;
    const snapshot = this.venue.snapshot(Math.min(since, this.#needsSince ?? since) - 5);
    const { discrepancies, missing, needsSince } = reconcile({
      ...this.journal.concerning(snapshot),
      snapshot,
      rules: this.#rules,
      missing: this.#missing,
    });
    for (const discrepancy of discrepancies) {
      this.discrepancies.push(discrepancy.kind);
      repair(this.journal, discrepancy, this.#scheduler.now());
      for (const report of discrepancy.reports) this.#receive(report);
      for (const request of discrepancy.requests) this.venue.take(request);
    }
    this.#missing = missing;
    this.#needsSince = needsSince;
    this.journal.reconciled({ at: snapshot.at });
  }

  close(): void {
    this.journal.close();
  }

  #carry(report: Report): void {
    const outcome = this.#fates.shift() ?? 'heard';
    if (outcome === 'late') this.#late.push(report);
    if (outcome === 'heard' || outcome === 'twice') this.#receive(report);
    if (outcome === 'twice') this.#receive(report);
  }

  #receive(report: Report): void {
    this.journal.received(report, this.#scheduler.now());
  }

  #path(): string {
    return join(this.#folder, `life-${this.#lives}.sqlite`);
  }

  #open(path: string): Journal {
    const scheduler = this.#scheduler;
    return Journal.open(path, { account: 'main', scheduler, random: new Random(1) });
  }
}
