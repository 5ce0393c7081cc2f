import type {
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Runs a step and tells of what it throws in our words. */
export type Guard = <T>(step: () => T) => T;

/** A statement of a journal: what it reads of a damaged file is told of in our words. */
export class Statement {
  readonly #guard: Guard;
  readonly #statement: StatementSync;

  constructor(guard: Guard, prepared: () => StatementSync) {
    this.#guard = guard;
    this.#statement = guard(prepared);
  }

  /** The first row. */
  get(...values: SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#statement.get(...values));
  }

  /** Every row. */
  all(...values: SQLInputValue[]): readonly Row[] {
    return this.#guard(() => this.#statement.all(...values));
  }

  /** Every row, one at a time. */
  *each(): Generator<Row> {
    const rows = this.#guard(() => this.#statement.iterate());
    for (;;) {
      const { done, value } = this.#guard(() => rows.next());
      if (done === true) return;
      yield value;
    }
  }

  /** Changes rows, within a transaction, which tells what is wrong. */
  run(...values: SQLInputValue[]): StatementResultingChanges {
    return this.#statement.run(...values);
  }
}
