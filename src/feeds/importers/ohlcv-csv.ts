import { periodOf, type Period } from '../../model/period.ts';
import { Bars, BarSurvey } from './bars.ts';
import { surveyed, type ImportNotes } from './contract.ts';
import type { ImportCounts, ImportOptions, ImportWriting } from './contract.ts';
import type { CandlePrices } from '../recording.ts';
import type { TakePlain } from './csv.ts';
import { eachLayoutRow, type LayoutVisit, type OpenFile } from './layout-files.ts';
import { RowPosition } from './row-position.ts';
import { PlainRows, type IndexedColumn } from './plain-rows.ts';
import type { FileLayout } from './recognise.ts';
import { SortedRows } from './sorted-rows.ts';
import type { ImportSources } from './source.ts';
import { Coverage, marketOf, notesOf } from './text-market.ts';

/** Candles as text, a row for each. */
export const ohlcvCsv = surveyed('ohlcv-csv', survey, write);

/** Fields of one row. */
interface Row {
  at: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
}

const NAN = /^(?:nan)?$/i;

function readerOf(
  { file, rows }: OpenFile,
  options: ImportOptions,
  position: RowPosition,
  skipped: () => void,
) {
  const { wrong, skipsNaN } = file.layout;
  const { names } = file.header.columns;
  const time = rows.time('timestamp');
  const [first, high, low, close] = (['open', 'high', 'low', 'close'] as const).map((field) =>
    rows.number(field),
  );
  // A mark or index price has no volume, whatever the file says.
  const volume = options.prices === undefined ? rows.number('volume') : () => '0';
  return (fields: readonly string[]): Row | undefined => {
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

/** Goes through the candles of the files; those that `plain` takes `row` does not see. */
const eachBar = (
  { sources, options }: Pick<ImportWriting, 'sources' | 'options'>,
  position: RowPosition,
  visit: Omit<LayoutVisit<Row>, 'kinds' | 'reader'> & { skipped?(): void },
  isDone?: () => boolean,
): Promise<void> =>
  eachLayoutRow(
    sources,
    options,
    position,
    {
      kinds: ['candles'],
      reader: (opened) => readerOf(opened, options, position, () => visit.skipped?.()),
      ...visit,
    },
    isDone,
  );

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
  const isDone = (): boolean => count >= most;
  const visit = {
    begin: (file: OpenFile) => opened.push(file),
    row: (row: Row) => {
      seen.see(row.at, row);
      count += 1;
      return !isDone();
    },
  };
  await eachBar({ sources, options }, position, visit, isDone);
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

async function write(writing: ImportWriting): Promise<Partial<ImportCounts>> {
  const { options, findings } = writing;
  const position = new RowPosition();
  const { period, isUnordered } = findings;
  if (period === undefined) throw new TypeError('A pass over candles finds their period.');
  const bars = new Bars(period, writing, position);
  if (isUnordered === true) return writeSorted(writing, bars, position);
  const coverage = new Coverage();
  let emptyRows = 0;
  await eachBar(writing, position, {
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
  writing: ImportWriting,
  bars: Bars,
  position: RowPosition,
): Promise<Partial<ImportCounts>> {
  const sorted = new SortedRows(SORTED_WIDTH);
  const coverage = new Coverage();
  let [emptyRows, unorderedRows, ordinal] = [0, 0, 0];
  let [first, last, previous] = [Number.NaN, Number.NaN, Number.NaN];
  try {
    await eachBar(writing, position, {
      begin: () => {
        first = Number.POSITIVE_INFINITY;
        last = Number.NEGATIVE_INFINITY;
      },
      row: (row) => {
        const [close, volume, high, low, open] = bars.steps(row);
        const { at } = row;
        const where = position.asNumber(writing.sources.files);
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
      position.moveTo(row[8], writing.sources.files);
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
