import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MillraceError } from '../../model/errors.ts';
import { malformed, messageOf } from './malformed.ts';

/** Told while an import runs: bytes of the files read so far, of how many in all passes. */
export type ImportProgress = (bytesRead: number, bytesTotal: number) => void;

const CHUNK_BYTES = 256 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * The files of one import, read as streams of bytes (unzipped where they are gzip, whatever their
 * names say), with progress counted in bytes on disk over all passes.
 */
export class ImportSources {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly #progress: ImportProgress;
  #bytesRead = 0;
  #passes = 0;

  private constructor(files: readonly string[], bytes: number, progress: ImportProgress) {
    this.files = files;
    this.bytes = bytes;
    this.#progress = progress;
  }

  /** Throws `file-missing` for the first file that is not there, `usage` when none is named. */
  static async of(files: readonly string[], progress: ImportProgress): Promise<ImportSources> {
    if (files.length === 0) {
      throw new MillraceError('usage', 'Name at least one file to import.', { field: 'files' });
    }
    let bytes = 0;
    for (const file of files) bytes += await sizeOf(file);
    return new ImportSources(files, bytes, progress);
  }

  /** Says how often the files will be read from now on; there is no progress before. */
  plan(passes: number): void {
    this.#passes = passes;
    this.#bytesRead = 0;
  }

  /** Ends a pass that did not need to read to the end, so that progress stays true. */
  passed(passes: number): void {
    this.advance(Math.max(0, this.bytes * passes - this.#bytesRead));
  }

  /** Counts bytes read by other means than `chunks`. */
  advance(bytes: number): void {
    if (this.#passes === 0) return;
    this.#bytesRead += bytes;
    const total = this.bytes * this.#passes;
    // A file that is looked into before it is read counts twice; more than all is never said.
    this.#progress(Math.min(this.#bytesRead, total), total);
  }

  /** The bytes of one file, unzipped. Throws `import-invalid` when its gzip is cut off or damaged. */
  async *chunks(file: string): AsyncGenerator<Uint8Array, void, void> {
    const zipped = await isGzip(file);
    const input = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const output = zipped ? unzipped(input) : input;
    let counted = 0;
    try {
      for await (const chunk of output as AsyncIterable<Uint8Array>) {
        this.advance(input.bytesRead - counted);
        counted = input.bytesRead;
        yield chunk;
      }
    } catch (cause) {
      throw isZipFault(cause) ? damaged(file, cause) : missing(file, cause);
    } finally {
      output.destroy();
      input.destroy();
    }
    this.advance(input.bytesRead - counted);
  }
}

/** An error on either side ends both and comes out of the unzipped one. */
function unzipped(input: Readable): Readable {
  return pipeline(input, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
}

const isZipFault = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw missing(file, cause);
  }
  throw missing(file, new Error('it is not a regular file'));
}

async function isGzip(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, 'r');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === GZIP_MAGIC[0] && buffer[1] === GZIP_MAGIC[1];
  } catch (cause) {
    throw missing(file, cause);
  }
}

const missing = (file: string, cause: unknown): MillraceError =>
  new MillraceError(
    'file-missing',
    `${file} cannot be read: ${messageOf(cause)}. Name a file that is there.`,
    { where: file, cause },
  );

const damaged = (file: string, cause: unknown): MillraceError =>
  malformed(
    file,
    `its gzip stream is cut off or damaged (${messageOf(cause)})`,
    'a whole gzip file; fetch or copy it again',
    cause,
  );
