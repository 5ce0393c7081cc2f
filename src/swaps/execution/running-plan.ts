import { holdingName } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { TransferRecord } from './transfer-route.ts';
import type { JournaledTransfer, JournaledPlan, RebalanceJournal } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import type { TransferWaits } from './transfer-waits.ts';
import type { Happening } from './report.ts';

interface RunningPlanContext {
  readonly scheduler: Scheduler;
  readonly limits: ExecutionLimits;
  readonly journal: RebalanceJournal;
  readonly waits: TransferWaits;
  readonly emit: (happening: Happening) => void;
}

/** The state that all transfers of a plan share while they are executed. */
export class RunningPlan {
  /** True once the executor is closed: nothing new is begun. */
  isClosing = false;
  readonly limits: ExecutionLimits;
  readonly #context: RunningPlanContext;
  readonly #transfers: Map<string, JournaledTransfer>;
  #present: JournaledPlan;

  constructor(present: JournaledPlan, parts: RunningPlanContext) {
    this.#present = present;
    this.#context = parts;
    this.limits = parts.limits;
    this.#transfers = new Map(present.transfers.map((transfer) => [transfer.record.id, transfer]));
  }

  get present(): JournaledPlan {
    return this.#present;
  }

  get superseded(): string | undefined {
    return this.#present.superseded;
  }

  readonly now = (): Micros => this.#context.scheduler.now();

  /** Id of the record of a transfer of the plan. */
  recordId(transfer: string): string {
    return `${this.#present.plan.id}/${transfer}`;
  }

  transfer(id: string): JournaledTransfer {
    const found = this.#transfers.get(id);
    if (found === undefined) throw new RangeError(`The plan has no transfer ${id}.`);
    return found;
  }

  /** Writes a transfer and reports it; false where the journal cannot be written and nothing changed. */
  tryWrite(transfer: JournaledTransfer): boolean {
    const { id, state } = transfer.record;
    try {
      this.#context.journal.write(transfer, this.now());
    } catch (error) {
      this.trouble(id, error instanceof Error ? error.message : String(error));
      return false;
    }
    const before = this.transfer(id).record.state;
    this.#transfers.set(id, transfer);
    this.#present = { ...this.#present, transfers: [...this.#transfers.values()] };
    if (before !== state) {
      this.#context.emit({ kind: 'moved', transfer: id, message: reported(transfer.record) });
      this.#context.waits.emit();
    }
    return true;
  }

  /** Gives up unpaid transfers, also where the journal throws. */
  supersede(why: string): void {
    this.#present = { ...this.#present, superseded: why };
    this.#context.waits.wake();
    this.#context.journal.supersede(this.#present.plan.id, why, this.now());
  }

  /** Ends all waits; the plan stays as it is in the journal. */
  close(): void {
    this.isClosing = true;
    this.#context.waits.wake();
  }

  trouble(transfer: string, message: string): void {
    this.#context.emit({ kind: 'trouble', transfer, message });
  }

  late(record: TransferRecord): void {
    const message = `${titled(record)} is ${record.state} and takes longer than it should.`;
    this.#context.emit({ kind: 'late', transfer: record.id, message });
  }

  wait(us: number): Promise<void> {
    return this.isClosing ? Promise.resolve() : this.#context.waits.wait(us);
  }

  /** Waits until the state of a transfer changes, or the plan is superseded or closed. */
  news(): Promise<void> {
    return this.isClosing ? Promise.resolve() : this.#context.waits.news();
  }
}

const titled = ({ send, from, to }: TransferRecord): string =>
  `The transfer of ${send.toFixed()} ${holdingName(from)} to ${holdingName(to)}`;

function reported(transfer: TransferRecord): string {
  const reason = transfer.reason === undefined ? '' : ` ${transfer.reason}`;
  return `${titled(transfer)} is ${transfer.state}.${reason}`;
}
