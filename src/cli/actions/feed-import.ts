import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BAR_COLUMNS, QUOTE_COLUMNS, TRADE_COLUMNS } from '../../feeds/importers/columns.ts';
import { chooseFormat, isFormatName } from '../../feeds/importers/choice.ts';
import { importFiles } from '../../feeds/importers/run.ts';
import type { ImportOptions, ImportReport } from '../../feeds/importers/contract.ts';
import type { Mapping } from '../../feeds/importers/layout.ts';
import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { knownMembers, unknownName } from '../../model/members.ts';
import { periodOf, type PeriodName } from '../../model/period.ts';
import { RecordingWriter } from '../../feeds/writer.ts';
import { isoTime } from '../../platform/time.ts';
import { requireFileName, requireReplaceable, keyValues, requirePath } from '../arguments.ts';
import { withBar } from '../bar.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace feed import`. */
export interface ImportFlags extends Omit<
  ImportOptions,
  'columns' | 'period' | 'layout' | 'mapping'
> {
  readonly format?: string;
  readonly mapping?: string;
  readonly period?: PeriodName;
  readonly out: string;
  readonly name?: string;
  readonly column?: readonly string[];
  readonly force?: true;
  readonly json?: true;
}

/** Converts files of another format into one recording. */
export async function importRecording(
  files: readonly string[],
  flags: ImportFlags,
  terminal: Terminal,
): Promise<void> {
  const { path, report } = await importInto(files, flags, terminal);
  const { firstAt, lastAt } = report;
  const times = { firstAt: isoTime(firstAt), lastAt: isoTime(lastAt) };
  terminal.out.write(
    flags.json === true
      ? `${JSON.stringify({ recording: path, ...report, ...times })}\n`
      : `${describe(report)}\n\n${path}\n`,
  );
}

/** The columns that fields are read from. Throws `usage` for a field that no row has. */
function columnsOf(pairs: readonly string[]): Readonly<Record<string, string>> {
  const columns = keyValues(pairs, '--column');
  const known = new Set([BAR_COLUMNS, TRADE_COLUMNS, QUOTE_COLUMNS].flatMap(Object.keys));
  const stray = unknownName(columns, known);
  if (stray === undefined) return columns;
  throw new MillraceError(
    'usage',
    `--column takes FIELD=COLUMN, and there is no field ${excerpt(stray)}; ${knownMembers(stray, known)}`,
    { field: '--column' },
  );
}

/** The format and the files, if the format's name comes before them. */
function formatFirst(
  given: readonly string[],
  format: string | undefined,
): readonly [format: string | undefined, files: readonly string[]] {
  const [first = '', ...rest] = given;
  const isName = format === undefined && rest.length > 0 && isFormatName(first);
  return isName && !existsSync(first) ? [first, rest] : [format, given];
}

/** The mapping of a YAML file; only this loads the YAML reader. */
const mappingOf = async (path: string): Promise<Mapping> =>
  (await import('../mapping-config.ts')).readMapping(path);

/** Imports files into a recording; returns its path, and what was found. */
export async function importInto(
  given: readonly string[],
  flags: ImportFlags,
  terminal: Terminal,
): Promise<{ path: string; report: ImportReport }> {
  const { out, name, column, force, json: _json, period, format, mapping, ...terms } = flags;
  const known = {
    ...terms,
    ...(period === undefined ? {} : { period: periodOf(period) }),
    ...(mapping === undefined ? {} : { mapping: await mappingOf(mapping) }),
  };
  const [chosen, files] = formatFirst(given, format);
  const folder = requirePath(out, '--out');
  const named = name === undefined ? undefined : requireFileName(name, '--name');
  const columns = column === undefined ? known : { ...known, columns: columnsOf(column) };
  const { importer, options } = await chooseFormat(chosen, files, columns);
  let path = '';
  const report = await withBar(terminal, 'importing', (signal, update) =>
    importFiles(
      importer,
      files,
      options,
      (meta) => {
        const stem = named ?? meta.instrument.symbol.replace(/[^\w.-]/g, '_');
        path = requireReplaceable(join(folder, `${stem}.arrow`), force === true);
        return RecordingWriter.create(path, meta, { replaceUnfinished: true });
      },
      (read, total) => {
        signal.throwIfAborted();
        update(total === 0 ? 1 : read / total);
      },
    ),
  );
  return { path, report };
}

/** Describes the result of an import. */
export function describe(report: ImportReport): string {
  const { instrument } = report;
  const counts: [string, number][] = [
    ['trades', report.trades],
    ['top-of-book events', report.quotes],
    ['level changes', report.levelChanges],
    ['snapshots', report.snapshots],
    ['candles', report.candles],
    ['repeated candles', report.repeatedCandles],
    ['rounded prices', report.roundedPrices],
    ['mark prices', report.marks],
    ['index prices', report.indexes],
    ['funding rates', report.fundings],
    ['open interests', report.openInterests],
    ['missing trades', report.missingTrades],
    ['repeated trades', report.repeatedTrades],
    ['readings of zero', report.emptyReadings],
    ['other messages', report.otherMessages],
    ['rows out of order', report.unorderedRows],
    ['empty rows', report.emptyRows],
  ];
  const rows = [
    ['format', report.format],
    [
      'instrument',
      `${instrument.symbol}, tick ${instrument.tickSize}, increment ${instrument.quantityIncrement}`,
    ],
    ['from', isoTime(report.firstAt)],
    ['till', isoTime(report.lastAt)],
    ...counts
      .filter(([, count]) => count > 0)
      .map(([what, count]) => [what, count.toLocaleString('en')]),
    ['gaps', report.gaps.length === 0 ? 'none' : String(report.gaps.length)],
    ...report.gaps.map(({ file, line, kind }) => ['', `${kind} at ${file}:${line}`]),
    ...report.notes.map((note, i) => [i === 0 ? 'notes' : '', note]),
  ];
  return table(rows);
}
