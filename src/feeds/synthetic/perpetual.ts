import { DepthFeed } from '../../model/depth-feed.ts';
import { PARTS, RATE_UNITS } from '../../model/derivative.ts';
import {
  eventColumns,
  FUNDING,
  INDEX,
  LAST,
  MARK,
  OPEN_INTEREST,
  type EventColumns,
} from '../../model/events.ts';
import type { Random } from '../../platform/random.ts';
import { US_PER_HOUR, US_PER_SECOND } from '../../platform/time.ts';
import type { RowSink } from '../row-sink.ts';
import type { PerpetualParameters } from './parameters.ts';
import { stepOrnsteinUhlenbeck } from './value.ts';

/** Index and mark lie between ticks, on so many-eth of one. */
const FINE = 1e6;
const REST_OF_FINE = PARTS / FINE;
/** The rate of a period without a premium, and how far the premium may pull it before it moves. */
const INTEREST_RATE = 1e-4;
const CLAMP = 5e-4;

/**
 * Emits a perpetual beside a made-up market, whose rows it hands on as they are: an index that the market
 * pays a premium over, which comes back to zero; the funding rate that follows from the mean of the premiums
 * of the period before; the mark price, index × (1 + rate × what is left of the period); the open interest.
 * Its chance is its own, so that the market is the one that it would be without.
 */
export class Perpetual implements RowSink {
  readonly #sink: RowSink;
  readonly #random: Random;
  readonly #parameters: PerpetualParameters;
  readonly #delayUs: number;
  readonly #book = new DepthFeed();
  readonly #columns: EventColumns = eventColumns(1);
  /** The stamp of the next row. */
  #nextAt: number;
  #premium = 0;
  /** Premiums of the period under way. */
  #sum = 0;
  #samples = 0;
  #fundingAt = 0;
  #rate = INTEREST_RATE;
  #openLots: number;
  #reportedRate = Number.NaN;
  #reportedAt = 0;

  constructor(
    sink: RowSink,
    random: Random,
    parameters: PerpetualParameters,
    startAt: number,
    delayUs: number,
  ) {
    this.#sink = sink;
    this.#random = random;
    this.#parameters = parameters;
    this.#delayUs = delayUs;
    this.#nextAt = Math.ceil(startAt / US_PER_SECOND) * US_PER_SECOND;
    this.#fundingAt = this.#paymentAfter(startAt);
    this.#openLots = parameters.openInterestLots;
  }

  row(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    open: number,
  ): void {
    // Rows of one message are received at one time, so that nothing comes between them.
    while (this.#nextAt + this.#delayUs <= receivedAt) {
      this.#emit(this.#nextAt);
      this.#nextAt += this.#parameters.markSeconds * US_PER_SECOND;
    }
    const columns = this.#columns;
    columns.kind[0] = kind;
    columns.flags[0] = flags;
    columns.sequence[0] = sequence;
    columns.price[0] = price;
    columns.size[0] = size;
    this.#book.apply(columns, 0);
    this.#sink.row(
      receivedAt,
      stampedAt,
      kind,
      flags,
      sequence,
      price,
      size,
      askPrice,
      askSize,
      open,
    );
  }

  #paymentAfter(at: number): number {
    const periodUs = this.#parameters.fundingHours * US_PER_HOUR;
    return (Math.floor(at / periodUs) + 1) * periodUs;
  }

  #emit(at: number): void {
    const { bids, asks, stale } = this.#book.depth;
    if (stale || bids.length === 0 || asks.length === 0) return;
    const { premiumSigma, premiumSeconds, markSeconds, fundingHours } = this.#parameters;
    if (at >= this.#fundingAt) this.#pay(at);
    const random = this.#random;
    this.#premium = stepOrnsteinUhlenbeck(
      random,
      this.#premium,
      premiumSigma,
      markSeconds / premiumSeconds,
    );
    this.#sum += this.#premium;
    this.#samples += 1;
    const middle = (bids.ticksAt(0) + asks.ticksAt(0)) / 2;
    const index = Math.max(1, Math.floor((middle / (1 + this.#premium)) * FINE));
    const left = (this.#fundingAt - at) / (fundingHours * US_PER_HOUR);
    const mark = Math.max(1, Math.floor(index * (1 + this.#rate * left)));
    const isNewRate = this.#rate !== this.#reportedRate || this.#fundingAt !== this.#reportedAt;
    const step = Math.round(this.#parameters.openInterestStepLots * random.normal());
    this.#openLots = Math.max(1, this.#openLots + step);
    this.#send(at, MARK, 0, ...split(mark));
    this.#send(at, INDEX, 0, ...split(index));
    if (isNewRate) this.#fund(at);
    this.#send(at, OPEN_INTEREST, LAST, 0, this.#openLots);
  }

  /** The rate of the period that ended is paid, and the next one is fixed. */
  #pay(at: number): void {
    const mean = this.#samples === 0 ? 0 : this.#sum / this.#samples;
    const pulled = Math.min(CLAMP, Math.max(-CLAMP, INTEREST_RATE - mean));
    this.#rate = Math.round((mean + pulled) * RATE_UNITS) / RATE_UNITS;
    this.#sum = 0;
    this.#samples = 0;
    this.#fundingAt = this.#paymentAfter(at);
  }

  #fund(at: number): void {
    this.#reportedRate = this.#rate;
    this.#reportedAt = this.#fundingAt;
    const next = this.#paymentAfter(this.#fundingAt);
    const rate = Math.round(this.#rate * RATE_UNITS) + 0;
    this.#sink.row(at + this.#delayUs, at, FUNDING, 0, 0, rate, 0, this.#fundingAt, next, 0);
  }

  #send(at: number, kind: number, flags: number, price: number, size: number): void {
    this.#sink.row(at + this.#delayUs, at, kind, flags, 0, price, size, 0, 0, 0);
  }
}

/** Whole ticks and the parts beyond them. */
const split = (fine: number): [number, number] => [
  Math.floor(fine / FINE),
  (fine % FINE) * REST_OF_FINE,
];
