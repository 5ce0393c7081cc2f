import type { InstrumentTerms } from '../../model/instrument.ts';
import { periodOf, type Period } from '../../model/period.ts';
import { Bars, BarSurvey } from './bars.ts';
import { GUESS_ROWS, type ImportNotes, type Format } from './contract.ts';
import type { ImportCounts, ImportOptions } from './contract.ts';
import type { CandlePrices } from '../recording.ts';
import type { RowSink } from '../row-sink.ts';
import { eachCsvRow, type TakePlain } from './csv.ts';
import { LayoutRows } from './layout-rows.ts';
import { RowPosition } from './row-position.ts';
import { PlainRows, type IndexedColumn } from './plain-rows.ts';
import { layoutOfFile, type FileLayout } from './recognise.ts';
import { SortedRows } from './sorted-rows.ts';
import type { ImportSources } from './source.ts';
import { Coverage, marketOf, notesOf } from './text-market.ts';

/** Candles as text, a row for each. */
export const ohlcvCsv: Format = {
  name: 'ohlcv-csv',
  guess: (sources, options) => survey(sources, options, GUESS_ROWS),
  scan: (sources, options) => survey(sources, options, Number.POSITIVE_INFINITY),
  write,
};

/** Fields of one row. */
interface Row {
  at: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
}

/** Reads a row; `undefined` if it holds no candle. */
type ReadRow = (fields: readonly string[]) => Row | undefined;

/** The rows of a file that is open. */
interface OpenFile {
  readonly file: FileLayout;
  readonly rows: LayoutRows;
  readonly symbol: string | undefined;
  readonly read: ReadRow;
}

const NAN = /^(?:nan)?$/i;

function open(
  file: FileLayout,
  options: ImportOptions,
  position: RowPosition,
  skipped: () => void,
): OpenFile {
  const rows = new LayoutRows(file, options, position);
  const symbol = rows.symbolIn();
  const isAsked = rows.filter(symbol);
  const { wrong, skipsNaN } = file.layout;
  const { names } = file.header.columns;
  const time = rows.time('timestamp');
  const [first, high, low, close] = (['open', 'high', 'low', 'close'] as const).map((field) =>
    rows.number(field),
  );
  // A mark or index price has no volume, whatever the file says.
  const volume = options.prices === undefined ? rows.number('volume') : () => '0';
  const read: ReadRow = (fields) => {
    if (isAsked?.(fields) === false) return undefined;
    if (skipsNaN === true && NAN.test(close(fields))) {
      skipped();
      return undefined;
    }
    const why = options.prices === undefined ? wrong?.(fields, names) : undefined;
    if (why !== undefined) throw position.malformed(why, 'candles of trades');
    return {
      at: time(fields),
      open: first(fields),
      high: high(fields),
      low: low(fields),
      close: close(fields),
      volume: volume(fields),
    };
  };
  return { file, rows, symbol, read };
}

/** Fast path for rows whose numbers are on the grid. */
function plainReader(
  { file, rows, symbol }: OpenFile,
  hasVolume: boolean,
  bars: Bars,
): TakePlain | undefined {
  const price = { kind: 'steps', grid: bars.priceGrid } as const;
  const columns: readonly (IndexedColumn | undefined)[] = [
    rows.indexed('timestamp', { kind: 'time', unit: rows.timeUnit }),
    ...(['open', 'high', 'low', 'close'] as const).map((field) => rows.indexed(field, price)),
    ...(hasVolume ? [rows.indexed('volume', { kind: 'steps', grid: bars.sizeGrid })] : []),
    ...(symbol !== undefined && rows.index('symbol') >= 0
      ? [rows.indexed('symbol', { kind: 'word', words: [symbol] })]
      : []),
  ];
  const placed = columns.filter((column) => column !== undefined);
  if (placed.length < columns.length) return undefined;
  const { separator, columns: header } = file.header;
  const plain = PlainRows.of(separator, header.names.length, placed);
  if (plain === undefined) return undefined;
  const { values } = plain;
  return (bytes, from) => {
    const next = plain.read(bytes, from);
    if (next < 0) return next;
    const volume = hasVolume ? values[5] : 0;
    bars.takeSteps(values[0], values[1], values[2], values[3], values[4], volume);
    return next;
  };
}

/** How the files of an import are gone through. */
interface Visit {
  /** Processes a candle; false ends the reading of all files. */
  row(row: Row): boolean;
  /** Called before the rows of a file, and after them. */
  begin?(open: OpenFile, file: string): void;
  end?(open: OpenFile, file: string): void;
  skipped?(): void;
  plain?(open: OpenFile): TakePlain | undefined;
}

