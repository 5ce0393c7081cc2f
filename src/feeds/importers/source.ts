import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { MillraceError } from '../../model/errors.ts';
import { memberBytes, memberOf, onlyMemberOf, type ArchiveMember } from './archive.ts';
import { malformed, messageOf } from './malformed.ts';

/** Called while an import runs: bytes of the files read so far, of how many in all passes. */
export type ImportProgress = (bytesRead: number, bytesTotal: number) => void;

const CHUNK_BYTES = 256 * 1024;
/** First bytes of a file's content, whatever its name. */
const MAGIC = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  zip: [0x50, 0x4b, 0x03, 0x04],
} as const;
type Packing = keyof typeof MAGIC;

/** A file within an archive, and the archive. */
interface Archived extends ArchiveMember {
  readonly archive: string;
}

/**
 * The files of one import, read as streams of bytes (unpacked if they are gzip, zstd or zip, whatever their
 * names), with progress counted in bytes on disk over all passes.
 */
export class ImportSources {
  /** The files, oldest first; one within a zip archive is ARCHIVE/MEMBER. */
  readonly files: readonly string[];
  /** The files on disk that hold them, each once. */
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly #archived: ReadonlyMap<string, Archived>;
  readonly #progress: ImportProgress;
  #bytesRead = 0;
  #passes = 0;

  private constructor(
    files: readonly string[],
    archived: ReadonlyMap<string, Archived>,
    bytes: number,
    progress: ImportProgress,
  ) {
    this.files = files;
    this.paths = [...new Set(files.map((file) => archived.get(file)?.archive ?? file))];
    this.#archived = archived;
    this.bytes = bytes;
    this.#progress = progress;
  }

  /**
   * Throws `file-missing` for the first missing file, `usage` if none is given or one is an archive of
   * several.
   */
  static async of(files: readonly string[], progress: ImportProgress): Promise<ImportSources> {
    if (files.length === 0) {
      throw new MillraceError('usage', 'Name at least one file to import.', { field: 'files' });
    }
    let bytes = 0;
    const names: string[] = [];
    const archived = new Map<string, Archived>();
    for (const file of files) {
      const member = await archivedAs(file);
      const name = member === undefined ? file : `${member.archive}/${member.name}`;
      if (member !== undefined) archived.set(name, member);
      bytes += member?.zippedBytes ?? (await sizeOf(file));
      names.push(name);
    }
    return new ImportSources(names, archived, bytes, progress);
  }

  /** Throws `import-invalid` for a file within an archive, for readers that have to move about in it. */
  onDisk(file: string): string {
    if (!this.#archived.has(file)) return file;
    throw malformed(file, 'it is in a zip archive', 'a file of its own; unpack the archive first');
  }

  /** Sets how often the files will be read from now on; there is no progress before. */
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
    // A file whose beginning is read first counts twice; progress never exceeds the total.
    this.#progress(Math.min(this.#bytesRead, total), total);
  }

  /** The bytes of one file, unpacked. Throws `import-invalid` if its packing is truncated or damaged. */
  async *chunks(file: string): AsyncGenerator<Uint8Array, void, void> {
    const member = this.#archived.get(file);
    if (member !== undefined) {
      const share = member.bytes === 0 ? 0 : member.zippedBytes / member.bytes;
      for await (const chunk of memberBytes(member.archive, member.name)) {
        this.advance(chunk.length * share);
        yield chunk;
      }
      return;
    }
    const packing = await packingOf(file);
    const input = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const output = unpacked(input, packing);
    let counted = 0;
    try {
      for await (const chunk of output as AsyncIterable<Uint8Array>) {
        this.advance(input.bytesRead - counted);
        counted = input.bytesRead;
        yield chunk;
      }
    } catch (cause) {
      throw isPackingFault(cause) ? damaged(file, packing, cause) : missing(file, cause);
    } finally {
      output.destroy();
      input.destroy();
    }
    this.advance(input.bytesRead - counted);
  }
}

/** An error on either side ends both and is thrown by the unpacked one. */
function unpacked(input: Readable, packing: Packing | undefined): Readable {
  if (packing !== 'gzip' && packing !== 'zstd') return input;
  const unpacker =
    packing === 'gzip'
      ? createGunzip({ chunkSize: CHUNK_BYTES })
      : createZstdDecompress({ chunkSize: CHUNK_BYTES });
  return pipeline(input, unpacker, () => undefined);
}

const isPackingFault = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^Z(?:STD)?_/.test(String(cause.code));

/** The archive of a file, and its name there; `undefined` for a separate file. */
async function archivedAs(file: string): Promise<Archived | undefined> {
  if ((await kindOf(file)) === 'file') {
    if ((await packingOf(file)) !== 'zip') return undefined;
    return { archive: file, ...(await onlyMemberOf(file)) };
  }
  for (let archive = dirname(file); archive !== dirname(archive); archive = dirname(archive)) {
    if ((await kindOf(archive)) !== 'file') continue;
    if ((await packingOf(archive)) !== 'zip') return undefined;
    return { archive, ...(await memberOf(archive, file.slice(archive.length + 1))) };
  }
  return undefined;
}

async function kindOf(path: string): Promise<'file' | 'other' | undefined> {
  try {
    return (await stat(path)).isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw missing(file, cause);
  }
  throw missing(file, new Error('it is not a regular file'));
}

async function packingOf(file: string): Promise<Packing | undefined> {
  try {
    await using handle = await open(file, 'r');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const packings = Object.keys(MAGIC) as readonly Packing[];
    return packings.find((packing) => {
      const magic = MAGIC[packing];
      return bytesRead >= magic.length && magic.every((byte, index) => buffer[index] === byte);
    });
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

const damaged = (file: string, packing: Packing | undefined, cause: unknown): MillraceError =>
  malformed(
    file,
    `its ${packing ?? 'gzip'} stream is cut off or damaged (${messageOf(cause)})`,
    `a whole ${packing ?? 'gzip'} file; fetch or copy it again`,
    cause,
  );
