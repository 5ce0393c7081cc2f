import type { Format } from './contract.ts';
import type { FormatName } from './formats.ts';

const LOADERS: Readonly<Record<FormatName, () => Promise<Format>>> = {
  'binance-raw': async () => (await import('./binance-raw.ts')).binanceRaw,
  'ohlcv-csv': async () => (await import('./ohlcv-csv.ts')).ohlcvCsv,
  'events-csv': async () => (await import('./events-csv.ts')).eventsCsv,
  'candles-json': async () => (await import('./candles-json.ts')).candlesJson,
  feather: async () => (await import('./feather.ts')).feather,
  'freqtrade-trades': async () => (await import('./freqtrade-trades.ts')).freqtradeTrades,
  'tardis-csv': async () => (await import('./tardis-csv.ts')).tardisCsv,
  'binance-futures-csv': async () => (await import('./binance-futures-csv.ts')).binanceFuturesCsv,
  parquet: async () => (await import('./parquet.ts')).parquet,
};

/** The importer of a format. Only its own code is loaded: that of Parquet alone is 46 modules. */
export const loadFormat = (name: FormatName): Promise<Format> => LOADERS[name]();
