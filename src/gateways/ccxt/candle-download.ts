import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import {
  isoTime,
  micros,
  US_PER_DAY,
  US_PER_MINUTE,
  US_PER_MS,
  type Micros,
} from '../../platform/time.ts';
import { RetryingReader } from '../trading/retrying-reader.ts';
import { readingError } from './errors.ts';
import {
  loadCcxt,
  makeExchange,
  type CcxtExchange,
  type ExchangeSettings,
  type Rows,
} from './exchange.ts';
import { TIMEFRAMES } from './market.ts';
import { readInstruments } from './terms.ts';
import { venueRules } from './venues.ts';

/** The requested candles: those that open from `from` on and before `till`, which are midnights of UTC. */
export interface CandleOrder {
  readonly symbol: string;
  readonly period: Period;
  readonly from: Micros;
  readonly till: Micros;
}

export interface CandleDownloadSetup {
  /** Each exchange, symbol and period has its own folder in it. */
  readonly folder: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

export interface CandleDownload {
  readonly instrument: Instrument;
  /** Rows `[ms, open, high, low, close, volume]` as JSON, oldest first. */
  readonly files: readonly string[];
  readonly downloaded: number;
  readonly cached: number;
  /** Spans without any candle of the exchange, as `from/until`. */
  readonly missing: readonly string[];
}

/** The last candle of a span may be corrected this long after its end. */
const SETTLED_US = US_PER_MINUTE;
/** Periods shorter than an hour have a file for each day, others one for each month. */
const DAILY: ReadonlySet<Period> = new Set<Period>(['M1', 'M3', 'M5', 'M15', 'M30']);

interface Span {
  readonly start: Micros;
  readonly end: Micros;
}

/**
 * Downloads candles of a spot market by REST, at the rate of ccxt's own limiter. A file gets its name only
 * when its span is over and was read whole, so that the next run continues there. Of the current span the
 * finished candles are read again each time. Throws `download-failed` if the exchange has none.
 */
export async function downloadCandles(
  settings: ExchangeSettings,
  order: CandleOrder,
  setup: CandleDownloadSetup,
): Promise<CandleDownload> {
  const ccxt = await loadCcxt();
  const exchange = makeExchange(ccxt, settings, {}, 'float');
  const { warn, signal } = setup;
  const reader = new RetryingReader(setup);
  const stop = (): void => reader.close();
  signal.addEventListener('abort', stop);
  try {
    const exchanges = { market: exchange, account: exchange };
    const [instrument] = await readInstruments(ccxt, exchanges, [order.symbol], {
      hasKey: false,
      warn,
    });
    checkOrder(exchange, instrument, order.period);
    return await new Spans(exchange, reader, order, setup).download(instrument);
  } catch (error) {
    signal.throwIfAborted();
    throw readingError(error);
  } finally {
    signal.removeEventListener('abort', stop);
    reader.close();
    await exchange.close();
  }
}

/**
 * Throws `usage` for candles that the exchange does not have, and for contracts, whose volume has no one
 * unit.
 */
function checkOrder(
  { id, has, timeframes }: CcxtExchange,
  { symbol, terms }: Instrument,
  period: Period,
): void {
  const wrong = (message: string): MillraceError => new MillraceError('usage', message);
  if (has.fetchOHLCV !== true) throw wrong(`${id} gives no candles by REST.`);
  if (timeframes !== undefined && !Object.hasOwn(timeframes, TIMEFRAMES[period])) {
    throw wrong(`${id} has no candles of ${period}; it has ${Object.keys(timeframes).join(', ')}.`);
  }
  if (terms.type !== 'spot') {
    throw wrong(`${symbol} is a contract. Exchanges count its volume in contracts or in currency, and ccxt does not say which; download spot.`); // prettier-ignore
  }
}

/** One download: its spans, one after another. */
class Spans {
  readonly #exchange: CcxtExchange;
  readonly #reader: RetryingReader;
  readonly #order: CandleOrder;
  readonly #setup: CandleDownloadSetup;
  #limit: number | undefined;
  /** Which candles an answer has if there are more than its limit; found out at the first gap. */
  #first: 'oldest' | 'newest' | undefined;
  /** No candle opens before, as an answer to an earlier time began here. */
  #noneBefore = 0;

  constructor(
    exchange: CcxtExchange,
    reader: RetryingReader,
    order: CandleOrder,
    setup: CandleDownloadSetup,
  ) {
    this.#exchange = exchange;
    this.#reader = reader;
    this.#order = order;
    this.#setup = setup;
    const limit = exchange.featureValue(order.symbol, 'fetchOHLCV', 'limit');
    this.#limit = typeof limit === 'number' && limit > 0 ? limit : undefined;
  }

