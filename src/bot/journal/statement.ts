import type {
  SQLInputValue,
  SQLOutputValue,
  StatementResultingChanges,
  StatementSync,
} from 'node:sqlite';

/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Runs a step and rethrows its error as a `MillraceError`. */
export type Guard = <T>(step: () => T) => T;

/** A statement of a journal: errors of a damaged file become a `MillraceError`. */
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

  /** All rows, one at a time. */
  *each(): Generator<Row> {
    const rows = this.#guard(() => this.#statement.iterate());
    for (;;) {
      const { done, value } = this.#guard(() => rows.next());
      if (done === true) return;
      yield value;
    }
  }

  /** Changes rows, within a transaction, which reports errors. */
  run(...values: SQLInputValue[]): StatementResultingChanges {
    return this.#statement.run(...values);
  }
}
