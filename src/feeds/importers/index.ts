import { binanceRaw } from './binance-raw.ts';
import type { Format } from './contract.ts';
import { freqtradeTrades } from './freqtrade-trades.ts';
import { ohlcvCsv } from './ohlcv-csv.ts';
import { parquet } from './parquet.ts';
import { tardisCsv } from './tardis-csv.ts';

/** Every format that can be imported, by its name on the command line. */
export const FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  [binanceRaw, ohlcvCsv, freqtradeTrades, tardisCsv, parquet].map((format) => [
    format.name,
    format,
  ]),
);
