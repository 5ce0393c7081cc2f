import { isoTime, parseSpanUs, US_PER_DAY, type Micros } from '../../platform/time.ts';

/** When a new file begins: with each span of time, counted from midnight UTC, or at a size in bytes. */
export type Rotation =
  | { readonly kind: 'time'; readonly spanUs: number }
  | { readonly kind: 'size'; readonly bytes: number };

const UNIT_BYTES: ReadonlyMap<string, number> = new Map([
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
]);

/**
 * Reads `1h`, `15m`, `1d` (a span that divides a day, or whole days) or `500MB`; `undefined` for
 * everything else.
 */
export function parseRotation(text: string): Rotation | undefined {
  const size = /^(\d{1,6})\s*(KB|MB|GB)$/i.exec(text.trim());
  if (size !== null) {
    const bytes = Number(size[1]) * (UNIT_BYTES.get((size[2] ?? '').toUpperCase()) ?? 0);
    return bytes > 0 ? { kind: 'size', bytes } : undefined;
  }
  const spanUs = parseSpanUs(text);
  if (spanUs === undefined || spanUs === 0) return undefined;
  const fits = US_PER_DAY % spanUs === 0 || spanUs % US_PER_DAY === 0;
  return fits ? { kind: 'time', spanUs } : undefined;
}

/** A file being written, with the state that its rotation needs. */
export interface OpenRecording {
  readonly beganAt: number;
  readonly bytes: number;
}

/** True if a file is full when a row arrives at `at`. */
export function isOver(rotation: Rotation | undefined, file: OpenRecording, at: number): boolean {
  if (rotation === undefined) return false;
  if (rotation.kind === 'size') return file.bytes >= rotation.bytes;
  const { spanUs } = rotation;
  return Math.floor(at / spanUs) > Math.floor(file.beganAt / spanUs);
}

/** A time in the names of files: `20261121T210000Z`, which sorts as times do. */
export const nameTime = (at: Micros): string =>
  `${isoTime(at).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
