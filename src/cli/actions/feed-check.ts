import { statSync } from 'node:fs';
import { noRecordings, openCatalog } from '../../feeds/catalog.ts';
import { checkRecording, type QualityReport } from '../../feeds/check.ts';
import type { CheckResult } from '../../feeds/quality/findings.ts';
import { openRecording, type Recording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import { isoTime, parseSpanUs, US_PER_SECOND } from '../../platform/time.ts';
import { wholeNumber } from '../arguments.ts';
import { throwFirst } from '../failure.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** Flags of `millrace feed check`. */
export interface CheckFlags {
  readonly silence: string;
  readonly examples: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Prints the problems of recordings, where and how often. */
export function check(paths: readonly string[], flags: CheckFlags, terminal: Terminal): void {
  const silenceUs = parseSpanUs(flags.silence);
  if (silenceUs === undefined) {
    throw new MillraceError(
      'usage',
      `--silence takes a span such as 30s or 5m, not "${flags.silence}".`,
    );
  }
  const options = { silenceUs, examples: wholeNumber(flags.examples, '--examples') };
  const failures: MillraceError[] = [];
  let faults = 0;
  const recordings = paths.flatMap(recordingsAt);
  for (const { path, problem } of recordings) {
    const report = problem ?? reportOf(path, options);
    if (report instanceof MillraceError) failures.push(report);
    else faults += report.faults;
    // For a single file the error says everything.
    if (report instanceof MillraceError && recordings.length === 1) break;
    terminal.out.write(
      flags.json === true
        ? `${JSON.stringify(plain(path, report))}\n`
        : `${describe(path, report, terminal)}\n`,
    );
  }
  throwFirst(failures, terminal);
  if (flags.strict === true && faults > 0) {
    throw new MillraceError('feed-faulty', `${faults} faults were found; they are listed above.`);
  }
}

/** A file to check, or why it cannot be read. */
interface Checked {
  readonly path: string;
  readonly problem?: MillraceError;
}

function recordingsAt(path: string): readonly Checked[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [{ path }];
  const { entries, problems } = openCatalog(path);
  if (entries.length + problems.length === 0) return [{ path, problem: noRecordings(path) }];
  return [...entries, ...problems.map(({ path: at, error }) => ({ path: at, problem: error }))];
}

/** The report, or why there is none: a bad file does not hide the results of others. */
function reportOf(
  path: string,
  options: { silenceUs: number; examples: number },
): QualityReport | MillraceError {
  let recording: Recording | undefined;
  try {
    recording = openRecording(path);
    return checkRecording(recording, options);
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  } finally {
    recording?.close();
  }
}

const plain = (path: string, report: QualityReport | MillraceError): object =>
  report instanceof MillraceError
    ? { path, error: { code: report.code, message: report.message } }
    : {
        ...report,
        checks: report.checks.map((each) => ({
          ...each,
          examples: each.examples.map((example) => ({ ...example, at: isoTime(example.at) })),
        })),
      };

function describe(path: string, report: QualityReport | MillraceError, { out }: Terminal): string {
  if (report instanceof MillraceError) {
    return `${paint(out, 'bold', path)}: ${paint(out, 'red', `not read (${report.code})`)}`;
  }
  const { rows, faults, notices, checks } = report;
  const found = checks.filter(({ count }) => count > 0);
  const verdict =
    found.length === 0
      ? paint(out, 'green', 'nothing found')
      : `${paint(out, faults > 0 ? 'red' : 'yellow', `${faults} faults`)}, ${notices} notices`;
  const lines = found.flatMap(({ name, severity, count, extent, means, examples }) => [
    [
      paint(out, severity === 'fault' ? 'red' : 'yellow', name),
      count.toLocaleString('en'),
      `${means}${inAll(extent)}`,
    ],
    ...examples.map(({ row, at, detail }) => ['', '', `row ${row} at ${isoTime(at)}: ${detail}`]),
  ]);
  const head = `${paint(out, 'bold', path)}: ${rows.toLocaleString('en')} rows, ${verdict}`;
  return lines.length === 0 ? head : `${head}\n${table(lines, { right: [1] })}`;
}

const inAll = (extent: CheckResult['extent']): string =>
  extent === undefined
    ? ''
    : extent.unit === 'us'
      ? `; ${extent.value / US_PER_SECOND} s in all`
      : `; ${extent.value} ${extent.unit} in all`;
