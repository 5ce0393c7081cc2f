import { basename } from 'node:path';
import type { Layout } from './layout.ts';
import {
  binanceFutures,
  binanceMarket,
  bybitDerivative,
  gateFutures,
  kucoinMarket,
  okxMarket,
} from './markets.ts';

type Rows = readonly (readonly string[])[];

const WHOLE = /^\d+$/;
const DECIMAL = /^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;

/** True if each row has exactly these columns. */
const shaped =
  (...columns: readonly RegExp[]) =>
  (rows: Rows): boolean =>
    rows.every(
      (fields) =>
        fields.length === columns.length &&
        columns.every((form, index) => form.test(fields[index])),
    );

/** Whether the four prices are in this order: the high is the highest and the low the lowest of each row. */
const ordered =
  (order: readonly string[]) =>
  (rows: Rows): boolean =>
    rows.every((fields) => {
      const price = (name: string): number => Number(fields[order.indexOf(name)]);
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map(price);
      return high >= Math.max(open, close, low) && low <= Math.min(open, close, high);
    });

/** Columns of candles by name. */
const BARS = {
  timestamp: 'time',
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
};

/** A candle closes one unit of time before the next one opens. */
const isKline = (rows: Rows): boolean =>
  rows.every(
    ({ length, 0: opens = '', 6: closes = '' }) =>
      length === 12 &&
      opens.length === closes.length &&
      /^\d+0{3}$/.test(opens) &&
      /^\d+9{3}$/.test(closes),
  );

const KLINE_NAMES = [
  ...['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time', 'quote_volume'],
  ...['count', 'taker_buy_volume', 'taker_buy_quote_volume', 'ignore'],
];

/** A candle without volume but with a count is one of mark, index or premium prices. */
function noVolumeButCount(
  fields: readonly string[],
  header: readonly string[],
): string | undefined {
  const number = (name: string): number => Number(fields[header.indexOf(name)]);
  const count = number('count');
  const isEmpty = number('volume') === 0 && number('quote_volume') === 0 && count > 0;
  return isEmpty
    ? `a candle without volume that counts ${count}, as candles of mark and index prices do; say --prices mark or index`
    : undefined;
}

/** `BTCUSDT-1h-2024-01.zip`, `XBTUSD_60.csv`. */
const binancePeriod = (file: string): string | undefined =>
  /-(1m|3m|5m|15m|30m|1h|2h|4h|6h|8h|12h|1d|3d|1w|1mo|1s)-\d{4}-/.exec(basename(file))?.[1];
const MINUTES: Readonly<Record<string, string>> = {
  1: '1m',
  3: '3m',
  5: '5m',
  15: '15m',
  30: '30m',
  60: '1h',
  240: '4h',
  1440: '1d',
};
const minutesIn =
  (form: RegExp) =>
  (file: string): string | undefined => {
    const minutes = form.exec(basename(file))?.[1];
    return minutes === undefined ? undefined : (MINUTES[minutes] ?? `${minutes} minutes`);
  };

const TRADES = { timestamp: 'time', price: 'price', size: 'size' } as const;
const BINANCE_TRADES = {
  rows: 'trades',
  columns: { ...TRADES, size: 'qty', id: 'id', buyerMade: 'is_buyer_maker' },
  ids: 'consecutive',
  days: 'UTC',
} as const;
const BINANCE_AGGREGATES = {
  rows: 'trades',
  columns: {
    timestamp: 'transact_time',
    price: 'price',
    size: 'quantity',
    id: 'agg_trade_id',
    buyerMade: 'is_buyer_maker',
  },
  ids: 'consecutive',
  days: 'UTC',
  notes: ['A row is all fills of one order at one price, as the archive adds them up.'],
} as const;
const AGGREGATE_NAMES = [
  ...['agg_trade_id', 'price', 'quantity', 'first_trade_id', 'last_trade_id', 'transact_time'],
  'is_buyer_maker',
];
const NO_SIDES = 'The files have no side of a trade, and no id.';
const HONG_KONG =
  'A file holds a day of Hong Kong: it begins and ends at 16:00 UTC. A day of UTC needs the next file too.';