  async download(instrument: Instrument): Promise<CandleDownload> {
    const { symbol, period, from, till } = this.#order;
    const { folder, scheduler, signal, onProgress } = this.#setup;
    const place = join(
      folder,
      'ccxt',
      this.#exchange.id,
      symbol.replaceAll(/[^\w.-]/g, '_'),
      period,
    );
    await mkdir(place, { recursive: true });
    const files: string[] = [];
    const missing: string[] = [];
    const counts = { downloaded: 0, cached: 0 };
    for (const span of spansOf(period, from, till)) {
      signal.throwIfAborted();
      const name = join(place, `${day(span.start)}_${day(span.end)}`);
      if (existsSync(`${name}.json`)) {
        files.push(`${name}.json`);
        counts.cached += 1;
      } else {
        const now = scheduler.now();
        const rows = await this.#rows(span, now);
        const lastEnd = periodEnd(period, periodStart(period, micros(span.end - 1)));
        const isOver = lastEnd + SETTLED_US <= now;
        if (rows.length === 0) missing.push(`${day(span.start)}/${day(span.end)}`);
        else {
          files.push(await write(`${name}${isOver ? '' : '.open'}.json`, rows));
          counts.downloaded += 1;
        }
      }
      onProgress((span.end - from) / (till - from));
    }
    if (files.length > 0) return { instrument, files, ...counts, missing };
    const since =
      this.#noneBefore === 0 ? '' : ` The next is of ${isoTime(micros(this.#noneBefore))}.`;
    throw new MillraceError('download-failed', `${this.#exchange.id} gave no candle of ${symbol} (${period}) from ${day(from)} till ${day(till)}.${since}`); // prettier-ignore
  }

  /** The finished candles of a span, oldest first. */
  async #rows(span: Span, now: Micros): Promise<Rows> {
    const { period } = this.#order;
    const found = new Map<number, Rows[number]>();
    const end = Math.min(span.end, now);
    let since = Math.max(span.start, this.#noneBefore);
    while (since < end) {
      const given = await this.#page(since, end);
      const times = given.map(timeOf);
      for (const [index, row] of given.entries()) {
        const at = times[index];
        if (at < span.end && periodEnd(period, periodStart(period, micros(at))) <= now)
          found.set(at, row);
      }
      // Without a known limit, an empty answer means that nothing follows.
      if (times.length > 0) since = Math.max(...times) + US_PER_MS;
      else since = this.#limit === undefined ? end : since + this.#limit * spanOf(period, since);
    }
    return [...found.values()].sort((one, other) => timeOf(one) - timeOf(other));
  }

  /**
   * Candles from a time on; if the first is missing, finds out which of them the exchange returns first.
   */
  async #page(since: number, end: number): Promise<Rows> {
    const step = spanOf(this.#order.period, since);
    if (this.#first === 'newest') {
      const until = Math.min(end, since + (this.#limit ?? 1) * step);
      const given = await this.#ask(since, this.#limit, until);
      if (given.some((row) => timeOf(row) >= until)) throw this.#takesNoEnd();
      return given;
    }
    const given = await this.#ask(since, this.#limit);
    const first = Math.min(...given.map(timeOf));
    if (!Number.isFinite(first) || first < since + step) return given;
    if (this.#first === undefined && given.length > 1) {
      const one = await this.#ask(since, 1);
      this.#first = one.some((row) => timeOf(row) > first) ? 'newest' : 'oldest';
      if (this.#first === 'newest') {
        this.#limit ??= given.length;
        return await this.#page(since, end);
      }
    }
    if (first >= end) this.#noneBefore = first;
    return given;
  }

  /** Candles that open at a time or later, and before an end if the exchange takes one. */
  async #ask(since: number, limit: number | undefined, end?: number): Promise<Rows> {
    const { symbol, period } = this.#order;
    const { signal } = this.#setup;
    const until = end === undefined ? {} : { until: Math.ceil(end / US_PER_MS) - 1 };
    const params = { ...venueRules(this.#exchange.id).candleParams, ...until };
    const ask = async (): Promise<Rows> => {
      try {
        const from = Math.ceil(since / US_PER_MS);
        return await this.#exchange.fetchOHLCV(symbol, TIMEFRAMES[period], from, limit, params);
      } catch (error) {
        throw readingError(error);
      }
    };
    const given = await this.#reader.read(ask, () => !signal.aborted);
    signal.throwIfAborted();
    return (given ?? []).filter((row) => timeOf(row) >= since);
  }

  #takesNoEnd(): MillraceError {
    return new MillraceError('download-failed', `${this.#exchange.id} gives the newest candles only, ${String(this.#limit)} at most, as it takes no end of the time through ccxt. Ask for a later --from, or download elsewhere.`); // prettier-ignore
  }
}

const timeOf = ([time]: Rows[number]): number => Number(time) * US_PER_MS;

const day = (at: number): string => isoTime(micros(at)).slice(0, 10);

/** How long the candle is that is open at a time. */
const spanOf = (period: Period, at: number): number => {
  const start = periodStart(period, micros(at));
  return periodEnd(period, start) - start;
};

/** Days or months of UTC, the first and the last as far as requested. */
function spansOf(period: Period, from: Micros, till: Micros): readonly Span[] {
  const spans: Span[] = [];
  for (let start = from; start < till;) {
    const next = DAILY.has(period)
      ? micros(start + US_PER_DAY)
      : periodEnd('1M', periodStart('1M', start));
    const end = micros(Math.min(next, till));
    spans.push({ start, end });
    start = end;
  }
  return spans;
}

/** Writes rows to a temporary file, renamed once complete. */
async function write(path: string, rows: Rows): Promise<string> {
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  await writeFile(`${path}.part`, `[${lines}]\n`);
  await rename(`${path}.part`, path);
  return path;
}
