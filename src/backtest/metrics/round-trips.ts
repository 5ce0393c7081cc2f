import { Amount, NOTHING } from '../../model/amount.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { ForcedClose } from '../result.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { SuffixMinimum } from './extremes.ts';
import type { FillWithCause } from './forced-fill.ts';
import type { Mark } from './mark.ts';

/**
 * A round trip: lots of one entry order closed by one exit order, first in, first out. Initial
 * holdings belong to no trip, so the first sale of a strategy that starts with base currency opens
 * a short trip. All money is in the quote currency and exact.
 */
export interface RoundTrip {
  readonly instrument: Instrument;
  readonly side: 'long' | 'short';
  /** Margin mode; `undefined` for spot. */
  readonly margin: MarginMode | undefined;
  /** How the venue closed it, if no order of the strategy did. */
  readonly forced: ForcedClose | undefined;
  readonly entryOrder: string;
  readonly exitOrder: string;
  readonly openedAt: Micros;
  readonly closedAt: Micros;
  readonly lots: Lots;
  readonly entryValue: Amount;
  readonly exitValue: Amount;
  /** Fees of both sides, those in base currency at the price of their fill. */
  readonly fees: Amount;
  /** Index among the trips of all symbols: by the first fill that closed any of its lots. */
  readonly index: number;
  /** Value of its quote currency in the equity currency at its end. */
  readonly rate: Amount;
  /** Exit less entry (long) or entry less exit (short), before fees. */
  readonly gross: Amount;
  readonly net: Amount;
  /** Worst PnL while it was open, at the market's worst price, before fees: zero or negative. */
  readonly mae: Amount;
  /** Best PnL while it was open, at the market's best price, before fees: zero or positive. */
  readonly mfe: Amount;
}

/** Open lots of one fill. */
interface OpenLots {
  readonly entryOrder: string;
  readonly side: 'long' | 'short';
  readonly ticks: Ticks;
  readonly at: Micros;
  /** Index of its first price among the excursions. */
  readonly index: number;
  lots: number;
  /** Fee share of these lots. */
  fee: Amount;
}

/** A trip that further fills of the same two orders may still add to. */
interface Growing {
  readonly first: OpenLots;
  readonly exitOrder: string;
  readonly margin: MarginMode | undefined;
  readonly forced: ForcedClose | undefined;
  readonly index: number;
  rate: Amount;
  closedAt: Micros;
  lots: number;
  entryValue: Amount;
  exitValue: Amount;
  fees: Amount;
  low: number;
  high: number;
}

/** Collects round trips of several instruments. */
export interface TripHost {
  /** Returns the index of a trip that begins to close. */
  nextIndex(): number;
  /** Value of a unit of the quote currency in the equity currency now. */
  rate(): Amount;
  /** Called for an ended trip, possibly later than its end. */
  closed(trip: RoundTrip): void;
}

/** Pairs the fills of one instrument into round trips as they come. */
export class RoundTrips {
  readonly #mark: Mark;
  readonly #instrument: Instrument;
  /** Value of half a tick times a lot. */
  readonly #half: Amount;
  readonly #host: TripHost;
  #open: OpenLots[] = [];
  #head = 0;
  #growing: Growing | undefined;
  readonly #lows = new SuffixMinimum();
  /** Highs with their sign reversed, so that the least is the highest. */
  readonly #highs = new SuffixMinimum();

  constructor(mark: Mark, host: TripHost) {
    this.#mark = mark;
    this.#instrument = mark.instrument;
    this.#half = Amount.units(5, 1).times(this.#instrument.tickValueAmount);
    this.#host = host;
  }

  /** Adds the next fill; fills come in order of time. */
  fill(fill: FillWithCause): void {
    this.#noteRange(2 * fill.ticks);
    const side = fill.side === 'buy' ? 'long' : 'short';
    let left: number = fill.lots;
    let fee = this.#feeInQuote(fill);
    while (left > 0 && this.#head < this.#open.length && this.#open[this.#head].side !== side) {
      const entry = this.#open[this.#head];
      const lots = Math.min(left, entry.lots);
      const exitFee = share(fee, lots, left);
      const entryFee = share(entry.fee, lots, entry.lots);
      this.#match(entry, fill, lots, entryFee.plus(exitFee));
      fee = fee.minus(exitFee);
      entry.fee = entry.fee.minus(entryFee);
      entry.lots -= lots;
      left -= lots;
      if (entry.lots === 0) this.#dropFirst();
    }
    if (left > 0) {
      const index = this.#lows.length - 1;
      const { clientOrderId: entryOrder, ticks, at } = fill;
      this.#open.push({ entryOrder, side, ticks, at, index, lots: left, fee });
    }
  }

  /**
   * Records the range of prices since the last call, before another fill at the same price starts a
   * new range.
   */
  startRange(): void {
    this.#lows.push(this.#mark.excursionLow);
    this.#highs.push(-this.#mark.excursionHigh);
  }

