/** What a format is, for whoever chooses one. */
interface FormatSummary {
  /** What its files are, in a sentence. */
  readonly summary: string;
  /** A command line that imports some. */
  readonly example: string;
}

/** Every format that can be imported, by its name on the command line. */
export const FORMATS = {
  'binance-raw': {
    summary:
      'Raw websocket capture of Binance: lines of receive time in nanoseconds, a space, the JSON ' +
      'frame (trade, bookTicker, depth), with REST depth snapshots between them.',
    example:
      'millrace feed import binance-raw btcusdt_20240808.gz btcusdt_20240809.gz --out recordings',
  },
  'ohlcv-csv': {
    summary:
      'Candles as CSV with a header (timestamp, open, high, low, close, volume in any order), ' +
      'separated by comma, semicolon or tab; times as ISO 8601 or as numbers since 1970.',
    example: 'millrace feed import ohlcv-csv btcusdt_1m.csv.gz --symbol BTCUSDT --out recordings',
  },
  'freqtrade-trades': {
    summary:
      'Trades as freqtrade stores them in JSON: rows of [time in ms, id, type, side, price, ' +
      'amount, cost]. Price and amount count; the cost is not read.',
    example: 'millrace feed import freqtrade-trades XRP_ETH-trades.json.gz --out recordings',
  },
  'tardis-csv': {
    summary:
      'CSV files of tardis.dev: trades, incremental_book_L2 and quotes of one instrument, merged ' +
      'by their time of arrival; files of one data type in the order given.',
    example:
      'millrace feed import tardis-csv binance_trades_2024-08-01_BTCUSDT.csv.gz ' +
      'binance_incremental_book_L2_2024-08-01_BTCUSDT.csv.gz --out recordings',
  },
  parquet: {
    summary:
      'Trades (time, price, size, side or is_buyer_maker, id) or candles (time, open, high, low, ' +
      'close, volume) in Parquet files; numbers as decimals, text, or binary fractions.',
    example:
      'millrace feed import parquet trades.parquet --symbol BTCUSDT --column price=px --out recordings',
  },
} as const satisfies Readonly<Record<string, FormatSummary>>;

export type FormatName = keyof typeof FORMATS;

/** The names of all formats, as choices on the command line. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
