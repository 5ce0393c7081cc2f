import type { InstrumentTerms } from '../../model/instrument.ts';
import { surveyed, WrongGuess, type ImportNotes } from './contract.ts';
import type { ImportCounts, ImportOptions, ImportWriting } from './contract.ts';
import { tardisContract } from './contracts.ts';
import { ImportGrid, Precision } from './grid.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { TardisCursor } from './tardis-cursor.ts';
import type { TardisRow } from './tardis-batch.ts';
import { TardisReader } from './tardis-rows.ts';
import { TardisSession } from './tardis-session.ts';

/** Downloadable CSV files of Tardis, several data types merged into one recording. */
export const tardisCsv = surveyed('tardis-csv', survey, write);

/** Exchanges at Tardis that trade contracts only. */
const CONTRACTS = /futures|swap|delivery|derivative|perp|bitmex|deribit/;

/** Reads the first rows of each file. */
async function survey(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const position = new RowPosition();
  const reader = new TardisReader(options, position);
  const price = new Precision();
  const size = new Precision();
  const gridKnown = options.tickSize !== undefined && options.quantityIncrement !== undefined;
  let derivatives = false;
  let isPerpetual = false;
  for (const file of sources.files) {
    let count = 0;
    await reader.each(sources, file, (row) => {
      count += 1;
      if (row.kind === 'ticker') {
        derivatives = true;
        isPerpetual ||= row.rate !== '';
      }
      // For a contract it must be known whether it has funding.
      if (gridKnown) return row.kind === 'ticker' && !isPerpetual;
      if (isFine(row, price, size)) return count < most;
      throw position.malformed('a price or amount is no number', 'decimal numbers, zero or more');
    });
  }
  if (reader.symbol === undefined) {
    const asked = options.symbol === undefined ? '' : ` of ${options.symbol}`;
    throw position.malformed(`no row${asked} in the files`, 'at least one');
  }
  return {
    layout: 'events',
    symbol: reader.symbol,
    type: derivatives || CONTRACTS.test(reader.exchange) ? 'futures' : undefined,
    derivatives,
    isPerpetual,
    contract: tardisContract(reader.exchange, reader.symbol),
    tickSize: price.hasSeen ? price.step : undefined,
    quantityIncrement: size.hasSeen ? size.step : undefined,
    notes: [
      'The book has no update ids in these files, so that missing messages cannot be seen.',
      'Rows of different files with one time of arrival stand in the order of the files.',
    ],
  };
}

/** Checks the on-grid prices and sizes of a row; false if one is off the grid. */
function isFine(row: TardisRow, price: Precision, size: Precision): boolean {
  if (row.kind === 'quote') {
    return (
      price.see(row.bid) && price.see(row.ask) && size.see(row.bidSize) && size.see(row.askSize)
    );
  }
  // Mark and index are off the grid, the last price is that of a trade.
  if (row.kind === 'ticker') return row.last === '' || price.see(row.last);
  return price.see(row.price) && size.see(row.size);
}

async function write({
  sources,
  options,
  findings,
  instrument,
  sink,
}: ImportWriting): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  const session = new TardisSession(instrument, sink, position, findings);
  const reader = new TardisReader(options, position);
  const cursors = await openCursors(sources, reader, instrument);
  for (;;) {
    const next = earliest(cursors);
    if (next === undefined) break;
    const { batch, index, firstOfFile } = next;
    if (!next.step()) await next.refill();
    // Reading on has moved the position; errors belong to the row that is written now.
    position.file = batch.file;
    position.line = batch.line[index];
    session.take(batch, index, firstOfFile, next);
  }
  if (findings.isGuess === true && reader.isMixed) throw new WrongGuess();
  return session.counts();
}

/** The cursor with the earliest row; at equal times the first one. */
function earliest(cursors: readonly TardisCursor[]): TardisCursor | undefined {
  let next: TardisCursor | undefined;
  let at = Number.POSITIVE_INFINITY;
  for (const cursor of cursors) {
    const its = cursor.at;
    if (!(its < at)) continue;
    next = cursor;
    at = its;
  }
  return next;
}

/** One cursor for each data type, over its files in the given order. */
async function openCursors(
  sources: ImportSources,
  reader: TardisReader,
  { tickSize, quantityIncrement }: InstrumentTerms,
): Promise<readonly TardisCursor[]> {
  const byKind = new Map<TardisRow['kind'], string[]>();
  for (const file of sources.files) {
    let kind: TardisRow['kind'] | undefined;
    await reader.each(sources, file, (row) => {
      kind = row.kind;
      return false;
    });
    if (kind === undefined) continue;
    const files = byKind.get(kind) ?? [];
    files.push(file);
    byKind.set(kind, files);
  }
  const [price, size] = [new ImportGrid(tickSize), new ImportGrid(quantityIncrement)];
  const cursors = [...byKind.values()].map(
    (files) => new TardisCursor(sources, reader, files, price, size),
  );
  for (const cursor of cursors) await cursor.refill();
  return cursors;
}
