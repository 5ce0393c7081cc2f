import type { Exchange } from '../../exchange/exchange.ts';
import { stepOrnsteinUhlenbeck, type FairPrice } from '../../feeds/synthetic/value.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';

/**
 * The mid price of a market as a float, or its last price if a side is empty; synthetic markets follow it.
 */
export function middleOf(exchange: Exchange, instrument: number): number | undefined {
  const data = exchange.marketData;
  if (data === undefined) return undefined;
  const { bidTicks, askTicks } = data.books[instrument];
  const middle = (bidTicks + askTicks) / 2;
  const ticks = Number.isNaN(middle) ? data.lastTrade(instrument)?.ticks : middle;
  const { tickSize } = exchange.instruments[instrument];
  return ticks === undefined ? undefined : ticks * tickSize.toNumber();
}

/** Deviation from the followed price, as an Ornstein-Uhlenbeck process. */
export interface Straying {
  /** Standard deviation. */
  readonly noiseTicks: number;
  /** Time in which it forgets to 1/e. */
  readonly noiseSeconds: number;
}

/** A value that follows another price with mean-reverting noise. */
export class FollowedPrice implements FairPrice {
  ticks: number;
  readonly #random: Random;
  readonly #instrument: Instrument;
  readonly #price: () => number | undefined;
  readonly #straying: Straying;
  #anchor: number;
  #noise = 0;

  /** `price` returns the followed price; while it is unknown, the value stays. */
  constructor(
    random: Random,
    instrument: Instrument,
    price: () => number | undefined,
    straying: Straying,
  ) {
    this.#random = random;
    this.#instrument = instrument;
    this.#price = price;
    this.#straying = straying;
    this.#anchor = this.#ticks(price()) ?? 1;
    this.ticks = this.#anchor;
  }

  advance(seconds: number): void {
    const { noiseTicks, noiseSeconds } = this.#straying;
    this.#anchor = this.#ticks(this.#price()) ?? this.#anchor;
    this.#noise = stepOrnsteinUhlenbeck(
      this.#random,
      this.#noise,
      noiseTicks,
      seconds / noiseSeconds,
    );
    this.ticks = Math.max(1, this.#anchor + this.#noise);
  }

  #ticks(price: number | undefined): number | undefined {
    return price === undefined ? undefined : price / this.#instrument.tickSize.toNumber();
  }
}
