import { Decimal, parseDecimal } from '../../model/decimal.ts';
import { splitRate, splitSteps, type SplitNumber } from '../../model/derivative.ts';
import { MillraceError } from '../../model/errors.ts';
import { FUNDING, INDEX, LAST, MARK, OPEN_INTEREST } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import type { RowSink } from '../row-sink.ts';
import type { ImportCounts } from './contract.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './row-position.ts';

/** Contract data in one message of a venue; numbers are decimal text. */
export interface DerivativeNews {
  readonly receivedAt: number;
  readonly stampedAt: number;
  /** Absent or empty if the message does not have it, like all that follow. */
  readonly mark?: string | undefined;
  readonly index?: string | undefined;
  readonly rate?: string | undefined;
  /** When the rate is paid, and the next payment, in microseconds; 0 if unknown. */
  readonly fundingAt?: number | undefined;
  readonly nextFundingAt?: number | undefined;
  readonly openInterest?: string | undefined;
}

type Named = 'mark price' | 'index price' | 'open interest';

const GRIDS: Readonly<Record<Named, { readonly steps: string; readonly flag: string }>> = {
  'mark price': { steps: 'ticks', flag: '--tick-size' },
  'index price': { steps: 'ticks', flag: '--tick-size' },
  'open interest': { steps: 'lots', flag: '--quantity-increment' },
};

/**
 * Writes contract data as exact rows. Files of whole states repeat unchanged values: with `repeats` only
 * new ones are written.
 */
export class Derivatives {
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #tick: Decimal;
  readonly #lot: Decimal;
  readonly #repeats: boolean;
  /** The last written value of each kind. */
  readonly #latest = new Map<number, string>();
  /** The rows of the present message: kind, price, size and the two others. */
  readonly #rows: (readonly [number, number, number, number, number])[] = [];
  readonly #counts = { marks: 0, indexes: 0, fundings: 0, openInterests: 0, emptyReadings: 0 };

  constructor(terms: InstrumentTerms, sink: RowSink, position: RowPosition, repeats: boolean) {
    this.#sink = sink;
    this.#position = position;
    this.#tick = new Decimal(terms.tickSize);
    this.#lot = new Decimal(terms.quantityIncrement);
    this.#repeats = repeats;
  }

  take(news: DerivativeNews): void {
    const { mark, index, rate, openInterest } = news;
    if (isReported(mark)) this.#price(MARK, 'mark price', mark);
    if (isReported(index)) this.#price(INDEX, 'index price', index);
    if (isReported(rate)) this.#funding(rate, news.fundingAt ?? 0, news.nextFundingAt ?? 0);
    if (isReported(openInterest)) this.#openInterest(openInterest);
    const last = this.#rows.length - 1;
    for (const [at, [kind, price, size, askPrice, askSize]] of this.#rows.entries()) {
      const flags = at === last ? LAST : 0;
      const { receivedAt, stampedAt } = news;
      this.#sink.row(receivedAt, stampedAt, kind, flags, 0, price, size, askPrice, askSize, 0);
    }
    this.#rows.length = 0;
  }

  counts(): Partial<ImportCounts> {
    return this.#counts;
  }

  /** Venues write 0 before a price is known. */
  #price(kind: typeof MARK | typeof INDEX, name: Named, text: string): void {
    const { whole, rest } = this.#steps(name, text, this.#tick);
    if (whole === 0 && rest === 0) {
      this.#counts.emptyReadings += 1;
      return;
    }
    if (!this.#isNew(kind, `${whole} ${rest}`)) return;
    this.#rows.push([kind, whole, rest, 0, 0]);
    if (kind === MARK) this.#counts.marks += 1;
    else this.#counts.indexes += 1;
  }

  /** A market without any open interest is a failed read. */
  #openInterest(text: string): void {
    const { whole, rest } = this.#steps('open interest', text, this.#lot);
    if (whole === 0 && rest === 0) {
      this.#counts.emptyReadings += 1;
      return;
    }
    if (!this.#isNew(OPEN_INTEREST, `${whole} ${rest}`)) return;
    this.#rows.push([OPEN_INTEREST, rest, whole, 0, 0]);
    this.#counts.openInterests += 1;
  }

  #funding(text: string, at: number, next: number): void {
    const rate = this.#decimal('funding rate', text);
    const split = splitRate(rate);
    if (split === undefined) {
      throw new MillraceError(
        'off-grid',
        `${this.#position.toString()}: the funding rate ${text} has more than 18 decimals, or is beyond all rates; a recording holds rates of whole 1e-18.`,
        { where: this.#position.toString(), field: 'fundingRate' },
      );
    }
    const { whole, rest } = split;
    // A rate belongs to its payment, so an earlier one is not new.
    const key = `${whole} ${rest} ${at} ${next}`;
    if (this.#latest.get(FUNDING) === key) return;
    this.#latest.set(FUNDING, key);
    this.#rows.push([FUNDING, whole, rest, at, next]);
    this.#counts.fundings += 1;
  }

  #isNew(kind: number, key: string): boolean {
    if (this.#repeats && this.#latest.get(kind) === key) return false;
    this.#latest.set(kind, key);
    return true;
  }

  #steps(name: Named, text: string, step: Decimal): SplitNumber {
    const value = this.#decimal(name, text);
    if (value.isNegative()) {
      throw this.#position.malformed(`the ${name} ${shown(text)} is negative`, 'zero or more');
    }
    const split = splitSteps(value, step);
    if (split !== undefined) return split;
    const where = this.#position.toString();
    const { steps, flag } = GRIDS[name];
    throw new MillraceError(
      'off-grid',
      `${where}: ${name} ${text} cannot be written exactly in ${steps} of ${step.toFixed()} and parts of 1e-15; give a ${flag} that fits.`,
      { where, field: name },
    );
  }

  #decimal(name: string, text: string): Decimal {
    const value = parseDecimal(text);
    if (value !== undefined) return value;
    throw this.#position.malformed(`the ${name} ${shown(text)}`, 'a decimal number');
  }
}

const isReported = (text: string | undefined): text is string => text !== undefined && text !== '';
