import { statSync } from 'node:fs';
import { noRecordings, openCatalog, type CatalogEntry } from '../../feeds/catalog.ts';
import { openRecording } from '../../feeds/reader.ts';
import { MillraceError } from '../../model/errors.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { sanitize } from '../../model/plain-words.ts';
import { isoTime } from '../../platform/time.ts';
import { throwFirst } from '../failure.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

/** Flags of `millrace feed inspect`. */
export interface InspectFlags {
  readonly json?: true;
}

/** Prints the contents and origin of recordings; throws the first error of those that fail. */
export function inspect(
  paths: readonly string[],
  { json }: InspectFlags,
  terminal: Terminal,
): void {
  const failures: MillraceError[] = [];
  for (const [i, entry] of paths.flatMap((path) => readEntries(path, failures)).entries()) {
    terminal.out.write(
      json === true
        ? `${JSON.stringify(plain(entry))}\n`
        : `${i > 0 ? '\n' : ''}${describe(entry, terminal)}\n`,
    );
  }
  throwFirst(failures, terminal);
}

function readEntries(path: string, failures: MillraceError[]): readonly CatalogEntry[] {
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
    ...contractRows(instrument),
    ['layout', layoutOf(meta)],
    ['from', summary.rows === 0 ? '-' : isoTime(summary.firstAt)],
    ['till', summary.rows === 0 ? '-' : isoTime(summary.lastAt)],
    ['rows', count(summary.rows)],
    ...(['trades', 'quotes', 'levels', 'resets', 'gaps', 'candles'] as const)
      .filter((kind) => summary[kind] > 0)
      .map((kind) => [kind, count(summary[kind])]),
    ...derivativeRows(summary).map(([kind, rows]) => [kind, count(rows)]),
    ['origin', sanitize(origin)],
    ...provenance.notes.map((note, i) => [i === 0 ? 'notes' : '', sanitize(note)]),
  ];
  return `${paint(out, 'bold', path)}\n${table(rows)}`;
}

function layoutOf({ layout, period, prices }: CatalogEntry['meta']): string {
  if (period === undefined) return layout;
  return prices === undefined
    ? `${layout} of ${period}`
    : `${layout} of ${period}, ${prices} price`;
}

/** Terms that only a contract has. */
function contractRows(instrument: InstrumentTerms): string[][] {
  if (instrument.type !== 'futures') return [];
  const {
    contractType,
    contractSize = '1',
    settlement = 'linear',
    margin = [],
    expiry,
  } = instrument;
  const unit = settlement === 'inverse' ? instrument.quoteCurrency : instrument.baseCurrency;
  const end = contractType === 'perpetual' ? ', perpetual' : expiry ? `, until ${expiry}` : '';
  return [
    ['contract', `${contractSize} ${unit}, ${settlement}${end}`],
    ...margin.map((terms) => [
      'margin',
      `${terms.marginMode}, leverage up to ${terms.maxInitialLeverage}`,
    ]),
  ];
}

/** The derivative data of a recording, if there are any. */
function derivativeRows({ derivatives }: CatalogEntry['summary']): (readonly [string, number])[] {
  if (derivatives === undefined) return [];
  const { marks, indexes, fundings, openInterests } = derivatives;
  const named = [
    ['mark prices', marks],
    ['index prices', indexes],
    ['funding rates', fundings],
    ['open interests', openInterests],
  ] as const;
  return named.filter(([, rows]) => rows > 0);
}