  /** Emits the last trip; called once, after the last fill. */
  finish(): void {
    this.#handOver();
  }

  /** Open lots, negative for a short. */
  openLots(): number {
    let sum = 0;
    for (const { side, lots } of this.#open.slice(this.#head)) {
      sum += side === 'long' ? lots : -lots;
    }
    return sum;
  }

  /**
   * Unrealized PnL of the open lots at a price, less the fees of their entries; zero while the
   * price is unknown.
   */
  unrealized(price = this.#mark.amount()): Amount {
    if (price === undefined) return NOTHING;
    let sum = NOTHING;
    for (const { side, ticks, lots, fee } of this.#open.slice(this.#head)) {
      const now = price.times(this.#instrument.sizeAmount(lots as Lots));
      const then = this.#instrument.valueAmount(ticks, lots as Lots);
      sum = sum.plus(side === 'long' ? now.minus(then) : then.minus(now)).minus(fee);
    }
    return sum;
  }

  /** Notes the range of prices since the last fill, with the price of this fill. */
  #noteRange(halfTicks: number): void {
    this.#lows.push(Math.min(this.#mark.excursionLow, halfTicks));
    this.#highs.push(-Math.max(this.#mark.excursionHigh, halfTicks));
    this.#mark.startExcursion();
    // The price of the fill counts for the lots it opens, earlier prices do not.
    this.#lows.push(halfTicks);
    this.#highs.push(-halfTicks);
  }

  #match(entry: OpenLots, exit: FillWithCause, lots: number, fees: Amount): void {
    const entryValue = this.#instrument.valueAmount(entry.ticks, lots as Lots);
    const exitValue = this.#instrument.valueAmount(exit.ticks, lots as Lots);
    const trip = this.#growing;
    if (
      trip === undefined ||
      trip.exitOrder !== exit.clientOrderId ||
      trip.first.entryOrder !== entry.entryOrder ||
      trip.first.side !== entry.side
    ) {
      this.#handOver();
      this.#growing = {
        first: entry,
        exitOrder: exit.clientOrderId,
        margin: exit.margin,
        forced: exit.forced,
        index: this.#host.nextIndex(),
        rate: this.#host.rate(),
        closedAt: exit.at,
        lots,
        entryValue,
        exitValue,
        fees,
        low: this.#lows.from(entry.index),
        high: -this.#highs.from(entry.index),
      };
      return;
    }
    trip.closedAt = exit.at;
    trip.rate = this.#host.rate();
    trip.lots += lots;
    trip.entryValue = trip.entryValue.plus(entryValue);
    trip.exitValue = trip.exitValue.plus(exitValue);
    trip.fees = trip.fees.plus(fees);
    trip.low = this.#lows.from(trip.first.index);
    trip.high = -this.#highs.from(trip.first.index);
  }

  #handOver(): void {
    const trip = this.#growing;
    if (trip === undefined) return;
    this.#growing = undefined;
    const { first, entryValue, exitValue, fees } = trip;
    const long = first.side === 'long';
    const gross = difference(long, exitValue, entryValue);
    const atLow = this.#half.timesCounts(trip.low, trip.lots);
    const atHigh = this.#half.timesCounts(trip.high, trip.lots);
    const worst = difference(long, long ? atLow : atHigh, entryValue);
    const best = difference(long, long ? atHigh : atLow, entryValue);
    this.#host.closed({
      instrument: this.#instrument,
      side: first.side,
      entryOrder: first.entryOrder,
      exitOrder: trip.exitOrder,
      margin: trip.margin,
      forced: trip.forced,
      index: trip.index,
      rate: trip.rate,
      openedAt: first.at,
      closedAt: trip.closedAt,
      lots: trip.lots as Lots,
      entryValue,
      exitValue,
      fees,
      gross,
      net: gross.minus(fees),
      mae: worst.sign < 0 ? worst : NOTHING,
      mfe: best.sign > 0 ? best : NOTHING,
    });
  }

  #feeInQuote(fill: FillWithCause): Amount {
    const { fee } = fill;
    if (fill.feeCurrency === this.#instrument.quoteCurrency) return fee;
    return fee.times(this.#instrument.tickAmount.timesCount(fill.ticks));
  }

  #dropFirst(): void {
    this.#head += 1;
    if (this.#head > 1_024 && this.#head * 2 > this.#open.length) {
      this.#open = this.#open.slice(this.#head);
      this.#head = 0;
    }
  }
}

/** PnL of a holding with value `then` before and `now` after; the reverse for a short. */
const difference = (isLong: boolean, now: Amount, then: Amount): Amount =>
  isLong ? now.minus(then) : then.minus(now);

/**
 * Fee share of `lots` of `all`: exact for a fee proportional to the value, and complete, since the
 * last part takes the rest.
 */
const share = (fee: Amount, lots: number, all: number): Amount =>
  lots === all ? fee : fee.timesCount(lots).dividedBy(all);
