import type { InstrumentTerms } from '../../model/instrument.ts';
import { Bars, BarSurvey } from './bars.ts';
import { GUESS_ROWS, type ImportNotes, type Format } from './contract.ts';
import type { ImportCounts, ImportOptions } from './contract.ts';
import type { CandlePrices } from '../recording.ts';
import type { RowSink } from '../row-sink.ts';
import { BAR_COLUMNS, namesOf } from './columns.ts';
import { eachCsvRow, type Header, type RowReader, type TakePlain } from './csv.ts';
import { shown } from './malformed.ts';
import { RowPosition } from './place.ts';
import { PlainRows, type PlainColumn, type PlacedColumn } from './plain-rows.ts';
import type { ImportSources } from './source.ts';
import { symbolOfFile } from './symbol.ts';
import { readTime } from './timestamp.ts';

/** Candles as text, a row for each. */
export const ohlcvCsv: Format = {
  name: 'ohlcv-csv',
  guess: (sources, options) => survey(sources, options, GUESS_ROWS),
  scan: (sources, options) => survey(sources, options, Number.POSITIVE_INFINITY),
  write,
};

/** Candles of Binance's archive: those of spot have no header, those of futures since the middle of 2022. */
const BINANCE_KLINES = {
  names: [
    ...['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time', 'quote_volume'],
    ...['count', 'taker_buy_volume', 'taker_buy_quote_volume', 'ignore'],
  ],
  /** A candle closes one unit of time before the next one opens. */
  fits: ({ 0: opens = '', 6: closes = '' }: readonly string[]): boolean =>
    opens.length === closes.length && /^\d+0{3}$/.test(opens) && /^\d+9{3}$/.test(closes),
};

/** Reads the fields of one row. */
interface Row {
  at: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
}

function reader(
  header: Header,
  options: ImportOptions,
  place: RowPosition,
): (fields: readonly string[]) => Row {
  const column = (field: keyof typeof BAR_COLUMNS): number =>
    header.columns.need(namesOf(BAR_COLUMNS, field, options), place);
  const time = column('timestamp');
  const [open, high, low, close] = [column('open'), column('high'), column('low'), column('close')];
  // Of a mark or index price nothing was traded, whatever stands there.
  const volume = options.prices === undefined ? column('volume') : undefined;
  return (fields) => {
    const at = readTime(fields[time].trim(), options.timeUnit);
    if (at === undefined) {
      throw place.malformed(
        `the time ${shown(fields[time])}`,
        'ISO 8601 such as "2022-01-31 23:59:00", or a number of s, ms, us or ns since 1970',
      );
    }
    const text = (index: number): string => fields[index].trim();
    return {
      at,
      open: text(open),
      high: text(high),
      low: text(low),
      close: text(close),
      volume: volume === undefined ? '0' : text(volume),
    };
  };
}

/** The quick road of rows whose numbers are on the grid. */
function plainReader(
  header: Header,
  options: ImportOptions,
  place: RowPosition,
  bars: Bars,
): TakePlain | undefined {
  const price = { kind: 'steps', grid: bars.priceGrid } as const;
  const columns: readonly (readonly [keyof typeof BAR_COLUMNS, PlainColumn])[] = [
    ['timestamp', { kind: 'time', unit: options.timeUnit }],
    ['open', price],
    ['high', price],
    ['low', price],
    ['close', price],
    ['volume', { kind: 'steps', grid: bars.sizeGrid }],
  ];
  const hasVolume = options.prices === undefined;
  const placed = (hasVolume ? columns : columns.slice(0, -1)).map(
    ([field, column]): PlacedColumn => [
      header.columns.need(namesOf(BAR_COLUMNS, field, options), place),
      column,
    ],
  );
  const rows = PlainRows.of(header.separator, header.columns.names.length, placed);
  if (rows === undefined) return undefined;
  const { values } = rows;
  return (bytes, from) => {
    const next = rows.read(bytes, from);
    if (next < 0) return next;
    bars.takeSteps(values[0], values[1], values[2], values[3], values[4], values[5] ?? 0);
    return next;
  };
}

/** Calls `visit` with each candle until it gives false; those that `plain` takes it does not see. */
async function eachBar(
  sources: ImportSources,
  options: ImportOptions,
  place: RowPosition,
  visit: (row: Row) => boolean,
  plain: (header: Header) => TakePlain | undefined = () => undefined,
): Promise<void> {
  let wanted = true;
  const open = (header: Header): RowReader => {
    const read = reader(header, options, place);
    return {
      visit: (fields) => {
        wanted = visit(read(fields));
        return wanted;
      },
      plain: plain(header),
    };
  };
  for (const file of sources.files) {
    await eachCsvRow(sources, file, place, open, [BINANCE_KLINES]);
    if (!wanted) return;
  }
}

/** Looks at so many candles. */
async function survey(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const place = new RowPosition();
  const { prices } = options;
  const seen = new BarSurvey(place, prices !== undefined);
  let count = 0;
  await eachBar(sources, options, place, (row) => {
    seen.see(row.at, row);
    count += 1;
    return count < most;
  });
  return {
    layout: 'candles',
    period: options.period ?? seen.period,
    symbol: symbolOfFile(sources.files[0]),
    tickSize: options.tickSize ?? seen.tickSize,
    quantityIncrement: prices === undefined ? seen.quantityIncrement : undefined,
    ...(prices === undefined ? {} : { prices, type: 'futures' as const }),
    notes: [
      'A candle counts as received when its period ends.',
      ...(prices === undefined ? [] : [offGridNote(prices)]),
    ],
  };
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
  const place = new RowPosition();
  const period = findings.period;
  if (period === undefined) throw new TypeError('A pass over candles finds their period.');
  const bars = new Bars(period, findings, options, instrument, sink, place);
  await eachBar(
    sources,
    options,
    place,
    (row) => {
      bars.take(row.at, row);
      return true;
    },
    (header) => plainReader(header, options, place, bars),
  );
  bars.confirm();
  return bars.counts();
}
