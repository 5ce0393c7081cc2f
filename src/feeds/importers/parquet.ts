import type { InstrumentTerms } from '../../model/instrument.ts';
import { Bars, BarSurvey } from './bars.ts';
import type { Findings, Format, ImportCounts, ImportOptions } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { Precision } from './grid.ts';
import { shown } from './malformed.ts';
import { eachParquetBar, eachParquetTrade, holdsBars } from './parquet-rows.ts';
import { Place } from './place.ts';
import type { Sources } from './source.ts';
import { symbolOfFile } from './symbol.ts';
import { Trades } from './trades.ts';

/** Trades or candles in Parquet files. */
export const parquet: Format = { name: 'parquet', scan, write };

async function scan(sources: Sources, options: ImportOptions): Promise<Findings> {
  const bars = await holdsBars(sources, sources.files[0], options);
  return bars ? scanBars(sources, options) : scanTrades(sources, options);
}

async function scanBars(sources: Sources, options: ImportOptions): Promise<Findings> {
  const place = new Place();
  const survey = new BarSurvey(place);
  await eachParquetBar(sources, options, place, (at, bar) => {
    survey.see(at, bar);
  });
  return {
    layout: 'candles',
    period: options.period ?? survey.period,
    symbol: symbolOfFile(sources.files[0]),
    tickSize: options.tickSize ?? survey.tickSize,
    quantityIncrement: survey.quantityIncrement,
    notes: ['A candle counts as received when its period ends.'],
  };
}

async function scanTrades(sources: Sources, options: ImportOptions): Promise<Findings> {
  const place = new Place();
  const price = new Precision();
  const size = new Precision();
  let symbol: string | undefined;
  let received = true;
  await eachParquetTrade(sources, options, place, (trade) => {
    symbol ??= trade.symbol;
    received &&= trade.hasReceivedAt;
    if (price.see(trade.price) && size.see(trade.size)) return;
    throw place.malformed(
      `price ${shown(trade.price)}, size ${shown(trade.size)}`,
      'decimal numbers, zero or more',
    );
  });
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

async function write(
  sources: Sources,
  options: ImportOptions,
  findings: Findings,
  instrument: InstrumentTerms,
  sink: RowSink,
): Promise<Partial<ImportCounts>> {
  const place = new Place();
  if (findings.period !== undefined) {
    const bars = new Bars(findings.period, findings, options, instrument, sink, place);
    await eachParquetBar(sources, options, place, (at, bar) => {
      bars.take(at, bar);
    });
    return bars.counts();
  }
  const trades = new Trades(instrument, sink, place);
  await eachParquetTrade(sources, options, place, (trade) => {
    const { receivedAt, stampedAt, sequence, side, price, size } = trade;
    trades.take(receivedAt, stampedAt, sequence, side, price, size);
  });
  return trades.counts();
}
