import type { Micros } from '../../platform/time.ts';

/** One file that an archive may have. */
export interface ArchiveFile {
  /** Its path in the archive, which is also its path in the cache: names alone are not unique. */
  readonly path: string;
  /** The first moment that its rows may be of, and the one after the last. */
  readonly from: Micros;
  readonly till: Micros;
  /** What is fetched in its place where the archive does not have it. */
  readonly instead?: readonly ArchiveFile[];
}

/** What is wanted of an archive. */
export interface ArchiveOrder {
  readonly market: string;
  readonly type: string;
  readonly symbol: string;
  /** Of candles. */
  readonly interval?: string | undefined;
  /** Starts of days: the first, and the one after the last. */
  readonly from: Micros;
  readonly till: Micros;
}

/** A public archive of files. One for another venue, or for candles by REST, is another of these. */
export interface Archive {
  readonly name: string;
  readonly baseUrl: string;
  /** The files that hold what is wanted, oldest first. Throws `usage` for what the archive never has. */
  files(order: ArchiveOrder, now: Micros): readonly ArchiveFile[];
  /** The file beside a file that has its SHA-256, `HEX NAME`. */
  checksumPath(path: string): string;
  /** Whether a file may still come that is not there yet. */
  isAwaited(file: ArchiveFile, now: Micros): boolean;
}
