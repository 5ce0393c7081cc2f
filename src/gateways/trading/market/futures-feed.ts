import { brief, parseDecimal, type Decimal } from '../../../model/decimal.ts';
import { splitRate, splitSteps } from '../../../model/derivative.ts';
import { MillraceError } from '../../../model/errors.ts';
import { FUNDING, INDEX, MARK, OPEN_INTEREST } from '../../../model/events.ts';
import { stampOf, type MarketSubscriptions, type Feed } from './subscriptions.ts';

/** Numbers that JSON writes without quotes are exact up to so many digits. */
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
 * What the service says of a contract beside its market, told whole each time: mark and index price each
 * time, the funding rate and the open interest where they are new. A frame says nothing about those
 * before it, so nothing can be missing, and there is no snapshot to wait for.
 */
export class FuturesFeed implements Feed {
  readonly ch = 'futures/info';
  readonly isReady = true;
  readonly mayBeEmpty = false;
  readonly isWaiting = false;
  readonly #subscriptions: MarketSubscriptions;
  #funding = '';
  #openInterest = '';
  #warned = false;

  constructor(subscriptions: MarketSubscriptions) {
    this.#subscriptions = subscriptions;
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
    this.#price(MARK, 'mark price', mark, receivedAt, stampedAt);
    this.#price(INDEX, 'index price', index, receivedAt, stampedAt);
    if (rate !== undefined) this.#rate(rate, fundingAt, receivedAt, stampedAt);
    if (open !== undefined) this.#open(open, receivedAt, stampedAt);
    if (rows.length === 0) return true;
    rows.end();
    this.#subscriptions.emit();
    return true;
  }

  lose(): void {
    // What has not changed meanwhile is told again, as nobody knows what was missed.
    this.#funding = '';
    this.#openInterest = '';
  }

  close(): void {
    this.lose();
  }

  /** Before a price is known services say nothing, or 0. */
  #price(
    kind: typeof MARK | typeof INDEX,
    what: string,
    price: Decimal | undefined,
    receivedAt: number,
    stampedAt: number,
  ): void {
    if (price === undefined || price.isZero()) return;
    const split = splitSteps(price, this.#subscriptions.instrument.tickSize);
    if (split === undefined) this.#unfit(what, price);
    else {
      this.#subscriptions.rows.add(
        receivedAt,
        stampedAt,
        kind,
        0,
        0,
        split.whole,
        split.rest,
        0,
        0,
        0,
      );
    }
  }

  #rate(rate: Decimal, fundingAt: number, receivedAt: number, stampedAt: number): void {
    const split = splitRate(rate);
    if (split === undefined) {
      this.#unfit('funding rate', rate);
      return;
    }
    const { whole, rest } = split;
    const key = `${whole} ${rest} ${fundingAt}`;
    if (key === this.#funding) return;
    this.#funding = key;
    this.#subscriptions.rows.add(
      receivedAt,
      stampedAt,
      FUNDING,
      0,
      0,
      whole,
      rest,
      fundingAt,
      0,
      0,
    );
  }

  #open(open: Decimal, receivedAt: number, stampedAt: number): void {
    const split = splitSteps(open, this.#subscriptions.instrument.quantityIncrement);
    if (split === undefined) {
      this.#unfit('open interest', open);
      return;
    }
    const { whole, rest } = split;
    const key = `${whole} ${rest}`;
    if (key === this.#openInterest) return;
    this.#openInterest = key;
    this.#subscriptions.rows.add(receivedAt, stampedAt, OPEN_INTEREST, 0, 0, rest, whole, 0, 0, 0);
  }

  /** A number that no row holds exactly is left out; that is warned of once. */
  #unfit(what: string, value: Decimal): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#subscriptions.warn(
      new MillraceError(
        'off-grid',
        `The service told a ${what} of ${this.#subscriptions.instrument.symbol}, ${brief(value)}, that cannot be kept exactly; it is left out, and others like it will be without a word.`,
        { field: what },
      ),
    );
  }
}

/** `undefined` where nothing is said, null for what is no number. */
function numberOf(given: unknown): Decimal | null | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string') return parseDecimal(given) ?? null;
  if (typeof given !== 'number') return null;
  // A number with more digits was rounded when the JSON was read.
  const text = String(given);
  if (text.replace(/e.*$/, '').replaceAll(/\D/g, '').length > DIGITS_EXACT) return null;
  return parseDecimal(text) ?? null;
}