const BID_SIDE = 'The prices are bids, at which nobody traded; there is no volume.';

const BINANCE = {
  'binance-klines': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'open_time' },
    names: KLINE_NAMES,
    fits: isKline,
    has: ['open_time', 'close_time', 'quote_volume', 'taker_buy_volume'],
    wrong: noVolumeButCount,
    market: binanceMarket,
    periodOf: binancePeriod,
    days: 'UTC',
  },
  'binance-trades': {
    ...BINANCE_TRADES,
    names: ['id', 'price', 'qty', 'quote_qty', 'time', 'is_buyer_maker', 'is_best_match'],
    fits: shaped(WHOLE, DECIMAL, DECIMAL, DECIMAL, WHOLE, BOOLEAN, BOOLEAN),
    market: binanceMarket,
  },
  'binance-futures-trades': {
    ...BINANCE_TRADES,
    names: ['id', 'price', 'qty', 'quote_qty', 'time', 'is_buyer_maker'],
    fits: shaped(WHOLE, DECIMAL, DECIMAL, DECIMAL, WHOLE, BOOLEAN),
    has: ['id', 'price', 'qty', 'time', 'is_buyer_maker'],
    market: binanceFutures,
  },
  'binance-aggtrades': {
    ...BINANCE_AGGREGATES,
    names: [...AGGREGATE_NAMES, 'is_best_match'],
    fits: shaped(WHOLE, DECIMAL, DECIMAL, WHOLE, WHOLE, WHOLE, BOOLEAN, BOOLEAN),
    market: binanceMarket,
  },
  'binance-futures-aggtrades': {
    ...BINANCE_AGGREGATES,
    names: AGGREGATE_NAMES,
    fits: shaped(WHOLE, DECIMAL, DECIMAL, WHOLE, WHOLE, WHOLE, BOOLEAN),
    has: ['agg_trade_id', 'price', 'quantity', 'transact_time', 'is_buyer_maker'],
    market: binanceFutures,
  },
  'binance-bookticker': {
    rows: 'quotes',
    columns: {
      timestamp: 'transaction_time',
      received: 'event_time',
      id: 'update_id',
      bid: 'best_bid_price',
      bidSize: 'best_bid_qty',
      ask: 'best_ask_price',
      askSize: 'best_ask_qty',
    },
    names: [
      ...['update_id', 'best_bid_price', 'best_bid_qty', 'best_ask_price', 'best_ask_qty'],
      ...['transaction_time', 'event_time'],
    ],
    fits: shaped(WHOLE, DECIMAL, DECIMAL, DECIMAL, DECIMAL, /^\d{13}$/, /^\d{13}$/),
    has: ['update_id', 'best_bid_price', 'best_ask_price', 'transaction_time'],
    market: binanceFutures,
    byId: true,
    days: 'UTC',
  },
  'binance-bookdepth': {
    rows: 'quotes',
    columns: {},
    has: ['timestamp', 'percentage', 'depth', 'notional'],
    refused:
      'bookDepth is no order book: it holds what lies within so many percent of the middle. Take incremental_book_L2 of Tardis, or record a book',
  },
  'binance-liquidations': {
    rows: 'trades',
    columns: {},
    has: ['order_type', 'time_in_force', 'accumulated_fill_quantity'],
    refused: 'liquidation orders are no trades: they are in the trades of the same days already',
  },
  'binance-depth-export': {
    rows: 'quotes',
    columns: {},
    has: ['first_update_id', 'last_update_id', 'update_type', 'qty'],
    refused: 'this export of whole books is not read yet',
  },
} as const satisfies Readonly<Record<string, Layout>>;

