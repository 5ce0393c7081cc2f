import { parseDecimal, type Decimal } from '../../../model/decimal.ts';
import { INDEX, MARK } from '../../../model/events.ts';
import { DerivativeRows } from '../../derivative-rows.ts';
import { stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';

/** Most digits of an exact unquoted JSON number. */
const DIGITS_EXACT = 15;

interface Reported {
  readonly mark_price?: unknown;
  readonly index_price?: unknown;
  readonly funding_rate?: unknown;
  readonly next_funding_time?: unknown;
  readonly open_interest?: unknown;
  readonly timestamp?: unknown;
}

/**
 * The service's contract data: mark and index price in each frame, the funding rate and the open interest
 * if they are new. A frame does not depend on earlier ones, so nothing can be missing, and there is no
 * snapshot to wait for.
 */
export class FuturesFeed implements Feed {
  readonly ch = 'futures/info';
  readonly isReady = true;
  readonly mayBeEmpty = false;
  readonly isWaiting = false;
  readonly #subscriptions: MarketSubscriptions;
  readonly #derivatives: DerivativeRows;

  constructor(subscriptions: MarketSubscriptions) {
    this.#subscriptions = subscriptions;
    const { instrument } = subscriptions;
    this.#derivatives = new DerivativeRows(instrument, (warning) => subscriptions.warn(warning));
  }

  take(_part: 'snapshot' | 'update', payload: unknown, receivedAt: number): boolean {
    const reported = payload as Reported | null;
    if (typeof reported !== 'object' || reported === null) return false;
    const stampedAt = stampOf(reported.timestamp);
    const [mark, index] = [numberOf(reported.mark_price), numberOf(reported.index_price)];
    const [rate, open] = [numberOf(reported.funding_rate), numberOf(reported.open_interest)];
    const paidAt = reported.next_funding_time ?? undefined;
    const fundingAt = paidAt === undefined ? 0 : stampOf(paidAt);
    if (mark === null || index === null || rate === null || open === null) return false;
    if (!(stampedAt >= 0) || !(fundingAt >= 0)) return false;
    const { rows } = this.#subscriptions;
    rows.clear();
    const times = { receivedAt, stampedAt };
    this.#derivatives.price(MARK, mark, times, rows);
    this.#derivatives.price(INDEX, index, times, rows);
    if (rate !== undefined) this.#derivatives.rate(rate, { fundingAt, nextAt: 0 }, times, rows);
    if (open !== undefined) this.#derivatives.openInterest(open, times, rows);
    if (rows.length === 0) return true;
    rows.end();
    this.#subscriptions.emit();
    return true;
  }

  lose(): void {
    this.#derivatives.lose();
  }

  close(): void {
    this.lose();
  }
}

/** `undefined` if it is absent, null if it is no number. */
function numberOf(given: unknown): Decimal | null | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return parseDecimal(given) ?? null;
  if (typeof given !== 'number') return null;
  // A number with more digits was rounded when the JSON was read.
  const text = String(given);
  if (text.replace(/e.*$/, '').replaceAll(/\D/g, '').length > DIGITS_EXACT) return null;
  return parseDecimal(text) ?? null;
}
