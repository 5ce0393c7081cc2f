import { statSync } from 'node:fs';
import { noRecordings, openCatalog } from '../../feeds/catalog.ts';
import { checkRecording, type QualityReport } from '../../feeds/check.ts';
import type { CheckResult } from '../../feeds/quality/findings.ts';
import { openRecording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import { isoTime, parseSpanUs, US_PER_SECOND } from '../../platform/time.ts';
import { wholeNumber } from '../arguments.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** What the command line of `millrace feed check` says. */
export interface CheckFlags {
  readonly silence: string;
  readonly examples: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Tells what is wrong with recordings, where and how often. */
export function check(paths: readonly string[], flags: CheckFlags, terminal: Terminal): void {
  const silenceUs = parseSpanUs(flags.silence);
  if (silenceUs === undefined) {
    throw new MillraceError(
      'usage',
      `--silence takes a span such as 30s or 5m, not "${flags.silence}".`,
    );
  }
  const options = { silenceUs, examples: wholeNumber(flags.examples, '--examples') };
  let faults = 0;
  for (const path of paths.flatMap(recordingsAt)) {
    const report = reportOf(path, options);
    faults += report.faults;
    terminal.out.write(
      flags.json === true
        ? `${JSON.stringify(plain(report))}\n`
        : `${describe(report, terminal)}\n`,
    );
  }
  if (flags.strict === true && faults > 0) {
    throw new MillraceError('feed-faulty', `${faults} faults were found; they are listed above.`);
  }
}

function recordingsAt(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const { entries, problems } = openCatalog(path);
  const first = problems.at(0);
  if (first !== undefined) throw first.error;
  if (entries.length === 0) throw noRecordings(path);
  return entries.map((entry) => entry.path);
}

function reportOf(path: string, options: { silenceUs: number; examples: number }): QualityReport {
  const recording = openRecording(path);
  try {
    return checkRecording(recording, options);
  } finally {
    recording.close();
  }
}

const plain = (report: QualityReport): object => ({
  ...report,
  checks: report.checks.map((each) => ({
    ...each,
    examples: each.examples.map((example) => ({ ...example, at: isoTime(example.at) })),
  })),
});

function describe(report: QualityReport, { out }: Terminal): string {
  const { path, rows, faults, notices, checks } = report;
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
