import { Decimal } from '../../model/decimal.ts';
import { joinSteps, type SplitNumber } from '../../model/derivative.ts';
import type { Instrument } from '../../model/instrument.ts';
import { markSteps } from '../../rules/margin/mark-price.ts';
import { quotient, RATE_PLACES } from '../../rules/margin/quotient.ts';
import type { BookSource } from '../market-data/book-source.ts';
import { NONE } from '../orders/orders.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { Contract } from './contract.ts';
import { decimalOf, finePriceOf } from './fine-price.ts';

const NO_KEY = Number.NEGATIVE_INFINITY;

/**
 * Prices that positions are checked by, in half ticks, so that a mid price is exact, and in parts
 * of a tick beyond them, for mark prices of a venue. For a spot symbol it is its index: the mid
 * price, or the last trade if a side is empty. For a contract it is the mark price: as sent, else
 * from a fed index, else that of the spot symbol of the same currencies, else the mid price of its
 * own book.
 */
export class MarkPrices {
  readonly #instruments: readonly Instrument[];
  readonly #sources: readonly BookSource[];
  readonly #last: Float64Array;
  readonly #contracts: readonly (Contract | undefined)[];
  /** By instrument: the price in half ticks, 0 while unknown. */
  readonly #halves: Float64Array;
  /** By instrument: the rest of the price in parts, 0 unless a venue sent it. */
  readonly #parts: Float64Array;
  /** By instrument: both values at the last call of `hasMoved`. */
  readonly #seen: Float64Array;
  readonly #seenParts: Float64Array;
  readonly #indices: (Decimal | undefined)[];
  /** By contract: an index as sent, whose decimal has not been read yet. */
  readonly #reportedIndices: (SplitNumber | undefined)[];
  /** By contract: the mid price in half ticks that its index was computed from. */
  readonly #followed: Float64Array;
  readonly #isFed: boolean[];
  /** By contract: true if the venue sends its mark price. */
  readonly #isReported: boolean[];
  /**
   * All instruments; and by instrument those whose price follows from its market: itself and its
   * contracts.
   */
  readonly all: readonly number[];
  readonly dependents: readonly (readonly number[])[];
  /** By contract: the spot symbol of its index, NONE without one. */
  readonly #underlying: readonly number[];

