import type { RecordingMeta, RecordingSummary } from '../../feeds/recording.ts';
import type { RecordingSeries } from '../../feeds/series.ts';
import type { EventColumns } from '../../model/events.ts';

/** Bytes of a row in memory: eight doubles and two small numbers. */
const ROW_BYTES = 66;
/** Most bytes of recordings decoded once for all threads; beyond, each reads the files. */
const SHARED_BYTES_MAX = 2 ** 31;

/** True if recordings are small enough to be decoded once for all threads. */
export const areShared = (recordings: readonly RecordingSeries[]): boolean =>
  recordings.reduce((sum, { summary }) => sum + summary.rows, 0) * ROW_BYTES <= SHARED_BYTES_MAX;

/** A recording for all threads of a process: decoded once, its columns in shared memory. */
export interface SharedRows {
  readonly path: string;
  readonly meta: RecordingMeta;
  readonly summary: RecordingSummary;
  readonly holes: readonly string[];
  readonly fingerprint: string;
  readonly rows: readonly EventColumns[];
}

/** Decodes a recording into shared memory. Throws the errors of reading it. */
export function shareRows(series: RecordingSeries): SharedRows {
  const { path, meta, summary, holes, fingerprint } = series;
  const rows: EventColumns[] = [];
  for (const columns of series.batches()) rows.push(copyOf(columns));
  return { path, meta, summary, holes, fingerprint, rows };
}

function copyOf(columns: EventColumns): EventColumns {
  const { length } = columns;
  const bytes = (from: Uint8Array): Uint8Array => {
    const to = new Uint8Array(new SharedArrayBuffer(length));
    to.set(from.subarray(0, length));
    return to;
  };
  const doubles = (from: Float64Array): Float64Array => {
    const to = new Float64Array(new SharedArrayBuffer(8 * length));
    to.set(from.subarray(0, length));
    return to;
  };
  return {
    length,
    receivedAt: doubles(columns.receivedAt),
    stampedAt: doubles(columns.stampedAt),
    kind: bytes(columns.kind),
    flags: bytes(columns.flags),
    sequence: doubles(columns.sequence),
    price: doubles(columns.price),
    size: doubles(columns.size),
    askPrice: doubles(columns.askPrice),
    askSize: doubles(columns.askSize),
    open: doubles(columns.open),
  };
}

/** Shared rows as a recording. Its columns must not be written, as all threads read them. */
export const seriesOfRows = ({ rows, ...rest }: SharedRows): RecordingSeries => ({
  ...rest,
  *batches() {
    yield* rows;
  },
  close: () => undefined,
});
