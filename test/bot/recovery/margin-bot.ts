import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { Discrepancy } from '../../../src/bot/recovery/finding.ts';
import { repair } from '../../../src/bot/recovery/repair.ts';
import { missingName } from '../../../src/bot/recovery/margin/margin.ts';
import { reconcile } from '../../../src/bot/recovery/reconcile.ts';
import type { ReceivedMargin } from '../../../src/bot/journal/records.ts';
import type { MarginAccountId, MarginAccountReport } from '../../../src/model/margin-account.ts';
import { ZERO } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { Random } from '../../../src/platform/random.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { BTC, forgetStateFile, START } from '../journal/kit.ts';
import { RULES } from './bot-model.ts';
import { MarginVenue, type Reported } from './margin-venue.ts';

export const ETH = instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' });

export const MODES = ['isolated', 'cross'] as const;

/** What a strategy was told. */
export interface Told {
  readonly strategy: string;
  readonly report: MarginAccountReport;
}

/**
 * A bot that does nothing but journal, hear and reconcile margin accounts: on a wire that is cut now and
 * then, in a process that is killed.
 */
export class MarginBot {
  readonly venue = new MarginVenue(START, (report) => this.deliver(report));
  readonly discrepancies: Discrepancy[] = [];
  /** What a strategy was told and will not be told again: it is in the file. */
  reported: Told[] = [];
  journal: Journal;
  /** True while nothing is heard. */
  isCut = false;
  readonly #folder: string;
  readonly #scheduler = new VirtualScheduler(START);
  #unflushed: Told[] = [];
  #missing: ReadonlyMap<string, number> = new Map();
  #lives = 0;
  #cuts = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.journal = this.#open();
    this.journal.learn([BTC, ETH]);
  }

  cut(): void {
    this.#cuts += 1;
    this.isCut = true;
    this.journal.missing();
  }

  /**
   * A new connection, where there is none: it begins with the accounts as they are, and does not say what their
   * positions brought before. `aheadUs` says by how much the bot's clock is ahead.
   */
  connect(aheadUs = 0): void {
    if (!this.isCut) return;
    this.isCut = false;
    for (const mode of MODES) {
      const state = this.venue.state(mode);
      if (state?.isOpen !== true) continue;
      const positions = state.positions.map((one) => ({ ...one, realizedPnl: ZERO, carry: ZERO }));
      const account = { ...state, positions };
      this.receive({
        kind: 'marginAccount',
        at: micros(this.venue.now + aheadUs),
        reason: 'updated',
        account,
      });
    }
  }

  flush(): void {
    this.journal.flush();
    this.reported.push(...this.#unflushed.splice(0));
  }

  kill(): void {
    const from = this.#path();
    this.#lives += 1;
    for (const end of ['', '-wal']) {
      if (existsSync(from + end)) copyFileSync(from + end, this.#path() + end);
    }
    forgetStateFile(this.#path());
    const killed = this.journal;
    this.journal = this.#open();
    killed.close();
    this.#unflushed = [];
    this.#missing = new Map();
  }

  /**
   * Compares; `killAt` kills the process after so many discrepancies, and compares again. `meanwhile` happens between
   * the reading of the snapshot and the comparison.
   */
  reconcile(killAt?: number, meanwhile: () => void = () => undefined): void {
    this.connect();
    this.compare(killAt, meanwhile);
  }

  /** The same on the connection that there is, or on none: the snapshot comes by another road. */
  compare(killAt?: number, meanwhile: () => void = () => undefined): void {
    const snapshot = this.venue.snapshot((this.journal.knownUntil ?? START) - 5);
    const cuts = this.#cuts;
    meanwhile();
    if (cuts !== this.#cuts) {
      this.compare(killAt);
      return;
    }
    const found = reconcile({
      ...this.journal.concerning(snapshot),
      snapshot,
      rules: RULES,
      missing: this.#missing,
      strategyOf: (id) => this.journal.strategyOf(id),
    });
    const events = found.discrepancies
      .flatMap(({ margin }) => margin)
      .filter(({ carry, end }) => carry !== undefined || end === 'liquidated');
    const times = events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(events.every(({ missed }) => missed)).toBe(true);
    let healed = 0;
    for (const discrepancy of found.discrepancies) {
      if (healed === killAt) {
        this.flush();
        this.kill();
        this.reconcile();
        return;
      }
      healed += 1;
      this.discrepancies.push(discrepancy);
      repair(this.journal, discrepancy, START);
      for (const report of discrepancy.reports) this.journal.received(report, START, true);
      for (const report of discrepancy.margin) this.receive(report);
    }
    for (const report of found.margin) this.receive(report);
    this.#missing = found.missing;
    const isLeft = (marginAccount: MarginAccountId): boolean =>
      found.missing.has(missingName(marginAccount));
    const caughtUp = this.journal.reconciled({ at: snapshot.at, isLeft, isReceived: !this.isCut });
    for (const { received } of caughtUp) this.emit(received);
    this.flush();
  }

  close(): void {
    this.journal.close();
  }

  protected deliver(report: Reported): void {
    if (this.isCut) return;
    if (report.kind === 'marginAccount') this.receive(report);
    else this.journal.received(report, START);
  }

  protected receive(report: MarginAccountReport): void {
    this.emit(this.journal.receivedMargin(report, START));
  }

  /** Strategies are told. */
  protected emit(received: readonly ReceivedMargin[]): void {
    for (const { report, strategy } of received) {
      if (report.kind === 'marginAccount') this.#unflushed.push({ strategy, report });
    }
  }

  #path(): string {
    return join(this.#folder, `life-${this.#lives}.sqlite`);
  }

  #open(): Journal {
    const scheduler = this.#scheduler;
    return Journal.open(this.#path(), { account: 'main', scheduler, random: new Random(1) });
  }
}