  constructor(
    instruments: readonly Instrument[],
    sources: readonly BookSource[],
    last: Float64Array,
    contracts: readonly (Contract | undefined)[],
  ) {
    this.#instruments = instruments;
    this.#sources = sources;
    this.#last = last;
    this.#contracts = contracts;
    this.#halves = new Float64Array(instruments.length);
    this.#parts = new Float64Array(instruments.length);
    this.#seen = new Float64Array(instruments.length);
    this.#seenParts = new Float64Array(instruments.length);
    this.#followed = new Float64Array(instruments.length);
    this.#indices = instruments.map(() => undefined);
    this.#reportedIndices = instruments.map(() => undefined);
    this.#isFed = instruments.map(() => false);
    this.#isReported = instruments.map(() => false);
    this.#underlying = instruments.map((instrument) => underlyingOf(instrument, instruments));
    this.all = instruments.map((_, index) => index);
    this.dependents = this.all.map((index) =>
      this.all.filter((other) => other === index || this.#underlying[other] === index),
    );
  }

  /** True if the price of an instrument has changed since the last call. */
  hasMoved(instrument: number): boolean {
    const half = this.#halves[instrument];
    const parts = this.#parts[instrument];
    if (half === this.#seen[instrument] && parts === this.#seenParts[instrument]) return false;
    this.#seen[instrument] = half;
    this.#seenParts[instrument] = parts;
    return true;
  }

  /** False until there is a price. */
  isKnown(instrument: number): boolean {
    return this.#halves[instrument] + this.#parts[instrument] > 0;
  }

  /** The price in whole half ticks. */
  half(instrument: number): number {
    return this.#halves[instrument];
  }

  /** The rest of the price in 1e-15 of a tick. */
  parts(instrument: number): number {
    return this.#parts[instrument];
  }

  /** The price as a decimal. */
  price(instrument: number): Decimal | undefined {
    if (!this.isKnown(instrument)) return undefined;
    const { tickSize } = this.#instruments[instrument];
    return decimalOf(this.#halves[instrument], this.#parts[instrument], tickSize);
  }

  /** Index of a contract, mid price of a spot symbol. */
  index(instrument: number): Decimal | undefined {
    if (this.#contracts[instrument] === undefined) return this.price(instrument);
    const reported = this.#reportedIndices[instrument];
    if (reported !== undefined) {
      this.#reportedIndices[instrument] = undefined;
      this.#indices[instrument] = joinSteps(reported, this.#instruments[instrument].tickSize);
    }
    return this.#indices[instrument];
  }

  /** Sets the index of a contract; from then on it does not follow a market. */
  feed(instrument: number, index: Decimal): void {
    this.#isFed[instrument] = true;
    this.#indices[instrument] = index;
    this.#reportedIndices[instrument] = undefined;
  }

  /**
   * Sets an index that a venue sent, in ticks and parts of one; a value not above zero is ignored.
   */
  emitIndex(instrument: number, ticks: number, parts: number): void {
    if (!(ticks + parts > 0)) return;
    this.#isFed[instrument] = true;
    this.#reportedIndices[instrument] = { whole: ticks, rest: parts };
  }

  /** Sets a mark price that the venue sent; from then on it is not computed. */
  emitMark(instrument: number, ticks: number, parts: number): void {
    if (!(ticks + parts > 0)) return;
    const price = finePriceOf(ticks, parts);
    this.#isReported[instrument] = true;
    this.#halves[instrument] = price.half;
    this.#parts[instrument] = price.parts;
  }

  /** Reads the market again; keeps the last price if there is none now. */
  refresh(instrument: number, now: number): void {
    const contract = this.#contracts[instrument];
    if (this.#isReported[instrument]) {
      // The index may still follow the market; it is sampled.
      if (!this.#isFed[instrument]) this.#follow(instrument);
      return;
    }
    const half =
      contract === undefined ? this.#middle(instrument) : this.#mark(contract, instrument, now);
    if (half !== 0) this.#halves[instrument] = half;
  }

  #mark(contract: Contract, instrument: number, now: number): number {
    if (!this.#isFed[instrument]) this.#follow(instrument);
    const index = this.index(instrument);
    if (index === undefined) return 0;
    const left = contract.nextFundingAt - now;
    const untilFundingUs = Number.isFinite(left) ? Math.max(0, left) : 0;
    const { tickSize } = this.#instruments[instrument];
    const { fundingRate, periodUs } = contract;
    return 2 * markSteps(index, fundingRate, untilFundingUs, tickSize, periodUs).toNumber();
  }

  /** Sets the index from its market, if that has a price. */
  #follow(instrument: number): void {
    const from = this.#underlying[instrument] === NONE ? instrument : this.#underlying[instrument];
    const half = this.#middle(from);
    if (half !== 0 && half !== this.#followed[instrument]) {
      this.#followed[instrument] = half;
      this.#indices[instrument] = decimalOf(half, 0, this.#instruments[from].tickSize);
    }
  }

  #middle(instrument: number): number {
    const source = this.#sources[instrument];
    source.start(BUY);
    const bid = source.key;
    source.start(SELL);
    const ask = source.key;
    return bid === NO_KEY || ask === NO_KEY ? 2 * this.#last[instrument] : bid - ask;
  }
}

function underlyingOf(contract: Instrument, instruments: readonly Instrument[]): number {
  if (!contract.isContract) return NONE;
  return instruments.findIndex(
    ({ terms }) =>
      terms.type === 'spot' &&
      terms.baseCurrency === contract.baseCurrency &&
      terms.quoteCurrency === contract.quoteCurrency,
  );
}

/**
 * Average price of an order of this value against a side of a book; of the whole side if that holds
 * less, undefined if it is empty.
 */
export function impactPrice(
  terms: Instrument,
  source: BookSource,
  side: number,
  value: Decimal,
): Decimal | undefined {
  let paid = new Decimal(0);
  let size = new Decimal(0);
  source.start(side);
  while (source.key !== NO_KEY && paid.lessThan(value)) {
    const ticks = Math.abs(source.key);
    const price = terms.tickSize.times(ticks);
    const lots = terms.quantityIncrement.times(source.lots(side, ticks));
    const whole = price.times(lots);
    const rest = value.minus(paid);
    if (whole.greaterThan(rest)) return averageOf(value.times(price), size.times(price).plus(rest));
    paid = paid.plus(whole);
    size = size.plus(lots);
    source.pass();
  }
  return size.isZero() ? undefined : averageOf(paid, size);
}

/** To 18 decimals, half up. */
const averageOf = (paid: Decimal, size: Decimal): Decimal =>
  quotient(paid, size, RATE_PLACES, 'near');
