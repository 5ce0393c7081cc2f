import { existsSync } from 'node:fs';
import { MillraceError } from '../../model/errors.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_DAY, type Micros } from '../../platform/time.ts';
import type { TransferRecord } from '../../swaps/execution/transfer-route.ts';
import type {
  JournaledTransfer,
  JournaledPlan,
  RebalanceJournal,
} from '../../swaps/execution/journal.ts';
import { duplicatePlan } from '../../swaps/execution/memory-journal.ts';
import type { RebalancePlan } from '../../swaps/execution/plan.ts';
import { JournalFile, type Row } from '../journal/file.ts';
import type { JournalForm } from '../journal/form.ts';
import type { ProcessLock } from '../../platform/process-lock.ts';
import { takeAccountLock } from '../journal/lock.ts';
import { REBALANCING_MIGRATIONS } from './migrations.ts';
import { columnsOf, TRANSFER_COLUMNS, readTransfer } from './transfer-row.ts';
import { planText, readPlan } from './texts.ts';

/** The letters "Reba". */
const FORM: JournalForm = {
  applicationId: 0x52_65_62_61,
  migrations: REBALANCING_MIGRATIONS,
  remedy:
    'put back a copy; without one, look at the services and chains for what is under way before a new one is begun',
};

const RETENTION_US = 90 * US_PER_DAY;

export interface RebalancingJournalOptions {
  readonly scheduler: Scheduler;
  /** Name of the holder, for the error of a second process. */
  readonly holder: string;
}

/**
 * The durable journal of an executor: one file, one process at a time. Each call is a transaction
 * that is on disk when it returns. Besides the present state it keeps all events, for people.
 */
export class RebalancingJournal implements RebalanceJournal {
  readonly #file: JournalFile;
  readonly #lock: ProcessLock;
  readonly #now: () => Micros;

  private constructor(
    file: JournalFile,
    lock: ProcessLock,
    { scheduler }: RebalancingJournalOptions,
  ) {
    this.#file = file;
    this.#lock = lock;
    this.#now = () => scheduler.now();
    this.#deleteOld();
  }

  /** Opens or makes the file. Throws `journal-locked`, `journal-invalid` and `journal-unwritable`. */
  static open(path: string, options: RebalancingJournalOptions): RebalancingJournal {
    const { scheduler, holder } = options;
    const lock = takeAccountLock(
      path.replace(/\.sqlite$/, ''),
      { pid: process.pid, name: holder, startedAt: scheduler.now() },
      `Rebalancing by ${path} is under way`,
    );
    let file: JournalFile | undefined;
    try {
      file = JournalFile.open(path, FORM);
      // It is small, and money depends on it.
      file.checkPages();
      return new RebalancingJournal(file, lock, options);
    } catch (error) {
      file?.close();
      lock.release();
      throw error;
    }
  }

  begin(plan: RebalancePlan, transfers: readonly TransferRecord[]): void {
    if (this.#file.get('SELECT 1 FROM plans WHERE id = ?', plan.id) !== undefined) {
      throw duplicatePlan(plan.id);
    }
    const body = readable(plan);
    const at = this.#now();
    this.#durably(() => {
      this.#file.run('INSERT OR IGNORE INTO rebalances (begun_at) VALUES (?)', at);
      this.#file.run(
        `INSERT INTO plans SELECT ?, number, (SELECT count(*) FROM plans WHERE rebalance = number), ?, NULL
           FROM rebalances WHERE ended_at IS NULL`,
        plan.id,
        body,
      );
      for (const [position, record] of transfers.entries()) {
        const columns = columnsOf({ record });
        const marks = columns.map(() => '?').join(', ');
        this.#file.run(
          `INSERT INTO moves (id, plan, position, ${TRANSFER_COLUMNS.join(', ')}) VALUES (?, ?, ?, ${marks})`,
          ...[record.id, plan.id, position, ...columns],
        );
      }
      this.#emit(at, plan.id, null, 'begun', {});
    });
  }

  write(transfer: JournaledTransfer, at: Micros): void {
    const { id, plan, state, reason, sent, arrived, refunded, data } = transfer.record;
    const assignments = TRANSFER_COLUMNS.map((name) => `${name} = ?`).join(', ');
    this.#durably(() => {
      this.#file.run(`UPDATE moves SET ${assignments} WHERE id = ?`, ...columnsOf(transfer), id);
      const { step } = transfer;
      if (step === undefined)
        this.#emit(at, plan, id, state, { reason, sent, arrived, refunded, data });
      else this.#emit(at, plan, id, step.name, step.data);
    });
  }

  supersede(plan: string, why: string, at: Micros): void {
    this.#durably(() => {
      this.#file.run('UPDATE plans SET superseded = ? WHERE id = ?', why, plan);
      this.#emit(at, plan, null, 'superseded', { why });
    });
  }

  end(at: Micros): void {
    this.#durably(() => {
      this.#file.run('UPDATE rebalances SET ended_at = ? WHERE ended_at IS NULL', at);
    });
  }

  underWay(): readonly JournaledPlan[] {
    return plansUnderWay(this.#file);
  }

  /**
   * The plans under way in a journal, without its lock; empty where there is no file. Throws
   * `journal-invalid`.
   */
  static look(path: string): readonly JournaledPlan[] {
    if (!existsSync(path)) return [];
    const file = JournalFile.read(path, FORM);
    try {
      return plansUnderWay(file);
    } finally {
      file.close();
    }
  }

  close(): void {
    this.#file.close();
    this.#lock.release();
  }

  /** Deletes rebalances that ended long ago. */
  #deleteOld(): void {
    const before = this.#now() - RETENTION_US;
    this.#durably(() => {
      this.#file.run('DELETE FROM rebalances WHERE ended_at < ?', before);
    });
  }

  /** Does all of it, on disk when it returns, or throws `journal-unwritable` and has done nothing. */
  #durably(work: () => void): void {
    this.#file.durably(work);
    this.#file.checkpoint();
  }

  #emit(at: Micros, plan: string, transfer: string | null, kind: string, body: object): void {
    this.#file.run(
      'INSERT INTO events (at, plan, move, kind, body) VALUES (?, ?, ?, ?, ?)',
      ...[at, plan, transfer, kind, JSON.stringify(body)],
    );
  }
}

function plansUnderWay(file: JournalFile): readonly JournaledPlan[] {
  const transfersOf = (plan: string): readonly Row[] =>
    file.all`SELECT * FROM moves WHERE plan = ${plan} ORDER BY position`;
  try {
    const plans = file.all`SELECT id, body, superseded FROM plans
      JOIN rebalances ON number = rebalance WHERE ended_at IS NULL ORDER BY round`;
    return plans.map(({ id, body, superseded }) => ({
      plan: readPlan(String(body)),
      transfers: transfersOf(String(id)).map(readTransfer),
      ...(typeof superseded === 'string' && { superseded }),
    }));
  } catch (error) {
    // A row that no release has written.
    throw new MillraceError(
      'journal-invalid',
      `The journal ${file.path} holds what no release has written; ${FORM.remedy}.`,
      { where: file.path, cause: error },
    );
  }
}

/** The text of a plan that can be read again; throws `request-invalid` for one that cannot. */
function readable(plan: RebalancePlan): string {
  const text = planText(plan);
  try {
    readPlan(text);
    return text;
  } catch (error) {
    throw new MillraceError(
      'request-invalid',
      `Plan ${plan.id} has amounts that the journal does not hold, such as of more than 40 decimals.`,
      { field: 'transfers', cause: error },
    );
  }
}
