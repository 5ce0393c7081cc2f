import type { Decimal } from '../../model/decimal.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../model/derivative-state.ts';
import { MillraceError, type Warn } from '../../model/errors.ts';
import { INDEX, MARK } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { US_PER_MS } from '../../platform/time.ts';
import { DerivativeRows } from '../derivative-rows.ts';
import type { EventRows } from '../rows.ts';
import { readingError } from './errors.ts';
import type { CcxtExchange, Given } from './exchange.ts';
import { decimalOf } from './terms.ts';

/** Contract data reported by a call of ccxt. */
interface Call {
  readonly watch?: 'watchFundingRate' | 'watchMarkPrice';
  readonly fetch: 'fetchFundingRate' | 'fetchMarkPrice' | 'fetchTicker' | 'fetchOpenInterest';
  /** Bits of `DerivativeState` that it may report. */
  readonly may: number;
}

/** A call, and what of its answers counts. */
export interface DerivativeSource extends Call {
  readonly bits: number;
}

const FUNDING_CALL: Call = {
  watch: 'watchFundingRate',
  fetch: 'fetchFundingRate',
  may: MARKED | INDEXED | FUNDED,
};
const MARK_CALL: Call = {
  watch: 'watchMarkPrice',
  fetch: 'fetchMarkPrice',
  may: MARKED | INDEXED,
};
const TICKER_CALL: Call = { fetch: 'fetchTicker', may: MARKED | INDEXED };
const OPEN_CALL: Call = { fetch: 'fetchOpenInterest', may: OPENED };

/** A funding period as ccxt writes it, such as 8h. */
const HOURS = /^(\d{1,3})h$/;
const US_PER_HOUR = 3_600_000_000;

/**
 * Queries once which contract data an exchange reports, and returns the calls that report them: a mark
 * price comes by the stream if there is one. Logs a warning for data that it does not report. The numbers
 * of `exchange` are text.
 */
export async function derivativeSources(
  exchange: CcxtExchange,
  { symbol }: Instrument,
  now: () => number,
  warn: Warn,
): Promise<readonly DerivativeSource[]> {
  const { has } = exchange;
  const calls = has.watchMarkPrice === true ? [MARK_CALL, FUNDING_CALL] : [FUNDING_CALL, MARK_CALL];
  const sources: DerivativeSource[] = [];
  let [reported, failure] = [0, ''];
  for (const call of [...calls, TICKER_CALL, OPEN_CALL]) {
    const isThere = has[call.fetch] === true || has[call.fetch] === 'emulated';
    if (!isThere || (call.may & ~reported) === 0) continue;
    try {
      const bits = bitsOf(await exchange[call.fetch](symbol), now()) & call.may & ~reported;
      if (bits !== 0) sources.push({ ...call, bits });
      reported |= bits;
    } catch (error) {
      const { code, message, cause } = readingError(error);
      // A temporary failure is retried; data that the exchange does not have for this contract are
      // modelled.
      if (code === 'unreachable') throw new MillraceError(code, message, { cause });
      failure = ` ${call.fetch}: ${message}`;
    }
  }
  const missing = NAMES.filter(([bit]) => (reported & bit) === 0).map(([, name]) => name);
  if (missing.length > 0) {
    warn(
      new MillraceError(
        'feed-lacks',
        `${exchange.id} does not report ${missing.join(', ')} of ${symbol} through ccxt; on paper it is modelled.${failure}`,
        { field: 'symbol' },
      ),
    );
  }
  return sources;
}

/** Data that are modelled if not reported; the open interest is not modelled. */
const NAMES = [
  [MARKED, 'the mark price'],
  [INDEXED, 'the index price'],
  [FUNDED, 'the funding rate with its time'],
] as const;

/** The data in an answer. A rate counts if its payment time is known and in the future. */
function bitsOf(given: Given, now: number): number {
  return (
    (decimalOf(given.markPrice)?.greaterThan(0) === true ? MARKED : 0) |
    (decimalOf(given.indexPrice)?.greaterThan(0) === true ? INDEXED : 0) |
    (fundingOf(given, now) === undefined ? 0 : FUNDED) |
    (decimalOf(given.openInterestAmount) === undefined ? 0 : OPENED)
  );
}

/** The rate of the next payment; `undefined` if rate or time is missing, or the payment is past. */
function fundingOf(
  given: Given,
  now: number,
): { readonly rate: Decimal; readonly fundingAt: number; readonly nextAt: number } | undefined {
  const rate = decimalOf(given.fundingRate);
  const fundingAt = timeOf(given.fundingTimestamp);
  if (rate === undefined || fundingAt <= now) return undefined;
  const next = timeOf(given.nextFundingTimestamp);
  const [, hours] = HOURS.exec(String(given.interval)) ?? [];
  const byInterval = hours === undefined ? 0 : fundingAt + Number(hours) * US_PER_HOUR;
  return { rate, fundingAt, nextAt: next > fundingAt ? next : byInterval };
}

const timeOf = (given: unknown): number => {
  const us = Number(given) * US_PER_MS;
  return Number.isSafeInteger(us) && us > 0 ? us : 0;
};

/** Converts contract data of ccxt's calls into rows; of each answer only what its source is used for. */
export class CcxtDerivatives {
  readonly #rows: DerivativeRows;

  constructor(instrument: Instrument, warn: Warn) {
    this.#rows = new DerivativeRows(instrument, warn);
  }

  lose(): void {
    this.#rows.lose();
  }

  take(given: Given, { bits }: DerivativeSource, receivedAt: number, rows: EventRows): void {
    const times = { receivedAt, stampedAt: timeOf(given.timestamp) || receivedAt };
    const derivatives = this.#rows;
    if ((bits & MARKED) !== 0) derivatives.price(MARK, decimalOf(given.markPrice), times, rows);
    if ((bits & INDEXED) !== 0) derivatives.price(INDEX, decimalOf(given.indexPrice), times, rows);
    const funding = (bits & FUNDED) === 0 ? undefined : fundingOf(given, receivedAt);
    if (funding !== undefined) derivatives.rate(funding.rate, funding, times, rows);
    const open = (bits & OPENED) === 0 ? undefined : decimalOf(given.openInterestAmount);
    if (open !== undefined) derivatives.openInterest(open, times, rows);
    rows.end();
  }
}
