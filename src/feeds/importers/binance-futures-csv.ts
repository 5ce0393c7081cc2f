import { basename } from 'node:path';
import {
  isoTime,
  micros,
  parseIsoTime,
  US_PER_HOUR,
  US_PER_MINUTE,
  type Micros,
} from '../../platform/time.ts';
import { binanceContract } from './contracts.ts';
import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from './contract.ts';
import { eachCsvRow, type Header } from './csv.ts';
import { Derivatives, type DerivativeNews } from './derivatives.ts';
import { shown } from './malformed.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { readTime } from './timestamp.ts';

/** Funding rates and open interest of the Binance archive, each row with its time. */
export const binanceFuturesCsv: Format = { name: 'binance-futures-csv', scan, write };

/** Files of funding rates from before the middle of 2022 may have no header. */
const FUNDING = {
  names: ['calc_time', 'funding_interval_hours', 'last_funding_rate'],
  fits: ({ 0: time = '', 1: hours = '' }: readonly string[]): boolean =>
    /^\d{13}$/.test(time) && /^\d{1,2}$/.test(hours),
};

/** From here on a row of `metrics` is what was five minutes after its time; before it was what was then. */
const EARLY_STAMPS_FROM = timeOf('2024-03-04T00:00:00Z');
const EARLY_US = 5 * US_PER_MINUTE;

/** The symbol that the name of a file begins with: `BTCUSDT-fundingRate-2024-01.csv`. */
const NAME = /^([A-Z0-9]+(?:_[A-Z0-9]+)?)-(?:fundingRate|metrics)\b/i;

/** A row, its position, and the members that a repetition must equal. */
interface Read {
  readonly news: DerivativeNews;
  readonly file: string;
  readonly line: number;
  readonly key: string;
}

type ReadRow = (fields: readonly string[]) => Read;

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const position = new RowPosition();
  const symbols = new Set<string>();
  let rows = 0;
  let isPerpetual = false;
  for (const file of sources.files) {
    const named = NAME.exec(basename(file))?.[1]?.toUpperCase();
    if (named !== undefined) symbols.add(named);
    const seen = (): void => {
      rows += 1;
    };
    const open = (header: Header) => {
      isPerpetual ||= header.columns.find(['calc_time']) >= 0;
      return { visit: reading(header, position, symbols, seen) };
    };
    await eachCsvRow(sources, file, position, open, [FUNDING]);
  }
  if (rows === 0) throw position.malformed('the files hold no rows', 'funding rates or metrics');
  const [symbol, other] = symbols;
  if (other !== undefined) {
    throw position.malformed(`rows of ${symbol} and of ${other}`, 'files of one instrument');
  }
  return {
    layout: 'events',
    symbol,
    type: 'futures',
    derivatives: true,
    isPerpetual,
    contract: binanceContract(symbol ?? options.symbol),
    tickSize: undefined,
    quantityIncrement: undefined,
    notes: [
      'A row counts as received at its time; funding is paid at the whole minute nearest to it.',
      'Open interest of 2024-03-04 and later counts five minutes after its stamp, when it was taken.',
    ],
  };
}

/** Reads the header and notes the symbols of the rows. */
function reading(header: Header, position: RowPosition, symbols: Set<string>, seen: () => void) {
  const read = readerOf(header, position);
  const symbol = header.columns.find(['symbol']);
  return (fields: readonly string[]): boolean => {
    read(fields);
    seen();
    if (symbol >= 0) symbols.add(fields[symbol].toUpperCase());
    return true;
  };
}

/**
 * Rows are small and few, 105,000 of open interest in a year: all are read and sorted by time, as the
 * archive's files are not always in order.
 */
async function write({ sources, instrument, sink }: ImportWriting): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  const rows: Read[] = [];
  for (const file of sources.files) {
    await eachCsvRow(
      sources,
      file,
      position,
      (header) => {
        const read = readerOf(header, position);
        const visit = (fields: readonly string[]): boolean => {
          rows.push(read(fields));
          return true;
        };
        return { visit };
      },
      [FUNDING],
    );
  }
  rows.sort((a, b) => a.news.receivedAt - b.news.receivedAt);
  const derivatives = new Derivatives(instrument, sink, position, false);
  const known = new Map<string, string>();
  let time = Number.NaN;
  for (const { news, file, line, key } of rows) {
    position.file = file;
    position.line = line;
    if (news.receivedAt !== time) known.clear();
    time = news.receivedAt;
    const kind = news.rate === undefined ? 'open interest' : 'funding';
    const before = known.get(kind);
    if (before === key) continue;
    if (before !== undefined) throw conflict(kind, news, position);
    known.set(kind, key);
    derivatives.take(news);
  }
  return derivatives.counts();
}

const conflict = (kind: string, { receivedAt }: DerivativeNews, position: RowPosition): Error =>
  position.malformed(
    `the ${kind} of ${isoTime(micros(receivedAt))} comes again with other numbers`,
    'rows that come again to be the same',
  );

/** The columns determine the content of a file, whatever its name. */
function readerOf(header: Header, position: RowPosition): ReadRow {
  if (header.columns.find(['calc_time']) >= 0) return fundingOf(header, position);
  if (header.columns.find(['sum_open_interest']) >= 0) return metricsOf(header, position);
  throw position.malformed(
    `the header names ${shown(header.columns.names.join())}`,
    'the columns of fundingRate or metrics; give klines of mark and index prices to ohlcv-csv with --prices',
  );
}

function fundingOf(header: Header, position: RowPosition): ReadRow {
  const [time, hours, rate] = FUNDING.names.map((name) => header.columns.need([name], position));
  return (fields) => {
    const at = readTime(fields[time], 'ms');
    const interval = Number(fields[hours]);
    if (at === undefined) {
      throw position.malformed(`calc_time ${shown(fields[time])}`, 'milliseconds since 1970');
    }
    if (!/^\d{1,2}$/.test(fields[hours]) || interval === 0) {
      throw position.malformed(
        `funding_interval_hours ${shown(fields[hours])}`,
        'whole hours above 0',
      );
    }
    // Some are a few milliseconds late.
    const fundingAt = Math.round(at / US_PER_MINUTE) * US_PER_MINUTE;
    const nextFundingAt = fundingAt + interval * US_PER_HOUR;
    const news = { receivedAt: at, stampedAt: at, rate: fields[rate], fundingAt, nextFundingAt };
    const key = `${fields[hours]} ${fields[rate]}`;
    return { news, file: position.file, line: position.line, key };
  };
}

function metricsOf(header: Header, position: RowPosition): ReadRow {
  const [time, open] = ['create_time', 'sum_open_interest'].map((name) =>
    header.columns.need([name], position),
  );
  return (fields) => {
    const stamp = parseIsoTime(fields[time]);
    if (stamp === undefined) {
      throw position.malformed(
        `create_time ${shown(fields[time])}`,
        'a time of UTC such as "2024-03-04 00:05:00"',
      );
    }
    const at = stamp >= EARLY_STAMPS_FROM ? stamp + EARLY_US : stamp;
    const openInterest = fields[open];
    const news = { receivedAt: at, stampedAt: at, openInterest };
    return { news, file: position.file, line: position.line, key: openInterest };
  };
}

function timeOf(text: string): Micros {
  const at = parseIsoTime(text);
  if (at === undefined) throw new TypeError(`${text} is no time.`);
  return at;
}
