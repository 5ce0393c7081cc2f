import { errorText, MillraceError } from '../../model/errors.ts';
import { amountOf, readRow, withChecksum } from './checked-rows.ts';
import { readStored } from './stored-json.ts';
import type { JournalFile } from './file.ts';
import type { AnyIntent } from './records.ts';

/**
 * Requests that are not in the tables of orders and events yet. Each is one small row here first, so that
 * it waits for the disk as briefly as possible; a flush moves it to its table and deletes the row, both or
 * neither. The next process applies rows left here.
 */
export class Intended {
  readonly #file: JournalFile;
  #isEmpty = true;

  constructor(file: JournalFile) {
    this.#file = file;
  }

  /**
   * All of it is on disk when this returns, or none of it and it throws `journal-unwritable`. Does nothing
   * and returns false if the file has an order `unless`.
   */
  append(intents: readonly AnyIntent[], unless: string | undefined): boolean {
    const [body, checksum] = withChecksum('intended', [JSON.stringify(intents)]);
    // The look at the orders comes with the same locks; one of its own would cost half as much again.
    const isNew = this.#file.append(
      () =>
        this.#file.run`INSERT INTO intended (body, checksum) SELECT ${body}, ${checksum}
        WHERE NOT EXISTS (SELECT 1 FROM orders WHERE client_order_id = ${unless ?? null})` !== 0,
    );
    if (isNew) this.#isEmpty = false;
    return isNew;
  }

  /** Rows left by a previous process, applied. Throws `journal-invalid`. */
  left<T>(apply: (intents: readonly AnyIntent[]) => T): T {
    const { path } = this.#file;
    try {
      const intents = this.all();
      this.#isEmpty = intents.length === 0;
      return apply(intents);
    } catch (error) {
      throw new MillraceError(
        'journal-invalid',
        `The journal ${path} has intents that cannot be read (${errorText(error)}); put back a copy, or move it away, and the bot begins a new one and takes what stands at the venue for foreign.`,
        { where: path, cause: error },
      );
    }
  }

  /** Requests in no other table yet, oldest first. */
  all(): readonly AnyIntent[] {
    return this.#file.all`SELECT * FROM intended ORDER BY sequence`.flatMap((row) =>
      readRow(this.#file, 'intended', row, () => intentsOf(String(row['body']))),
    );
  }

  /** Deletes all rows, within the transaction that moves them to their tables. */
  write(): void {
    if (!this.#isEmpty) this.#file.run('DELETE FROM intended');
  }

  written(): void {
    this.#isEmpty = true;
  }
}

/** The decimals of requests; in JSON they are text. */
const DECIMALS: ReadonlySet<string> = new Set(['takeRate', 'makeRate', 'balance', 'leverage']);

const intentsOf = (body: string): AnyIntent[] =>
  readStored(body, (name, value) =>
    DECIMALS.has(name) && typeof value === 'string' ? amountOf(name, value) : value,
  ) as AnyIntent[];
