import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_HOUR, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { JournalFile } from './file.ts';

/** Rows that one step deletes at most: few enough that no order waits for it. */
const STEP_EVENTS = 400;
const STEP_ORDERS = 40;
/**
 * Delay between steps while there is more to delete: 4,000 orders and 40,000 events a second, more than one
 * process can write. New requests run between two steps.
 */
const STEP_US = 10 * US_PER_MS;
/** Delay between checks while there is nothing to delete. */
const POLL_US = US_PER_SECOND;
const IDLE_LOOKS = 60;
/** Checks between two progress marks. */
const MARK_EVERY = 10;
/** A comparison after a long outage may name older rows: keeps a little more than it requests. */
const LOOK_BACK_US = US_PER_HOUR;
/** The log is checkpointed once it holds this many commits; otherwise it would grow without bounds. */
const COMMITS_MAX = 250;

/** Of each table the rows that are older than a time, a few of them. */
const DELETIONS = [
  `DELETE FROM events WHERE at < ?
   AND sequence < (SELECT min(sequence) FROM events) + ${STEP_EVENTS}
   AND sequence < (SELECT max(sequence) FROM events)`,
  // Of a list all orders are kept while one of them is open.
  `DELETE FROM orders WHERE client_order_id IN (
     SELECT client_order_id FROM orders AS ended
     WHERE ended_at < ? AND NOT EXISTS (
       SELECT 1 FROM orders WHERE list_id = ended.list_id AND ended_at IS NULL
     ) ORDER BY ended_at LIMIT ${STEP_ORDERS})`,
  `DELETE FROM foreign_fills WHERE (client_order_id, symbol, id) IN (
     SELECT client_order_id, symbol, id FROM foreign_fills WHERE at < ? ORDER BY at LIMIT ${STEP_ORDERS})`,
  `DELETE FROM foreign_orders WHERE client_order_id IN (
     SELECT client_order_id FROM foreign_orders WHERE at < ? LIMIT ${STEP_ORDERS})`,
  `DELETE FROM margin_carries WHERE (symbol, margin, kind, at, position) IN (
     SELECT symbol, margin, kind, at, position FROM margin_carries WHERE at < ? ORDER BY at LIMIT ${STEP_ORDERS})`,
];

interface RetentionSetup {
  readonly file: JournalFile;
  readonly scheduler: Scheduler;
  readonly retentionUs: number;
  /** Until when journal and venue were compared; the next comparison requests history from there. */
  readonly reconciledAt: () => Micros | undefined;
  /** Writes all changes, so that no deleted row is still in memory. */
  readonly flush: () => void;
  /** Stores the progress outside of the file. */
  readonly mark: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Deletes rows older than the retention, a few at a time, and checkpoints the log while nobody waits for
 * it.
 */
export class JournalRetention {
  readonly #setup: RetentionSetup;
  #cancel: Cancel;
  #cancelStep: Cancel = () => undefined;
  #looks = 0;

  constructor(setup: RetentionSetup) {
    this.#setup = setup;
    this.#cancel = this.#next();
  }

  stop(): void {
    this.#cancel();
    this.#cancelStep();
  }

  #next(): Cancel {
    const { scheduler } = this.#setup;
    return scheduler.at(micros(scheduler.now() + POLL_US), () => {
      this.#looks += 1;
      try {
        this.#check();
      } catch (error) {
        this.#setup.failed(error);
      }
      this.#cancel = this.#next();
    });
  }

  #check(): void {
    const { file } = this.#setup;
    file.checkPlace();
    if (this.#looks % IDLE_LOOKS === 0) this.#steps();
    if (file.commitsInLog >= COMMITS_MAX) file.checkpoint();
    else file.sync();
    if (this.#looks % MARK_EVERY === 0) this.#setup.mark();
  }

  /** Runs a step, and soon another one if there may be more to delete. */
  #steps(): void {
    this.#cancelStep();
    if (this.#step() === 0) return;
    const { scheduler, failed } = this.#setup;
    this.#cancelStep = scheduler.at(micros(scheduler.now() + STEP_US), () => {
      try {
        this.#steps();
      } catch (error) {
        failed(error);
      }
    });
  }

  /** Deletes some rows and returns how many. */
  #step(): number {
    const { file, flush, scheduler, retentionUs, reconciledAt } = this.#setup;
    const compared = reconciledAt() ?? Number.POSITIVE_INFINITY;
    const before = Math.min(scheduler.now() - retentionUs, compared - LOOK_BACK_US);
    let gone = 0;
    flush();
    file.transaction(() => {
      for (const deletion of DELETIONS) gone += file.run(deletion, before);
    });
    return gone;
  }
}
