import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { MillraceError } from '../../model/errors.ts';
import { malformed, messageOf } from './malformed.ts';

/** Entries of zip files besides data: those of macOS, and readme files. */
const BESIDE = /(?:^|\/)(?:__MACOSX\/|\.)|\/$/;
const DATA = /\.(?:csv|json|jsonl|txt|tsv)$/i;
const TABLE = /\.csv$/i;
const NAMED_MAX = 5;

/** A file within a zip archive. */
export interface ArchiveMember {
  readonly name: string;
  readonly bytes: number;
  readonly zippedBytes: number;
}

/** The files in a zip archive. Throws `import-invalid` for a truncated or damaged one. */
export async function membersOf(archive: string): Promise<readonly ArchiveMember[]> {
  const members: ArchiveMember[] = [];
  await eachEntry(archive, ({ fileName, uncompressedSize, compressedSize }) => {
    if (!BESIDE.test(fileName)) {
      members.push({ name: fileName, bytes: uncompressedSize, zippedBytes: compressedSize });
    }
    return false;
  });
  return members;
}

/**
 * The only data file in an archive. Throws `import-invalid` if there is none, `usage` if there are several.
 */
export async function onlyMemberOf(archive: string): Promise<ArchiveMember> {
  const members = await membersOf(archive);
  for (const kind of [/./, DATA, TABLE]) {
    const found = members.filter(({ name }) => kind.test(name));
    if (found.length === 1) return found[0];
  }
  if (members.length === 0) throw malformed(archive, 'the zip archive is empty', 'a file in it');
  throw new MillraceError(
    'usage',
    `${archive} holds ${listed(members)}: name the one to import as ${archive}/${members[0].name}.`,
    { field: 'files', where: archive },
  );
}

/** The member of this name. Throws `file-missing`, naming some that are there. */
export async function memberOf(archive: string, name: string): Promise<ArchiveMember> {
  const members = await membersOf(archive);
  const found = members.find((member) => member.name === name);
  if (found !== undefined) return found;
  throw new MillraceError(
    'file-missing',
    `${archive} has no ${name}; it holds ${listed(members)}.`,
    { where: `${archive}/${name}` },
  );
}

function listed(members: readonly ArchiveMember[]): string {
  const some = members.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = members.length > NAMED_MAX ? ', …' : '';
  return `${members.length} files (${some.join(', ')}${more})`;
}

/**
 * The bytes of a member. yauzl compares its size with the archive's; its checksum is compared here. Throws
 * `import-invalid` if either differs, or the archive is truncated or damaged.
 */
export async function* memberBytes(
  archive: string,
  name: string,
): AsyncGenerator<Uint8Array, void, void> {
  const zip = await opened(archive);
  let stream: Readable | undefined;
  try {
    const entry = await entryOf(zip, name);
    stream = await zip.openReadStreamPromise(entry);
    let sum = 0;
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) throw new Error('its checksum differs');
  } catch (cause) {
    throw damaged(`${archive}/${name}`, cause);
  } finally {
    stream?.destroy();
    zip.close();
  }
}

async function entryOf(zip: ZipFile, name: string): Promise<Entry> {
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return entry;
  throw new Error('it is not in the archive any more');
}

/** Calls `visit` with each entry until it returns true. */
async function eachEntry(archive: string, visit: (entry: Entry) => boolean): Promise<void> {
  const zip = await opened(archive);
  try {
    for await (const entry of zip.eachEntry()) if (visit(entry)) return;
  } catch (cause) {
    throw damaged(archive, cause);
  } finally {
    zip.close();
  }
}

async function opened(archive: string): Promise<ZipFile> {
  try {
    return await openPromise(archive, { autoClose: false });
  } catch (cause) {
    throw damaged(archive, cause);
  }
}

const damaged = (where: string, cause: unknown): MillraceError =>
  cause instanceof MillraceError
    ? cause
    : malformed(
        where,
        `its zip archive is cut off or damaged (${messageOf(cause)})`,
        'a whole zip file; fetch or copy it again',
        cause,
      );
