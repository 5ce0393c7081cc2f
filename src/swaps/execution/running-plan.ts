import { slotName } from '../../model/portfolio.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { MoveRecord } from './carrier.ts';
import type { JournaledMove, JournaledPlan, RebalanceJournal } from './journal.ts';
import type { ExecutionLimits } from './limits.ts';
import type { MoveWaits } from './move-waits.ts';
import type { Happening } from './report.ts';

interface Surroundings {
  readonly scheduler: Scheduler;
  readonly limits: ExecutionLimits;
  readonly journal: RebalanceJournal;
  readonly pauses: MoveWaits;
  readonly emit: (happening: Happening) => void;
}

/** A plan while its moves are led, each by itself: what they share. */
export class RunningPlan {
  /** True when the process is about to end: nothing new is begun. */
  isLeft = false;
  readonly limits: ExecutionLimits;
  readonly #parts: Surroundings;
  readonly #moves: Map<string, JournaledMove>;
  #present: JournaledPlan;

  constructor(present: JournaledPlan, parts: Surroundings) {
    this.#present = present;
    this.#parts = parts;
    this.limits = parts.limits;
    this.#moves = new Map(present.moves.map((move) => [move.record.id, move]));
  }

  /** How it stands now. */
  get present(): JournaledPlan {
    return this.#present;
  }

  get superseded(): string | undefined {
    return this.#present.superseded;
  }

  readonly now = (): Micros => this.#parts.scheduler.now();

  /** The id of the record of a move of the plan. */
  recordId(move: string): string {
    return `${this.#present.plan.id}/${move}`;
  }

  move(id: string): JournaledMove {
    const found = this.#moves.get(id);
    if (found === undefined) throw new RangeError(`The plan has no move ${id}.`);
    return found;
  }

  /** Writes how a move stands and tells it; false where the journal does not let it, and nothing has changed. */
  tryWrite(move: JournaledMove): boolean {
    const { id, state } = move.record;
    try {
      this.#parts.journal.write(move, this.now());
    } catch (error) {
      this.trouble(id, error instanceof Error ? error.message : String(error));
      return false;
    }
    const before = this.move(id).record.state;
    this.#moves.set(id, move);
    this.#present = { ...this.#present, moves: [...this.#moves.values()] };
    if (before !== state) {
      this.#parts.emit({ kind: 'moved', move: id, message: reported(move.record) });
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

  trouble(move: string, message: string): void {
    this.#parts.emit({ kind: 'trouble', move, message });
  }

  late(record: MoveRecord): void {
    const message = `${titled(record)} is ${record.state} and takes longer than it should.`;
    this.#parts.emit({ kind: 'late', move: record.id, message });
  }

  wait(us: number): Promise<void> {
    return this.isLeft ? Promise.resolve() : this.#parts.pauses.wait(us);
  }

  /** Waits until a move has come to another state, or the plan is superseded or left. */
  news(): Promise<void> {
    return this.isLeft ? Promise.resolve() : this.#parts.pauses.news();
  }
}

const titled = ({ send, from, to }: MoveRecord): string =>
  `The move of ${send.toFixed()} ${slotName(from)} to ${slotName(to)}`;

function reported(move: MoveRecord): string {
  const reason = move.reason === undefined ? '' : ` ${move.reason}`;
  return `${titled(move)} is ${move.state}.${reason}`;
}
