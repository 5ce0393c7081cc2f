/** Summary of a format, for choosing one. */
interface FormatSummary {
  /** Its files, in a sentence. */
  readonly summary: string;
  /** A command line that imports some. */
  readonly example: string;
}

/** Every format that can be imported, by its name on the command line. */
export const FORMATS = {
  'binance-raw': {
    summary:
      'Raw Binance WebSocket capture. A line is the receive time in nanoseconds, a space ' +
      'and the JSON frame (trade, bookTicker, depth, markPriceUpdate); REST depth snapshots ' +
      'may stand between.',
    example:
      'millrace feed import binance-raw btcusdt_20240808.gz btcusdt_20240809.gz --out recordings',
  },
  'ohlcv-csv': {
    summary:
      'Candles as CSV with a header: timestamp, open, high, low, close, volume in any ' +
      'order. Separators are comma, semicolon or tab; times are ISO 8601 or Unix numbers. ' +
      'Klines of the Binance archive need no header. Say --prices for mark or index candles.',
    example: 'millrace feed import ohlcv-csv btcusdt_1m.csv.gz --symbol BTCUSDT --out recordings',
  },
  'events-csv': {
    summary:
      'Trades, or best bid and ask, as CSV: of Binance, Bybit, OKX, KuCoin, Gate, Kraken, ' +
      'Databento, HistData and others, recognized by their columns.',
    example: 'millrace feed import events-csv BTCUSDT-trades-2025-01-01.zip --out recordings',
  },
  'candles-json': {
    summary:
      'Candles as JSON: rows of [time in ms, open, high, low, close, volume], as freqtrade and ' +
      'ccxt have them, or the ohlc answer of Bitstamp.',
    example: 'millrace feed import candles-json BTC_USDT-1h.json --out recordings',
  },
  feather: {
    summary:
      'Feather files of freqtrade: candles (date, open, high, low, close, volume) or trades ' +
      '(timestamp, id, side, price, amount).',
    example: 'millrace feed import feather BTC_USDT-1h.feather --tick-size 0.01 --out recordings',
  },
  'freqtrade-trades': {
    summary:
      'Trades as freqtrade stores them in JSON: rows of [time in ms, id, type, side, price, ' +
      'amount, cost]. The cost is ignored.',
    example: 'millrace feed import freqtrade-trades XRP_ETH-trades.json.gz --out recordings',
  },
  'tardis-csv': {
    summary:
      'CSV files of tardis.dev: trades, incremental_book_L2, quotes and derivative_ticker of ' +
      'one instrument, merged by receive time. Give files of one data type oldest first.',
    example:
      'millrace feed import tardis-csv binance_trades_2024-08-01_BTCUSDT.csv.gz ' +
      'binance_incremental_book_L2_2024-08-01_BTCUSDT.csv.gz --out recordings',
  },
  'binance-futures-csv': {
    summary:
      'Files of the Binance archive beside the market of a futures: fundingRate and metrics ' +
      '(open interest) of one symbol, merged by time.',
    example:
      'millrace feed import binance-futures-csv BTCUSDT-fundingRate-2024-01.csv ' +
      'BTCUSDT-metrics-2024-01-01.csv --tick-size 0.1 --quantity-increment 0.001 --out recordings',
  },
  parquet: {
    summary:
      'Parquet files of trades (time, price, size, side or is_buyer_maker, id) or candles ' +
      '(time, open, high, low, close, volume). Numbers are decimals, text or floats.',
    example:
      'millrace feed import parquet trades.parquet --symbol BTCUSDT --column price=px --out recordings',
  },
} as const satisfies Readonly<Record<string, FormatSummary>>;

export type FormatName = keyof typeof FORMATS;

/** The names of all formats, as choices on the command line. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
