import { holdingName } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { JournaledTransfer, JournaledPlan, RebalanceJournal } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import type { TransferWaits } from './transfer-waits.ts';
import type { Happening } from './report.ts';

interface Surroundings {
  readonly scheduler: Scheduler;
  readonly limits: ExecutionLimits;
  readonly journal: RebalanceJournal;
  readonly pauses: TransferWaits;
  readonly emit: (happening: Happening) => void;
}

/** A plan while its transfers are led, each by itself: what they share. */
export class RunningPlan {
  /** True when the process is about to end: nothing new is begun. */
  isLeft = false;
  readonly limits: ExecutionLimits;
  readonly #parts: Surroundings;
  readonly #transfers: Map<string, JournaledTransfer>;
  #present: JournaledPlan;

  constructor(present: JournaledPlan, parts: Surroundings) {
    this.#present = present;
    this.#parts = parts;
    this.limits = parts.limits;
    this.#transfers = new Map(present.transfers.map((transfer) => [transfer.record.id, transfer]));
  }

  /** How it stands now. */
  get present(): JournaledPlan {
    return this.#present;
  }

  get superseded(): string | undefined {
    return this.#present.superseded;
  }

  readonly now = (): Micros => this.#parts.scheduler.now();

  /** The id of the record of a transfer of the plan. */
  recordId(transfer: string): string {
    return `${this.#present.plan.id}/${transfer}`;
  }

  transfer(id: string): JournaledTransfer {
    const found = this.#transfers.get(id);
    if (found === undefined) throw new RangeError(`The plan has no transfer ${id}.`);
    return found;
  }

  /**
   * Writes how a transfer stands and tells it; false where the journal does not let it, and nothing
   * has changed.
   */
  tryWrite(transfer: JournaledTransfer): boolean {
    const { id, state } = transfer.record;
    try {
      this.#parts.journal.write(transfer, this.now());
    } catch (error) {
      this.trouble(id, error instanceof Error ? error.message : String(error));
      return false;
    }
    const before = this.transfer(id).record.state;
    this.#transfers.set(id, transfer);
    this.#present = { ...this.#present, transfers: [...this.#transfers.values()] };
    if (before !== state) {
      this.#parts.emit({ kind: 'moved', transfer: id, message: reported(transfer.record) });
      this.#parts.pauses.emit();
    }
    return true;
  }

  /** Gives up what is not paid. Throws what the journal throws; it is given up all the same. */
  supersede(why: string): void {
    this.#present = { ...this.#present, superseded: why };
    this.#parts.pauses.wake();
    this.#parts.journal.supersede(this.#present.plan.id, why, this.now());
  }

  /** Leaves the plan as it stands in the journal. */
  leave(): void {
    this.isLeft = true;
    this.#parts.pauses.wake();
  }

  trouble(transfer: string, message: string): void {
    this.#parts.emit({ kind: 'trouble', transfer, message });
  }

  late(record: TransferRecord): void {
    const message = `${titled(record)} is ${record.state} and takes longer than it should.`;
    this.#parts.emit({ kind: 'late', transfer: record.id, message });
  }

  wait(us: number): Promise<void> {
    return this.isLeft ? Promise.resolve() : this.#parts.pauses.wait(us);
  }

  /** Waits until a transfer has come to another state, or the plan is superseded or left. */
  news(): Promise<void> {
    return this.isLeft ? Promise.resolve() : this.#parts.pauses.news();
  }
}

const titled = ({ send, from, to }: TransferRecord): string =>
  `The transfer of ${send.toFixed()} ${holdingName(from)} to ${holdingName(to)}`;

function reported(transfer: TransferRecord): string {
  const reason = transfer.reason === undefined ? '' : ` ${transfer.reason}`;
  return `${titled(transfer)} is ${transfer.state}.${reason}`;
}