const VENUES = {
  'bybit-trades': {
    rows: 'trades',
    columns: {
      timestamp: 'timestamp',
      price: 'price',
      size: 'size',
      side: 'side',
      id: 'trdMatchID',
      symbol: 'symbol',
    },
    has: ['timestamp', 'symbol', 'side', 'size', 'price', 'trdMatchID'],
    timeUnit: 's',
    market: bybitDerivative,
    days: 'UTC',
  },
  'bybit-spot-trades': {
    rows: 'trades',
    columns: {
      timestamp: 'timestamp',
      price: 'price',
      size: 'volume',
      side: 'side',
      id: 'id',
    },
    has: ['id', 'timestamp', 'price', 'volume', 'side'],
    ids: 'daily',
    days: 'UTC',
  },
  'bybit-candles': {
    rows: 'candles',
    columns: BARS,
    names: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: shaped(/^\d{4}\.\d\d\.\d\d \d\d:\d\d$/, DECIMAL, DECIMAL, DECIMAL, DECIMAL, DECIMAL),
    named: /_\d+_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\./,
    timeFormat: 'YYYY.MM.DD HH:mm',
    zone: '+03:00',
    periodOf: minutesIn(/_(\d+)_\d{4}-\d\d-\d\d_/),
    notes: ['The clock of these files is three hours ahead of UTC all year.'],
  },
  'okx-trades': {
    rows: 'trades',
    columns: {
      timestamp: 'created_time',
      price: 'price',
      size: 'size',
      side: 'side',
      id: 'trade_id',
      symbol: 'instrument_name',
    },
    has: ['trade_id', 'side', 'size', 'price', 'created_time'],
    market: okxMarket,
    days: '+08:00',
    notes: [HONG_KONG],
  },
  'okx-candles': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'open_time', volume: 'vol', symbol: 'instrument_name' },
    has: ['instrument_name', 'open_time', 'vol', 'vol_ccy', 'confirm'],
    market: okxMarket,
    days: '+08:00',
    notes: [HONG_KONG],
  },
  'kucoin-trades': {
    rows: 'trades',
    columns: {
      timestamp: 'trade_time',
      price: 'price',
      size: 'size',
      side: 'side',
      id: 'trade_id',
    },
    names: ['trade_id', 'trade_time', 'price', 'size', 'side'],
    fits: shaped(/^[0-9a-f]+$/, /^\d{13}$/, DECIMAL, DECIMAL, /^(?:buy|sell)$/i),
    has: ['trade_id', 'trade_time', 'price', 'size', 'side'],
    market: kucoinMarket,
    days: 'UTC',
  },
  'gate-trades': {
    rows: 'trades',
    columns: { ...TRADES, size: 'amount', side: 'side', id: 'id' },
    names: ['time', 'id', 'price', 'amount', 'side'],
    fits: shaped(/^\d{10}(?:\.\d+)?$/, WHOLE, DECIMAL, DECIMAL, /^[12]$/),
    sides: { buy: ['2'], sell: ['1'] },
  },
  'gate-futures-trades': {
    rows: 'trades',
    columns: { ...TRADES, id: 'id' },
    names: ['time', 'id', 'price', 'size'],
    fits: shaped(/^\d{10}(?:\.\d+)?$/, WHOLE, DECIMAL, /^-?\d+$/),
    named: /-\d{6}\./,
    market: gateFutures,
    isSigned: true,
  },
  'kraken-ohlcvt': {
    rows: 'candles',
    columns: BARS,
    names: ['time', 'open', 'high', 'low', 'close', 'volume', 'trades'],
    fits: (rows) =>
      shaped(/^\d{9,10}$/, DECIMAL, DECIMAL, DECIMAL, DECIMAL, DECIMAL, WHOLE)(rows) &&
      ordered(['time', 'open', 'high', 'low', 'close'])(rows),
    named: /^[A-Z0-9.]+_\d+\./,
    periodOf: minutesIn(/_(\d+)\./),
    notes: ['Intervals without a trade are left out of these files: a gap is no outage.'],
  },
  'kraken-trades': {
    rows: 'trades',
    columns: { ...TRADES, size: 'volume' },
    names: ['time', 'price', 'volume'],
    fits: shaped(/^\d{9,10}$/, DECIMAL, DECIMAL),
    notes: [NO_SIDES, 'Times are whole seconds; trades of one second keep the order of the file.'],
  },
} as const satisfies Readonly<Record<string, Layout>>;

