import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Journal } from '../../../src/bot/journal/journal.ts';
import type { Finding } from '../../../src/bot/recovery/finding.ts';
import { heal } from '../../../src/bot/recovery/heal.ts';
import { missingName } from '../../../src/bot/recovery/margin/margin.ts';
import { reconcile } from '../../../src/bot/recovery/reconcile.ts';
import type { HeardMargin } from '../../../src/bot/journal/records.ts';
import type { MarginAccountPlace, MarginAccountReport } from '../../../src/model/margin-account.ts';
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
  readonly findings: Finding[] = [];
  /** What a strategy was told and will not be told again: it is in the file. */
  told: Told[] = [];
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
      this.hear({
        kind: 'marginAccount',
        at: micros(this.venue.now + aheadUs),
        reason: 'updated',
        account,
      });
    }
  }

  flush(): void {
    this.journal.flush();
    this.told.push(...this.#unflushed.splice(0));
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
   * Compares; `killAt` kills the process after so many findings, and compares again. `meanwhile` happens between
   * the reading of the truth and the comparison.
   */
  reconcile(killAt?: number, meanwhile: () => void = () => undefined): void {
    this.connect();
    this.compare(killAt, meanwhile);
  }

  /** The same on the connection that there is, or on none: the truth comes by another road. */
  compare(killAt?: number, meanwhile: () => void = () => undefined): void {
    const truth = this.venue.truth((this.journal.knownUntil ?? START) - 5);
    const cuts = this.#cuts;
    meanwhile();
    if (cuts !== this.#cuts) {
      this.compare(killAt);
      return;
    }
    const found = reconcile({
      ...this.journal.concerning(truth),
      ...{ truth, rules: RULES, missing: this.#missing },
      strategyOf: (id) => this.journal.strategyOf(id),
    });
    const events = found.findings
      .flatMap(({ margin }) => margin)
      .filter(({ carry, end }) => carry !== undefined || end === 'liquidated');
    const times = events.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(events.every(({ missed }) => missed)).toBe(true);
    let healed = 0;
    for (const finding of found.findings) {
      if (healed === killAt) {
        this.flush();
        this.kill();
        this.reconcile();
        return;
      }
      healed += 1;
      this.findings.push(finding);
      heal(this.journal, finding, START);
      for (const report of finding.reports) this.journal.heard(report, START, true);
      for (const report of finding.margin) this.hear(report);
    }
    for (const report of found.margin) this.hear(report);
    this.#missing = found.missing;
    const isLeft = (place: MarginAccountPlace): boolean => found.missing.has(missingName(place));
    const caughtUp = this.journal.reconciled(truth.at, isLeft, !this.isCut);
    for (const { heard } of caughtUp) this.tell(heard);
    this.flush();
  }

  close(): void {
    this.journal.close();
  }

  protected deliver(report: Reported): void {
    if (this.isCut) return;
    if (report.kind === 'marginAccount') this.hear(report);
    else this.journal.heard(report, START);
  }

  protected hear(report: MarginAccountReport): void {
    this.tell(this.journal.heardMargin(report, START));
  }

  /** Strategies are told. */
  protected tell(heard: readonly HeardMargin[]): void {
    for (const { report, strategy } of heard) {
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
