import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_HOUR, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { JournalFile } from './file.ts';

/** Rows that one step lets go at most: few enough that no order waits for it. */
const STEP_EVENTS = 400;
const STEP_ORDERS = 40;
/**
 * Between steps while there is more to let go: 4,000 orders and 40,000 events a second, which is
 * more than one process can write. Orders that are asked for go between two steps.
 */
const STEP_US = 10 * US_PER_MS;
/** Between looks, and looks between steps while there is nothing to let go. */
const LOOK_US = US_PER_SECOND;
const IDLE_LOOKS = 60;
/** Looks between marks of how far the journal has come. */
const MARK_LOOKS = 10;
/** What may be named by a comparison after a long outage is kept: a little more than it asks for. */
const LOOK_BACK_US = US_PER_HOUR;
/** The log is emptied into the file once it holds so many commits; it would grow without bounds else. */
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
  /** Until when journal and venue were compared; the next comparison looks back from there. */
  readonly reconciledAt: () => Micros | undefined;
  /** Brings the file up to date, so that nothing that goes is still held by anybody. */
  readonly flush: () => void;
  /** Keeps, outside of the file, how far it has come. */
  readonly mark: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Lets go what is older than it need be, a little at a time, and moves what was committed into the
 * file while nobody waits for it.
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
    return scheduler.at(micros(scheduler.now() + LOOK_US), () => {
      this.#looks += 1;
      try {
        this.#look();
      } catch (error) {
        this.#setup.failed(error);
      }
      this.#cancel = this.#next();
    });
  }

  #look(): void {
    const { file } = this.#setup;
    file.checkPlace();
    if (this.#looks % IDLE_LOOKS === 0) this.#steps();
    if (file.commitsInLog >= COMMITS_MAX) file.checkpoint();
    else file.sync();
    if (this.#looks % MARK_LOOKS === 0) this.#setup.mark();
  }

  /** Does a step, and soon another one where there may be more to let go. */
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

  /** Lets some rows go and gives how many. */
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