const VENDORS = {
  cryptodatadownload: {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'unix*', volume: 'volume*', symbol: 'symbol' },
    has: ['unix*', 'date', 'symbol', 'open', 'high', 'low', 'close', 'volume*'],
    notes: ['Volumes are those of the first volume column, which is that of the base currency.'],
  },
  'cryptodatadownload-dated': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'date', volume: 'volume*', symbol: 'symbol' },
    named: /^(?:[A-Z][A-Za-z]+|gemini)_[A-Z]+_(?:d|1h|1hr|day|minute|1min|\d{4})/,
    has: ['date', 'symbol', 'open', 'high', 'low', 'close', 'volume*'],
    timeFormat: 'YYYY-MM-DD HH-A',
    notes: ['Volumes are those of the first volume column, which is that of the base currency.'],
  },
  'bitstamp-candles': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'timestamp', volume: 'volume_(btc)' },
    has: ['timestamp', 'open', 'high', 'low', 'close', 'volume_(btc)', 'weighted_price'],
    skipsNaN: true,
    notes: ['Minutes without a trade have no numbers in these files and are left out.'],
  },
  yfinance: {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'date*' },
    has: ['date*', 'open', 'high', 'low', 'close', 'adj close', 'volume'],
    notes: [
      'Days are those of the exchange, and begin at 00:00 UTC here.',
      'Without a column Adj Close all prices are adjusted for dividends and splits; with it they are not.',
    ],
  },
  'histdata-ticks': {
    rows: 'quotes',
    columns: { timestamp: 'time', bid: 'bid', ask: 'ask' },
    names: ['time', 'bid', 'ask', 'volume'],
    fits: shaped(/^\d{8} \d{9}$/, DECIMAL, DECIMAL, WHOLE),
    timeFormat: 'YYYYMMDD HHmmssSSS',
    zone: '-05:00',
    notes: ['Times are Eastern Standard Time all year, five hours behind UTC.'],
  },
  'histdata-m1': {
    rows: 'candles',
    columns: BARS,
    names: ['time', 'open', 'high', 'low', 'close', 'volume'],
    fits: shaped(/^\d{8} \d{6}$/, DECIMAL, DECIMAL, DECIMAL, DECIMAL, WHOLE),
    timeFormat: 'YYYYMMDD HHmmss',
    zone: '-05:00',
    periodOf: () => '1m',
    notes: ['Times are Eastern Standard Time all year, five hours behind UTC.', BID_SIDE],
  },
  'histdata-mt': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'date+time' },
    names: ['date', 'time', 'open', 'high', 'low', 'close', 'volume'],
    fits: shaped(/^\d{4}\.\d\d\.\d\d$/, /^\d\d:\d\d$/, ...Array<RegExp>(5).fill(DECIMAL)),
    named: /^DAT_MT_/,
    timeFormat: 'YYYY.MM.DD HH:mm',
    zone: '-05:00',
    periodOf: () => '1m',
    notes: ['Times are Eastern Standard Time all year, five hours behind UTC.', BID_SIDE],
  },
  'dukascopy-candles': {
    rows: 'candles',
    columns: { ...BARS, timestamp: 'gmt time' },
    has: ['gmt time', 'open', 'high', 'low', 'close', 'volume'],
    timeFormat: 'DD.MM.YYYY HH:mm:ss.SSS',
    zone: 'UTC',
    notes: ['The prices are bids or asks, as the name of the file says: nobody traded at them.'],
  },
  'dukascopy-ticks': {
    rows: 'quotes',
    columns: {
      timestamp: 'timestamp',
      bid: 'bidPrice',
      bidSize: 'bidVolume',
      ask: 'askPrice',
      askSize: 'askVolume',
    },
    has: ['timestamp', 'askPrice', 'bidPrice', 'askVolume', 'bidVolume'],
    notes: ['Sizes are in the unit of the file, which is mostly a million.'],
  },
} as const satisfies Readonly<Record<string, Layout>>;

