import { closeSync, existsSync, ftruncateSync, openSync } from 'node:fs';
import { MillraceError } from '../model/errors.ts';
import { decodeMessage } from './arrow/decode.ts';
import type { ArrowMessage, Block } from './arrow/schema.ts';
import { decodeBatch } from './batch.ts';
import { OpenFile } from './file.ts';
import { announcedLength, HEAD, isSealed, PREFIX_LENGTH, TEXTS_BYTES_MAX } from './frame.ts';
import { BATCH_ROWS, BODY_BYTES_MAX, columnsFor, misplacedRow } from './layout.ts';
import { understand } from './metadata.ts';
import type { RecordingMeta, RecordingSummary } from './recording.ts';
import { EventCounts } from './summary.ts';
import { guard, partOf, recordingEnd, settle } from './writer.ts';
import { writeAll } from '../platform/write-all.ts';

const SUFFIX = partOf('');

const NOTE =
  'Recovered from an unfinished file: what came after the last complete batch is missing.';

export interface Recovered {
  /** The recording, now under its final name. */
  readonly path: string;
  readonly summary: RecordingSummary;
  /** Bytes behind the last complete batch that were dropped. */
  readonly bytesLost: number;
}

/**
 * Makes a recording of `NAME.part`, which a crash left behind: every complete batch is kept, what
 * follows is dropped, a note in the provenance says so. May be repeated when it is cut off itself.
 *
 * Throws `file-missing`, `file-exists` when a recording of the final name is there, and
 * `recording-invalid` when not even the schema can be read.
 */
export function recover(partPath: string): Recovered {
  if (!partPath.endsWith(SUFFIX)) {
    throw new MillraceError('usage', `${partPath} is no unfinished recording: those end in .part.`);
  }
  const path = partPath.slice(0, -SUFFIX.length);
  const salvage = salvageOf(partPath);
  if (existsSync(path)) {
    throw new MillraceError('file-exists', `${path} is there already: move it away first.`, {
      where: path,
    });
  }
  const summary = salvage.tally.summary();
  const { provenance } = salvage.meta;
  const notes = [...provenance.notes, NOTE];
  const meta = { ...salvage.meta, provenance: { ...provenance, notes } };
  guard(path, () => {
    const file = openSync(partPath, 'r+');
    try {
      ftruncateSync(file, salvage.end);
      const end = recordingEnd(meta, summary, salvage.blocks);
      writeAll(file, end, salvage.end);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    settle(file, path);
  });
  return { path, summary, bytesLost: salvage.bytesLost };
}

interface Salvage {
  readonly meta: RecordingMeta;
  readonly tally: EventCounts;
  readonly blocks: readonly Block[];
  /** Where the last complete batch ends. */
  readonly end: number;
  readonly bytesLost: number;
}

function salvageOf(partPath: string): Salvage {
  const file = new OpenFile(partPath);
  try {
    const schema = readMessage(file, HEAD.length);
    if (schema?.message.kind !== 'schema') {
      throw unsalvageable(partPath, 'ends before its schema: delete it');
    }
    const meta = understand(schema.message.schema.metadata);
    if (typeof meta === 'string') throw unsalvageable(partPath, meta);
    const tally = new EventCounts(meta.derivatives === true);
    const blocks: Block[] = [];
    const columns = columnsFor(meta.layout, BATCH_ROWS);
    let end = schema.end;
    for (;;) {
      const next = readMessage(file, end);
      const bodyLength = next?.message.bodyLength ?? 0;
      const isWhole = next !== undefined && bodyLength <= BODY_BYTES_MAX;
      const body = isWhole ? file.slice(next.end, bodyLength) : undefined;
      if (next === undefined || body === undefined) break;
      try {
        decodeBatch(meta.layout, next.message, body, columns);
      } catch {
        break;
      }
      if (misplacedRow(columns, meta) >= 0) break;
      tally.add(columns);
      blocks.push({ offset: end, headLength: next.end - end, bodyLength: body.length });
      end = next.end + body.length;
    }
    return { meta, tally, blocks, end, bytesLost: file.length - end };
  } finally {
    file.close();
  }
}

/** The message at `position` and where its body begins; `undefined` if there is no whole one. */
function readMessage(
  file: OpenFile,
  position: number,
): { readonly message: ArrowMessage; readonly end: number } | undefined {
  const prefix = file.slice(position, PREFIX_LENGTH);
  const length = prefix === undefined ? 0 : announcedLength(prefix);
  const isHead = length > 0 && length <= TEXTS_BYTES_MAX;
  const head = isHead ? file.slice(position + PREFIX_LENGTH, length) : undefined;
  if (head === undefined || !isSealed(head)) return undefined;
  try {
    return { message: decodeMessage(head), end: position + PREFIX_LENGTH + length };
  } catch {
    // A checksum can be forged; what is in a head that has one may still be none.
    return undefined;
  }
}

const unsalvageable = (path: string, why: string): MillraceError =>
  new MillraceError('recording-invalid', `${path} ${why}.`, { where: path });
