import { MillraceError } from '../../model/errors.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Archive, ArchiveFile, ArchiveOrder } from './archive.ts';
import { Fetcher, type Fetched, type FetchTerms } from './fetcher.ts';

/** Result of a download. */
export interface DownloadReport {
  /** The files on this disk, oldest first. */
  readonly files: readonly string[];
  readonly downloaded: number;
  /** Files that were here and have the checksum of the archive. */
  readonly cached: number;
  /** Existing files with another checksum: the archive has replaced them. */
  readonly replaced: number;
  /** Paths that the archive does not have, though their time is over. */
  readonly missing: readonly string[];
  /** Paths that it does not have yet. */
  readonly awaited: readonly string[];
  /** Bytes that were fetched. */
  readonly bytes: number;
}

export interface DownloadOptions {
  /** Folder of the cache. */
  readonly folder: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Parallel downloads. */
  readonly parallel?: number;
  readonly terms?: FetchTerms;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

const PARALLEL = 4;

/**
 * Downloads the files of a request. A missing month is fetched by days. Throws `download-failed`, also if
 * the archive has nothing of it at all.
 */
export async function download(
  archive: Archive,
  order: ArchiveOrder,
  options: DownloadOptions,
): Promise<DownloadReport> {
  const { folder, scheduler, random, terms, signal, parallel = PARALLEL } = options;
  const now = scheduler.now();
  const wanted = archive.files(order, now);
  const fetcher = new Fetcher(archive, folder, scheduler, random, terms, signal);
  const absent: ArchiveFile[] = [];
  try {
    const found = await several(wanted, parallel, options.onProgress, async (file) => {
      const fetched = await fetcher.fetch(file.path);
      if (fetched.kind !== 'missing') return [fetched];
      const days: Fetched[] = [];
      for (const day of file.instead ?? []) {
        const its = await fetcher.fetch(day.path);
        if (its.kind === 'missing') absent.push(day);
        else days.push(its);
      }
      if (file.instead === undefined || file.instead.length === 0) absent.push(file);
      return days;
    });
    const here = found.flat().filter((file) => file.kind !== 'missing');
    if (here.length === 0) throw nothing(archive, order, wanted);
    const count = (kind: Fetched['kind']): number =>
      here.filter((file) => file.kind === kind).length;
    const isAwaited = (file: ArchiveFile): boolean => archive.isAwaited(file, now);
    const paths = (files: readonly ArchiveFile[]): readonly string[] =>
      files.map(({ path }) => path).sort();
    return {
      files: here.map(({ file }) => file),
      downloaded: count('downloaded'),
      cached: count('cached'),
      replaced: count('replaced'),
      missing: paths(absent.filter((file) => !isAwaited(file))),
      awaited: paths(absent.filter(isAwaited)),
      bytes: fetcher.bytes,
    };
  } finally {
    await fetcher.close();
  }
}

/** Runs work for each item, some at a time, and returns the results in the order of the items. */
async function several<T, R>(
  items: readonly T[],
  parallel: number,
  onProgress: DownloadOptions['onProgress'],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      try {
        results.set(index, await work(items[index]));
      } catch (cause) {
        // The others finish their file, and start no further one.
        next = items.length;
        throw cause;
      }
      onProgress?.(results.size, items.length);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: parallel }, worker));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return items.map((_, index) => results.get(index)).filter((result) => result !== undefined);
}

const nothing = (
  archive: Archive,
  { market, type, symbol }: ArchiveOrder,
  wanted: readonly ArchiveFile[],
): MillraceError =>
  new MillraceError(
    'download-failed',
    wanted.length === 0
      ? `The archive of ${archive.name} has no file yet of so late a time.`
      : `The archive of ${archive.name} has no ${type} of ${symbol} (${market}) in this time, by the path ${wanted[0].path}. Look whether the symbol is written as it is there.`,
    { where: archive.baseUrl },
  );
