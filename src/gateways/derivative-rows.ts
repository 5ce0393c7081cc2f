import { brief, type Decimal } from '../model/decimal.ts';
import { splitRate, splitSteps } from '../model/derivative.ts';
import { MillraceError, type Warn } from '../model/errors.ts';
import { FUNDING, MARK, OPEN_INTEREST, type INDEX } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { EventRows } from './rows.ts';

/** When something was received, and when its venue stamped it; microseconds. */
export interface RowTimes {
  readonly receivedAt: number;
  readonly stampedAt: number;
}

/** When a rate is paid, and when the next payment is; 0 if unknown. */
export interface FundingTimes {
  readonly fundingAt: number;
  readonly nextAt: number;
}

/**
 * Rows of a contract's data: mark and index price each time, funding rate and open interest if they are
 * new. A number that no row holds exactly is left out with a warning, logged once.
 */
export class DerivativeRows {
  readonly #instrument: Instrument;
  readonly #warn: Warn;
  #funding = '';
  #openInterest = '';
  #warned = false;

  constructor(instrument: Instrument, warn: Warn) {
    this.#instrument = instrument;
    this.#warn = warn;
  }

  /** Unchanged values are emitted again, as it is unknown what was missed. */
  lose(): void {
    this.#funding = '';
    this.#openInterest = '';
  }

  /** Before a price is known venues send nothing, or 0. */
  price(
    kind: typeof MARK | typeof INDEX,
    price: Decimal | undefined,
    times: RowTimes,
    rows: EventRows,
  ): void {
    // prettier-ignore
    if (price === undefined || price.isZero()) return;
    const split = splitSteps(price, this.#instrument.tickSize);
    if (split === undefined) {
      this.#unfit(kind === MARK ? 'mark price' : 'index price', price);
      return;
    }
    const { receivedAt, stampedAt } = times;
    rows.add(receivedAt, stampedAt, kind, 0, 0, split.whole, split.rest, 0, 0, 0);
  }

  rate(rate: Decimal, paid: FundingTimes, times: RowTimes, rows: EventRows): void {
    const split = splitRate(rate);
    if (split === undefined) {
      this.#unfit('funding rate', rate);
      return;
    }
    const { whole, rest } = split;
    const { fundingAt, nextAt } = paid;
    const key = `${whole} ${rest} ${fundingAt} ${nextAt}`;
    if (key === this.#funding) return;
    this.#funding = key;
    const { receivedAt, stampedAt } = times;
    rows.add(receivedAt, stampedAt, FUNDING, 0, 0, whole, rest, fundingAt, nextAt, 0);
  }

  openInterest(open: Decimal, times: RowTimes, rows: EventRows): void {
    const split = splitSteps(open, this.#instrument.quantityIncrement);
    if (split === undefined) {
      this.#unfit('open interest', open);
      return;
    }
    const { whole, rest } = split;
    const key = `${whole} ${rest}`;
    if (key === this.#openInterest) return;
    this.#openInterest = key;
    const { receivedAt, stampedAt } = times;
    rows.add(receivedAt, stampedAt, OPEN_INTEREST, 0, 0, rest, whole, 0, 0, 0);
  }

  #unfit(what: string, value: Decimal): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#warn(
      new MillraceError(
        'off-grid',
        `The service sent a ${what} of ${this.#instrument.symbol}, ${brief(value)}, that cannot be kept exactly; it is left out, and others like it will be without a warning.`,
        { field: what },
      ),
    );
  }
}
