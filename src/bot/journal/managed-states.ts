import type { ManagedState } from '../../model/managed-state.ts';
import type { ManagedIntent } from './records.ts';
import type { StateTable } from './state-table.ts';

/** State of managed orders that a restart needs, by strategy and id. */
export class ManagedStates {
  readonly #table: StateTable;
  readonly #due: { soon(): void };
  /** Those that are not on the disk yet. */
  readonly #unsaved = new Map<string, ManagedIntent>();

  constructor(table: StateTable, due: { soon(): void }) {
    this.#table = table;
    this.#due = due;
  }

  /**
   * Stores the state of one, `undefined` to delete it. It is on disk with the next request, and after 50 ms
   * at latest.
   */
  save(strategy: string, id: string, managed: ManagedState | undefined): void {
    this.#table.setManaged(strategy, id, managed);
    const key = `${strategy} ${id}`;
    if (managed === undefined) this.#unsaved.delete(key);
    else this.#unsaved.set(key, { strategy, managed });
    this.#due.soon();
  }

  /** Restores those that a previous process left with its intents. */
  take(left: readonly ManagedIntent[]): void {
    for (const { strategy, managed } of left) {
      this.#table.setManaged(strategy, managed.id, managed);
    }
  }

  /** Those that are not on the disk yet. */
  get unsaved(): readonly ManagedIntent[] {
    return [...this.#unsaved.values()];
  }

  /** All of them are on the disk. */
  saved(): void {
    this.#unsaved.clear();
  }
}