const DATABENTO = {
  timestamp: 'ts_event',
  symbol: 'symbol',
} as const;
const DATABENTO_TRADES = {
  rows: 'trades',
  columns: {
    ...DATABENTO,
    received: 'ts_recv',
    price: 'price',
    size: 'size',
    side: 'side',
    id: 'sequence',
  },
  sides: { buy: ['B'], sell: ['A'] },
  only: { action: 'T' },
  notes: ['Sizes are in the unit of the venue: shares or contracts.'],
} as const;
const DATABENTO_BARS = {
  rows: 'candles',
  columns: { ...BARS, ...DATABENTO },
  notes: ['Intervals without a trade are left out of these files: a gap is no outage.'],
} as const;
const isRaw = (rows: Rows): boolean => rows.every(([time = '']) => WHOLE.test(time));
const NANO = { multiplier: { price: '0.000000001' } } as const;

/** Raw prices are whole 1e-9, and then times are whole nanoseconds; otherwise both are as people write them. */
const DATABENTO_LAYOUTS = {
  'databento-ohlcv-raw': {
    ...DATABENTO_BARS,
    ...NANO,
    has: ['ts_event', 'rtype', 'publisher_id', 'instrument_id', 'open', 'close', 'volume'],
    fits: isRaw,
  },
  'databento-ohlcv': {
    ...DATABENTO_BARS,
    has: ['ts_event', 'rtype', 'publisher_id', 'instrument_id', 'open', 'close', 'volume'],
  },
  'databento-quotes': {
    rows: 'quotes',
    columns: {},
    has: ['ts_recv', 'ts_event', 'action', 'bid_px_00', 'ask_px_00'],
    refused:
      'rows of mbp and tbbo are books and trades in one; take the trades schema, or map bid_px_00 and the others with --mapping',
  },
  'databento-trades-raw': {
    ...DATABENTO_TRADES,
    ...NANO,
    has: ['ts_recv', 'ts_event', 'action', 'side', 'price', 'size', 'sequence'],
    fits: isRaw,
  },
  'databento-trades': {
    ...DATABENTO_TRADES,
    has: ['ts_recv', 'ts_event', 'action', 'side', 'price', 'size', 'sequence'],
  },
} as const satisfies Readonly<Record<string, Layout>>;

/** Six numbers without names: only the order of the four prices distinguishes the sources. */
const bare = (names: readonly string[], source: string): Layout => ({
  rows: 'candles',
  columns: BARS,
  names,
  fits: (rows) =>
    shaped(/^\d{10,19}(?:\.\d+)?$/, ...Array<RegExp>(5).fill(DECIMAL))(rows) &&
    ordered(names)(rows),
  guess: `the order of its columns is taken for that of ${source}, as only it makes the high the highest`,
});

const BARE = {
  'bare-ohlcv': bare(['time', 'open', 'high', 'low', 'close', 'volume'], 'most files'),
  'bitfinex-candles': bare(
    ['time', 'open', 'close', 'high', 'low', 'volume'],
    'Bitfinex and Jesse',
  ),
  'coinbase-candles': bare(['time', 'low', 'high', 'open', 'close', 'volume'], 'Coinbase'),
  'gate-candles': bare(['time', 'volume', 'close', 'high', 'low', 'open'], 'Gate'),
} as const satisfies Readonly<Record<string, Layout>>;

/** The known layouts of text files, the most specific first. */
export const LAYOUTS = {
  ...BINANCE,
  ...VENUES,
  ...DATABENTO_LAYOUTS,
  ...VENDORS,
  ...BARE,
} as const satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof LAYOUTS;

/** The names of all layouts, as choices on the command line. */
export const LAYOUT_NAMES = Object.keys(LAYOUTS) as readonly LayoutName[];

/** A layout by its name, with all that a layout may have. */
export const layoutOf = (name: LayoutName): Layout => LAYOUTS[name];

/** The layouts whose candles only the order of the prices distinguishes. */
export const BARE_NAMES = Object.keys(BARE) as readonly LayoutName[];
