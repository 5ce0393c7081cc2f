import { asyncBufferFromFile, parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet';
import { MillraceError } from '../../model/errors.ts';
import { ColumnNames } from './columns.ts';
import { malformed, messageOf } from './malformed.ts';
import { CellReader } from './parquet-cell.ts';
import type { ImportSources } from './source.ts';

/** The requested columns of one row group; `null` if a column was not requested. */
export interface RowGroup {
  /** Number of its first row in the file, counted from 1. */
  readonly first: number;
  readonly length: number;
  readonly columns: readonly ArrayLike<unknown>[];
}

/** Times as microseconds, whatever unit the file has them in; floor of nanoseconds. */
const PARSERS = {
  timestampFromMilliseconds: (value: bigint) => Number(value) * 1_000,
  timestampFromMicroseconds: (value: bigint) => Number(value),
  timestampFromNanoseconds: (value: bigint) => Number(value / 1_000n),
  dateFromDays: (days: number) => days * 86_400_000_000,
};

/** A Parquet file as a table of plain columns, read one row group at a time. */
export class ParquetTable {
  readonly path: string;
  readonly columns: ColumnNames;
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;
  readonly #elements: readonly SchemaElement[];

  private constructor(path: string, file: AsyncBuffer, metadata: FileMetaData) {
    this.path = path;
    this.#file = file;
    this.#elements = parquetSchema(metadata).children.map(({ element }) => ({ ...element }));
    this.#metadata = withoutDecimals(metadata);
    this.columns = new ColumnNames(this.#elements.map(({ name }) => name));
  }

  /** Throws `import-invalid` for an invalid or truncated Parquet file. */
  static async open(sources: ImportSources, path: string): Promise<ParquetTable> {
    return guarded(path, async () => {
      const file = counted(await asyncBufferFromFile(sources.onDisk(path)), sources);
      const metadata = await parquetMetadataAsync(file, { geoparquet: false });
      return new ParquetTable(path, file, metadata);
    });
  }

  /** Reads the cells of a column as text or time. */
  cells(index: number): CellReader {
    return new CellReader(this.#elements[index]);
  }

  /** The chosen columns of each row group, in the order of the file, or of its first rows only. */
  async *groups(
    indices: readonly number[],
    most = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<RowGroup, void, void> {
    const names = indices.map((index) => this.columns.names[index]);
    const scan = await guarded(this.path, () =>
      parquetScan({
        file: this.#file,
        metadata: this.#metadata,
        columns: names,
        compressors,
        parsers: PARSERS,
        utf8: false,
        geoparquet: false,
      }),
    );
    for (const range of scan.ranges) {
      const { rowStart } = range;
      const rowEnd = Math.min(range.rowEnd, most);
      if (rowEnd <= rowStart) return;
      const columns = await guarded(this.path, async () => {
        const read: ArrayLike<unknown>[] = [];
        for (const column of names) read.push(await scan.readColumn({ column, rowStart, rowEnd }));
        return read;
      });
      yield { first: rowStart + 1, length: rowEnd - rowStart, columns };
    }
  }
}

/**
 * The same metadata, with decimals declared as plain integers or bytes: the reader would make binary
 * fractions of them.
 */
function withoutDecimals(metadata: FileMetaData): FileMetaData {
  return {
    ...metadata,
    schema: metadata.schema.map((element) => {
      if (!isDecimal(element)) return element;
      const { converted_type: _converted, logical_type: _logical, ...physical } = element;
      return physical;
    }),
  };
}

export const isDecimal = (element: SchemaElement): boolean =>
  element.converted_type === 'DECIMAL' || element.logical_type?.type === 'DECIMAL';

function counted(file: AsyncBuffer, sources: ImportSources): AsyncBuffer {
  return {
    byteLength: file.byteLength,
    slice: async (start, end) => {
      const bytes = await file.slice(start, end);
      sources.advance(bytes.byteLength);
      return bytes;
    },
  };
}

async function guarded<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof MillraceError) throw cause;
    throw malformed(path, `it cannot be read (${messageOf(cause)})`, 'a whole Parquet file', cause);
  }
}