/** Calls `visit` with each candle until it returns false, except those that `plain` reads. */
async function eachBar(
  sources: ImportSources,
  options: ImportOptions,
  position: RowPosition,
  visit: Visit,
): Promise<void> {
  for (const file of sources.files) {
    position.file = file;
    position.line = 1;
    const layout = await layoutOfFile(sources, file, ['candles'], options);
    const opened = open(layout, options, position, () => visit.skipped?.());
    let wanted = true;
    visit.begin?.(opened, file);
    const reader = {
      visit: (fields: readonly string[]) => {
        const row = opened.read(fields);
        wanted = row === undefined || visit.row(row);
        return wanted;
      },
      plain: visit.plain?.(opened),
    };
    await eachCsvRow(sources, file, position, () => reader, [], layout);
    if (!wanted) return;
    opened.rows.end();
    visit.end?.(opened, file);
  }
}

/** Reads the first candles. */
async function survey(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const position = new RowPosition();
  const { prices } = options;
  const seen = new BarSurvey(position, prices !== undefined);
  const opened: OpenFile[] = [];
  let count = 0;
  await eachBar(sources, options, position, {
    begin: (file) => opened.push(file),
    row: (row) => {
      seen.see(row.at, row);
      count += 1;
      return count < most;
    },
  });
  const [{ file, symbol }] = opened;
  const [path] = sources.files;
  const market = marketOf(file, symbol, path, options);
  return {
    layout: 'candles',
    period: options.period ?? namedPeriod(file, path) ?? seen.period,
    ...market,
    tickSize: options.tickSize ?? seen.tickSize,
    quantityIncrement: prices === undefined ? seen.quantityIncrement : undefined,
    ...(prices === undefined ? {} : { prices, type: 'futures' as const }),
    isUnordered: seen.unordered > 0,
    isFalling: seen.isFalling,
    notes: [
      'A candle counts as received when its period ends.',
      ...notesOf(opened),
      ...market.notes,
      ...(prices === undefined ? [] : [offGridNote(prices)]),
    ],
  };
}

/** The period in the name of a file; its rows may lack too many candles to show it. */
function namedPeriod({ layout }: FileLayout, file: string): Period | undefined {
  const name = layout.periodOf?.(file);
  return name === undefined ? undefined : periodOf(name === '1mo' ? '1M' : name);
}

const offGridNote = (prices: CandlePrices): string =>
  `The candles are of the ${prices} price, at which nobody trades and which lies off the grid of trades: the tick size is one that holds it.`;

async function write(
  sources: ImportSources,
  options: ImportOptions,
  findings: ImportNotes,
  instrument: InstrumentTerms,
  sink: RowSink,
): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  const { period, isUnordered } = findings;
  if (period === undefined) throw new TypeError('A pass over candles finds their period.');
  const bars = new Bars(period, findings, options, instrument, sink, position);
  if (isUnordered === true) return writeSorted(sources, options, bars, position);
  const coverage = new Coverage();
  let emptyRows = 0;
  await eachBar(sources, options, position, {
    begin: () => {
      bars.firstStart = undefined;
    },
    row: (row) => {
      bars.take(row.at, row);
      return true;
    },
    end: ({ file: { layout } }, file) => {
      coverage.check(file, layout, bars.firstStart, bars.lastStart);
    },
    skipped: () => {
      emptyRows += 1;
    },
    plain: (opened) => plainReader(opened, options.prices === undefined, bars),
  });
  bars.confirm();
  return { ...bars.counts(), emptyRows, partialFiles: coverage.partialFiles };
}

/** Reads all candles before the first is written, as the first of the files need not be the earliest. */
async function writeSorted(
  sources: ImportSources,
  options: ImportOptions,
  bars: Bars,
  position: RowPosition,
): Promise<Partial<ImportCounts>> {
  const sorted = new SortedRows(SORTED_WIDTH);
  const coverage = new Coverage();
  let [emptyRows, unorderedRows, ordinal] = [0, 0, 0];
  let [first, last, previous] = [Number.NaN, Number.NaN, Number.NaN];
  try {
    await eachBar(sources, options, position, {
      begin: () => {
        first = Number.POSITIVE_INFINITY;
        last = Number.NEGATIVE_INFINITY;
      },
      row: (row) => {
        const [close, volume, high, low, open] = bars.steps(row);
        const { at } = row;
        const where = position.asNumber(sources.files);
        sorted.add([at, 0, (ordinal += 1), open, high, low, close, volume, where]);
        if (at < previous) unorderedRows += 1;
        previous = at;
        first = Math.min(first, at);
        last = Math.max(last, at);
        return true;
      },
      end: ({ file: { layout } }, file) => {
        coverage.check(file, layout, first, last);
      },
      skipped: () => {
        emptyRows += 1;
      },
    });
    sorted.each((row) => {
      position.moveTo(row[8], sources.files);
      bars.takeSteps(row[0], row[3], row[4], row[5], row[6], row[7]);
    });
  } finally {
    sorted.close();
  }
  bars.confirm();
  return { ...bars.counts(), emptyRows, unorderedRows, partialFiles: coverage.partialFiles };
}

/** Time, nothing, ordinal, then the numbers of a candle and its line. */
const SORTED_WIDTH = 9;
