import type { ImportGrid } from './grid.ts';
import type { ImportSources } from './source.ts';
import { TardisBatch } from './tardis-batch.ts';
import type { TardisReader } from './tardis-rows.ts';

/** A position in the files of one data type, read one after the other. */
export class TardisCursor {
  readonly #batches: AsyncGenerator<readonly [TardisBatch, first: boolean], void, void>;
  batch = new TardisBatch('');
  index = 0;
  #isFirst = false;
  #ended = false;

  constructor(
    sources: ImportSources,
    reader: TardisReader,
    files: readonly string[],
    price: ImportGrid,
    size: ImportGrid,
  ) {
    this.#batches = batchesOf(sources, reader, files, price, size);
  }

  /** Receive time of the present row; NaN at the end, and when `step` reported that a refill is due. */
  get at(): number {
    return this.index < this.batch.length ? this.batch.at[this.index] : Number.NaN;
  }

  /** True at the first row of a file. */
  get firstOfFile(): boolean {
    return this.#isFirst && this.index === 0;
  }

  /** True at a row of a book snapshot. */
  get isSnapshot(): boolean {
    return this.batch.isSnapshot(this.index);
  }

  /** Goes to the next row; false when more has to be read first. */
  step(): boolean {
    this.index += 1;
    return this.index < this.batch.length;
  }

  /** Reads on until there is a row or the end; the batch that it leaves stays as it is until the next time. */
  async refill(): Promise<void> {
    while (!this.#ended && this.index >= this.batch.length) {
      const next = await this.#batches.next();
      if (next.done === true) {
        this.#ended = true;
        return;
      }
      [this.batch, this.#isFirst] = next.value;
      this.index = 0;
    }
  }
}

async function* batchesOf(
  sources: ImportSources,
  reader: TardisReader,
  files: readonly string[],
  price: ImportGrid,
  size: ImportGrid,
): AsyncGenerator<readonly [TardisBatch, boolean], void, void> {
  for (const file of files) {
    let first = true;
    for await (const batch of reader.batches(sources, file, price, size)) {
      yield [batch, first];
      first = false;
    }
  }
}
