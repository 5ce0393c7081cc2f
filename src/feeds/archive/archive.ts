import type { Micros } from '../../platform/time.ts';

/** One file that an archive may have. */
export interface ArchiveFile {
  /** Its path in the archive, which is also its path in the cache: names alone are not unique. */
  readonly path: string;
  /** First time of its rows, and the end. */
  readonly from: Micros;
  readonly till: Micros;
  /** Files that are fetched instead if the archive does not have it. */
  readonly instead?: readonly ArchiveFile[];
}

/** A request to an archive. */
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
  /** The files of a request, oldest first. Throws `usage` for data that the archive never has. */
  files(order: ArchiveOrder, now: Micros): readonly ArchiveFile[];
  /** The file with the SHA-256 of a file, `HEX NAME`. */
  checksumPath(path: string): string;
  /** True if a missing file may still be published. */
  isAwaited(file: ArchiveFile, now: Micros): boolean;
}
