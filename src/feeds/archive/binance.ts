import { MillraceError } from '../../model/errors.ts';
import { isoTime, micros, US_PER_DAY, type Micros } from '../../platform/time.ts';
import type { Archive, ArchiveFile, ArchiveOrder } from './archive.ts';

export const BINANCE_URL = 'https://data.binance.vision';

/** Data of each market, by day and by month (github binance/binance-public-data, README). */
const CANDLES = ['klines'];
const FUTURES_CANDLES = ['klines', 'markPriceKlines', 'indexPriceKlines', 'premiumIndexKlines'];
const BY_DAY: Readonly<Record<string, readonly string[]>> = {
  spot: [...CANDLES, 'trades', 'aggTrades'],
  um: [...FUTURES_CANDLES, 'trades', 'aggTrades', 'bookTicker', 'metrics'],
  cm: [...FUTURES_CANDLES, 'trades', 'aggTrades', 'bookTicker', 'metrics'],
};
const BY_MONTH: Readonly<Record<string, readonly string[]>> = {
  spot: [...CANDLES, 'trades', 'aggTrades'],
  um: [...FUTURES_CANDLES, 'trades', 'aggTrades', 'bookTicker', 'fundingRate'],
  cm: [...FUTURES_CANDLES, 'trades', 'aggTrades', 'bookTicker', 'fundingRate'],
};

export const BINANCE_MARKETS = Object.keys(BY_DAY);

const INTERVALS = [
  ...['1s', '1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d'],
  ...['3d', '1w', '1mo'],
];
const MONTHLY_ONLY = new Set(['3d', '1w', '1mo']);
/** Months are published at their first Monday, days on the day after. */
const MONTH_LATE_DAYS = 8;
const DAY_LATE_DAYS = 2;

/** The data archive of Binance: published months, and days for the rest and for missing months. */
export const binanceArchive = (baseUrl: string = BINANCE_URL): Archive => ({
  name: 'binance',
  baseUrl: baseUrl.replace(/\/+$/, ''),
  files: filesOf,
  checksumPath: (path) => `${path}.CHECKSUM`,
  isAwaited: ({ from, till }, now) =>
    now < till + (till - from > US_PER_DAY ? MONTH_LATE_DAYS : DAY_LATE_DAYS) * US_PER_DAY,
});

function filesOf(order: ArchiveOrder, now: Micros): readonly ArchiveFile[] {
  check(order);
  const { market, type, interval, from } = order;
  const today = Math.floor(now / US_PER_DAY) * US_PER_DAY;
  const till = Math.min(order.till, today);
  const byMonth = BY_MONTH[market].includes(type);
  const byDay = BY_DAY[market].includes(type) && !MONTHLY_ONLY.has(interval ?? '');
  const files: ArchiveFile[] = [];
  for (let at: number = from; at < till;) {
    const [start, end] = monthOf(at);
    const days = byDay ? daysOf(order, Math.max(start, from), Math.min(end, till)) : [];
    const isWhole = start >= from && end <= till;
    if (byMonth && (isWhole || !byDay)) {
      // A month that is not over is in no file yet.
      if (end <= today) files.push({ ...fileOf(order, start, end), instead: days });
      else files.push(...days);
    } else files.push(...days);
    at = end;
  }
  return files;
}

function check({ market, type, symbol, interval, from, till }: ArchiveOrder): void {
  const types = new Set([...(BY_DAY[market] ?? []), ...(BY_MONTH[market] ?? [])]);
  if (types.size === 0) {
    throw usage('market', `no market ${market}; there are ${BINANCE_MARKETS.join(', ')}`);
  }
  if (!types.has(type))
    throw usage('type', `no ${type} of ${market}; it has ${[...types].join(', ')}`);
  if (!/^[A-Z0-9_]{2,40}$/.test(symbol)) {
    throw usage('symbol', `no symbol ${symbol}: it writes BTCUSDT, or BTCUSD_PERP`);
  }
  if (isCandles(type) && !INTERVALS.includes(interval ?? '')) {
    throw usage('interval', `no interval ${interval ?? ''}; it has ${INTERVALS.join(', ')}`);
  }
  if (!isCandles(type) && interval !== undefined) {
    throw usage('interval', `no interval of ${type}: leave it out`);
  }
  if (from >= till) throw usage('till', 'nothing of no time: --till has to be after --from');
}

const usage = (field: string, what: string): MillraceError =>
  new MillraceError('usage', `The archive of Binance has ${what}.`, { field });

const isCandles = (type: string): boolean => FUTURES_CANDLES.includes(type);

const daysOf = (order: ArchiveOrder, from: number, till: number): ArchiveFile[] =>
  Array.from({ length: Math.ceil((till - from) / US_PER_DAY) }, (_, day) => {
    const start = from + day * US_PER_DAY;
    return fileOf(order, start, start + US_PER_DAY);
  });

/** `data/futures/um/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-2024-01.zip`. */
function fileOf(order: ArchiveOrder, from: number, till: number): ArchiveFile {
  const { market, type, symbol, interval } = order;
  const isMonth = till - from > US_PER_DAY;
  const date = isoTime(micros(from)).slice(0, isMonth ? 7 : 10);
  const place = market === 'spot' ? 'spot' : `futures/${market}`;
  // Candles have their interval instead of their type, and one more folder.
  const [folder, word] = interval === undefined ? ['', type] : [`${interval}/`, interval];
  return {
    path: `data/${place}/${isMonth ? 'monthly' : 'daily'}/${type}/${symbol}/${folder}${symbol}-${word}-${date}.zip`,
    from: micros(from),
    till: micros(till),
  };
}

function monthOf(at: number): readonly [start: number, end: number] {
  const date = new Date(at / 1_000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [Date.UTC(year, month) * 1_000, Date.UTC(year, month + 1) * 1_000];
}
