import { Bars, BarSurvey, type RawBar } from './bars.ts';
import { surveyed, WrongGuess, type ImportNotes } from './contract.ts';
import type { ImportCounts, ImportOptions, ImportWriting } from './contract.ts';
import { Precision } from './grid.ts';
import { shown } from './malformed.ts';
import { eachParquetBar, eachParquetTrade, holdsBars } from './parquet-rows.ts';
import type { BarCells, TradeCells } from './parquet-rows.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { symbolOfFile } from './symbol.ts';
import { TradeImport } from './trades.ts';

/** Trades or candles in Parquet files. */
export const parquet = surveyed('parquet', survey, write);

/** Reads the first rows of each file. */
async function survey(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const bars = await holdsBars(sources, sources.files[0], options);
  return bars ? surveyBars(sources, options, most) : surveyTrades(sources, options, most);
}

/** The numbers of a candle as text. */
const rawBar = ({ open, high, low, close, volume }: BarCells, row: number): RawBar => ({
  open: open.text(row),
  high: high.text(row),
  low: low.text(row),
  close: close.text(row),
  volume: volume.text(row),
});

async function surveyBars(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const position = new RowPosition();
  const seen = new BarSurvey(position);
  const visit = (cells: BarCells, row: number): void => {
    seen.see(cells.at(row), rawBar(cells, row));
  };
  await eachParquetBar(sources, options, position, visit, most);
  return {
    layout: 'candles',
    period: options.period ?? seen.period,
    symbol: symbolOfFile(sources.files[0]),
    tickSize: options.tickSize ?? seen.tickSize,
    quantityIncrement: seen.quantityIncrement,
    notes: ['A candle counts as received when its period ends.'],
  };
}

async function surveyTrades(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const position = new RowPosition();
  const price = new Precision();
  const size = new Precision();
  let symbol: string | undefined;
  let received = true;
  const visit = (cells: TradeCells, row: number, named: string | undefined): void => {
    symbol ??= named;
    received &&= cells.hasReceivedAt;
    const texts = [cells.price.text(row), cells.size.text(row)];
    if (price.see(texts[0]) && size.see(texts[1])) return;
    throw position.malformed(
      `price ${shown(texts[0])}, size ${shown(texts[1])}`,
      'decimal numbers, zero or more',
    );
  };
  await eachParquetTrade(sources, options, position, visit, most);
  return {
    layout: 'events',
    symbol: symbol ?? symbolOfFile(sources.files[0]),
    tickSize: price.step,
    quantityIncrement: size.step,
    notes: received
      ? []
      : ['The files hold no time of receipt; the stamp of a trade stands for it.'],
  };
}

async function write(writing: ImportWriting): Promise<Partial<ImportCounts>> {
  const { period } = writing.findings;
  const position = new RowPosition();
  if (period === undefined) return writeTrades(writing, position);
  const bars = new Bars(period, writing, position);
  const { priceGrid, sizeGrid } = bars;
  await eachParquetBar(writing.sources, writing.options, position, (cells, row) => {
    const at = cells.at(row);
    const open = cells.open.steps(row, priceGrid);
    const high = cells.high.steps(row, priceGrid);
    const low = cells.low.steps(row, priceGrid);
    const close = cells.close.steps(row, priceGrid);
    const volume = cells.volume.steps(row, sizeGrid);
    if (Number.isNaN(open + high + low + close + volume)) bars.take(at, rawBar(cells, row));
    else bars.takeSteps(at, open, high, low, close, volume);
  });
  bars.confirm();
  return bars.counts();
}

async function writeTrades(
  { sources, options, findings, instrument, sink }: ImportWriting,
  position: RowPosition,
): Promise<Partial<ImportCounts>> {
  const trades = new TradeImport(instrument, sink, position);
  const { priceGrid, sizeGrid } = trades;
  let received = true;
  let first: string | undefined;
  await eachParquetTrade(sources, options, position, (cells, row, symbol) => {
    received &&= cells.hasReceivedAt;
    first ??= symbol;
    const [receivedAt, stampedAt] = [cells.receivedAt(row), cells.stampedAt(row)];
    const sequence = cells.sequence(row);
    const side = cells.side(row);
    const price = cells.price.steps(row, priceGrid);
    const size = cells.size.steps(row, sizeGrid);
    if (Number.isNaN(price + size)) {
      const texts = [cells.price.text(row), cells.size.text(row)] as const;
      trades.take(receivedAt, stampedAt, sequence, side, ...texts);
    } else trades.takeSteps(receivedAt, stampedAt, sequence, side, price, size);
  });
  if (findings.isGuess === true) {
    // A file whose trades of the instrument begin late was not in the guess.
    const isSame = received === (findings.notes.length === 0);
    if (!isSame || (first ?? symbolOfFile(sources.files[0])) !== findings.symbol) {
      throw new WrongGuess();
    }
  }
  return trades.counts();
}
