import { statSync } from 'node:fs';
import { noRecordings, openCatalog, type CatalogEntry } from '../../feeds/catalog.ts';
import { openRecording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import { plainWords } from '../../model/plain-words.ts';
import { isoTime } from '../../platform/time.ts';
import { throwFirst } from '../failure.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** What the command line of `millrace feed inspect` says. */
export interface InspectFlags {
  readonly json?: true;
}

/** Tells what recordings hold and where they come from; throws the first error of those that fail. */
export function inspect(
  paths: readonly string[],
  { json }: InspectFlags,
  terminal: Terminal,
): void {
  const failures: MillraceError[] = [];
  for (const [i, entry] of paths.flatMap((path) => look(path, failures)).entries()) {
    terminal.out.write(
      json === true
        ? `${JSON.stringify(plain(entry))}\n`
        : `${i > 0 ? '\n' : ''}${describe(entry, terminal)}\n`,
    );
  }
  throwFirst(failures, terminal);
}

function look(path: string, failures: MillraceError[]): readonly CatalogEntry[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const { entries, problems } = openCatalog(path);
    failures.push(...problems.map(({ error }) => error));
    if (entries.length + problems.length === 0) failures.push(noRecordings(path));
    return entries;
  }
  try {
    const recording = openRecording(path);
    recording.close();
    return [{ path, meta: recording.meta, summary: recording.summary }];
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    failures.push(error);
    return [];
  }
}

const plain = ({ path, meta, summary }: CatalogEntry): object => ({
  recording: path,
  ...meta,
  ...summary,
  firstAt: isoTime(summary.firstAt),
  lastAt: isoTime(summary.lastAt),
});

function describe({ path, meta, summary }: CatalogEntry, { out }: Terminal): string {
  const { instrument, provenance } = meta;
  const count = (value: number): string => value.toLocaleString('en');
  const origin = provenance.synthetic
    ? `synthetic (${provenance.importer}, seed ${provenance.seed ?? 'not known'})`
    : [provenance.importer, ...provenance.sources.map(({ name }) => name)].join(', ');
  const rows = [
    [
      'instrument',
      `${instrument.symbol} (${instrument.baseCurrency}/${instrument.quoteCurrency} ${instrument.type})`,
    ],
    ['grid', `tick ${instrument.tickSize}, increment ${instrument.quantityIncrement}`],
    [
      'fees',
      `taker ${instrument.takeRate}, maker ${instrument.makeRate}, in ${instrument.feeCurrency}`,
    ],
    ['layout', meta.period === undefined ? meta.layout : `${meta.layout} of ${meta.period}`],
    ['from', summary.rows === 0 ? '-' : isoTime(summary.firstAt)],
    ['till', summary.rows === 0 ? '-' : isoTime(summary.lastAt)],
    ['rows', count(summary.rows)],
    ...(['trades', 'quotes', 'levels', 'resets', 'gaps', 'candles'] as const)
      .filter((kind) => summary[kind] > 0)
      .map((kind) => [kind, count(summary[kind])]),
    ['origin', plainWords(origin)],
    ...provenance.notes.map((note, i) => [i === 0 ? 'notes' : '', plainWords(note)]),
  ];
  return `${paint(out, 'bold', path)}\n${table(rows)}`;
}
