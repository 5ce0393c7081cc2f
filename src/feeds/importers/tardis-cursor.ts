import type { Sources } from './source.ts';
import type { TardisReader, TardisRow } from './tardis-rows.ts';

interface FileBatch {
  readonly file: string;
  readonly rows: readonly TardisRow[];
  /** Whether the file begins with these rows. */
  readonly first: boolean;
}

/** Stands at one row of the files of one data type, read one after the other. */
export class TardisCursor {
  readonly #batches: AsyncGenerator<FileBatch, void, void>;
  #batch: FileBatch = { file: '', rows: [], first: false };
  #index = 0;
  #ended = false;

  constructor(sources: Sources, reader: TardisReader, files: readonly string[]) {
    this.#batches = batchesOf(sources, reader, files);
  }

  /** The row it stands at; `undefined` at the end, and when `step` said that a refill is due. */
  get head(): TardisRow | undefined {
    return this.#batch.rows.at(this.#index);
  }

  get file(): string {
    return this.#batch.file;
  }

  /** Whether it stands at the first row of a file. */
  get firstOfFile(): boolean {
    return this.#batch.first && this.#index === 0;
  }

  /** Goes to the next row; false when more has to be read first. */
  step(): boolean {
    this.#index += 1;
    return this.#index < this.#batch.rows.length;
  }

  /** Reads on until there is a row or the end. */
  async refill(): Promise<void> {
    while (!this.#ended && this.#index >= this.#batch.rows.length) {
      const next = await this.#batches.next();
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      this.#batch = next.value;
      this.#index = 0;
    }
  }
}

async function* batchesOf(
  sources: Sources,
  reader: TardisReader,
  files: readonly string[],
): AsyncGenerator<FileBatch, void, void> {
  for (const file of files) {
    let first = true;
    for await (const rows of reader.batches(sources, file)) {
      if (rows.length === 0) continue;
      yield { file, rows, first };
      first = false;
    }
  }
}
