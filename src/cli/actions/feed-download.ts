import { join } from 'node:path';
import type { Archive, ArchiveOrder } from '../../feeds/archive/archive.ts';
import { binanceArchive } from '../../feeds/archive/binance.ts';
import { download, type DownloadReport } from '../../feeds/archive/download.ts';
import type { ImportReport } from '../../feeds/importers/contract.ts';
import { MillraceError } from '../../model/errors.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { isoTime, micros, US_PER_DAY, type Micros } from '../../platform/time.ts';
import { parseDay, requirePath, wholeNumber, usageError } from '../arguments.ts';
import { withBar } from '../bar.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { describe, importInto, type ImportFlags } from './feed-import.ts';

/** Flags of `millrace feed download`. */
export interface DownloadFlags {
  readonly symbol: string;
  readonly market: string;
  readonly type: string;
  readonly interval?: string;
  readonly from: string;
  readonly till?: string;
  readonly cache: string;
  readonly baseUrl?: string;
  readonly parallel: string;
  readonly import?: true;
  readonly out: string;
  readonly name?: string;
  readonly tickSize?: string;
  readonly quantityIncrement?: string;
  readonly minNotional?: string;
  readonly force?: true;
  readonly json?: true;
}

const PARALLEL_MAX = 32;
/** Candles of prices at which nobody trades. */
const PRICES = { markPriceKlines: 'mark', indexPriceKlines: 'index' } as const;
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  premiumIndexKlines: 'values of a premium are no prices',
};

/** Downloads files of an archive, and makes a recording of them if requested. */
export async function downloadFiles(
  name: 'binance',
  flags: DownloadFlags,
  terminal: Terminal,
): Promise<void> {
  const archive = archiveOf(name, flags.baseUrl);
  const scheduler = new SystemScheduler();
  const order = orderOf(flags, scheduler.now());
  const reason = NOT_IMPORTED[flags.type];
  if (flags.import === true && reason !== undefined) {
    throw usageError('--import', `no ${flags.type}: ${reason}`);
  }
  const folder = requirePath(flags.cache, '--cache');
  const kept = 'what was fetched is in the cache, and the next run goes on with it';
  const bring = (one: ArchiveOrder): Promise<DownloadReport> =>
    withBar(
      terminal,
      'downloading',
      (signal, update) =>
        download(archive, one, {
          folder,
          scheduler,
          random: systemRandom(),
          signal,
          parallel: parallelOf(flags.parallel),
          onProgress: (done, of) => update(done / of),
        }),
      { kept },
    );
  const report = await bring(order);
  if (flags.import !== true) {
    say(flags, terminal, report, undefined);
    return;
  }
  say(flags, terminal, ...(await imported(report, order, bring, flags, terminal)));
}

type Recorded = { readonly path: string; readonly report: ImportReport };

/** Imports the files; days that are missing in a month are fetched by themselves, and all imported again. */
async function imported(
  report: DownloadReport,
  order: ArchiveOrder,
  bring: (order: ArchiveOrder) => Promise<DownloadReport>,
  flags: DownloadFlags,
  terminal: Terminal,
): Promise<readonly [DownloadReport, Recorded]> {
  const given = importFlags(flags);
  const first = await importInto(report.files, given, terminal);
  const days = missingDays(first.report, order);
  if (days.length === 0) return [report, first];
  const found: string[] = [];
  let bytes = 0;
  for (const day of days) {
    try {
      const its = await bring({ ...order, from: day, till: micros(day + US_PER_DAY) });
      found.push(...its.files);
      bytes += its.bytes;
    } catch (cause) {
      // A day without its own file either remains a gap, which the import reports.
      if (!(cause instanceof MillraceError) || cause.code !== 'download-failed') throw cause;
    }
  }
  const fresh = found.filter((file) => !report.files.includes(file));
  if (fresh.length === 0) return [report, first];
  const files = [...report.files, ...fresh];
  const second = await importInto(files, { ...given, force: true }, terminal);
  const downloaded = report.downloaded + fresh.length;
  return [{ ...report, files, downloaded, bytes: report.bytes + bytes }, second];
}

/** The days of candles that are missing in the files of months. */
function missingDays(
  { gaps }: ImportReport,
  { type, from, till }: ArchiveOrder,
): readonly Micros[] {
  const days = new Set<number>();
  if (!type.toLowerCase().includes('klines')) return [];
  for (const { expected, found } of gaps) {
    const first = Math.floor(Math.max(expected, from) / US_PER_DAY);
    for (let day = first; day * US_PER_DAY < Math.min(found, till); day += 1) days.add(day);
  }
  return [...days].map((day) => micros(day * US_PER_DAY));
}

function importFlags(flags: DownloadFlags): ImportFlags {
  const { out, name, tickSize, quantityIncrement, minNotional, force, type } = flags;
  const prices = PRICES[type as keyof typeof PRICES] as ImportFlags['prices'];
  return {
    out: requirePath(out, '--out'),
    name,
    tickSize,
    quantityIncrement,
    minNotional,
    prices,
    force,
  };
}

/** Another archive has its name here. */
const archiveOf = (name: 'binance', baseUrl: string | undefined): Archive =>
  ({ binance: binanceArchive })[name](baseUrl);

function orderOf(flags: DownloadFlags, now: Micros): ArchiveOrder {
  const { market, type, symbol, interval, from, till } = flags;
  const today = micros(Math.floor(now / US_PER_DAY) * US_PER_DAY);
  return {
    market,
    type,
    symbol,
    interval,
    from: parseDay(from, '--from'),
    till: till === undefined ? today : parseDay(till, '--till'),
  };
}

function parallelOf(text: string): number {
  const count = wholeNumber(text, '--parallel');
  if (count >= 1 && count <= PARALLEL_MAX) return count;
  throw usageError('--parallel', `a number from 1 to ${PARALLEL_MAX}`);
}

function say(
  flags: DownloadFlags,
  terminal: Terminal,
  report: DownloadReport,
  recorded: Recorded | undefined,
): void {
  if (flags.json === true) {
    const made =
      recorded === undefined
        ? {}
        : {
            recording: recorded.path,
            import: {
              ...recorded.report,
              firstAt: isoTime(recorded.report.firstAt),
              lastAt: isoTime(recorded.report.lastAt),
            },
          };
    terminal.out.write(`${JSON.stringify({ ...report, ...made })}\n`);
    return;
  }
  const { downloaded, cached, replaced, missing, awaited, files } = report;
  const rows = [
    ['downloaded', String(downloaded)],
    ['in the cache', String(cached)],
    ...(replaced === 0 ? [] : [['replaced', String(replaced)]]),
    ...missing.map((path, index) => [index === 0 ? 'missing' : '', path]),
    ...awaited.map((path, index) => [index === 0 ? 'not there yet' : '', path]),
  ];
  const made = recorded === undefined ? [] : ['', describe(recorded.report), '', recorded.path];
  const listed = recorded === undefined ? ['', ...files.map((file) => join(file))] : [];
  terminal.out.write(`${[table(rows), ...listed, ...made].join('\n')}\n`);
}
