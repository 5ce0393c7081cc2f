import type { Exchange } from '../../exchange/exchange.ts';
import { revert, type FairPrice } from '../../feeds/synthetic/value.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';

/** The middle of a market as a float, or its last price where a side is empty: made-up markets follow it. */
export function middleOf(exchange: Exchange, instrument: number): number | undefined {
  const data = exchange.marketData;
  if (data === undefined) return undefined;
  const { bidTicks, askTicks } = data.books[instrument];
  const middle = (bidTicks + askTicks) / 2;
  const ticks = Number.isNaN(middle) ? data.lastTrade(instrument)?.ticks : middle;
  const { tickSize } = exchange.instruments[instrument];
  return ticks === undefined ? undefined : ticks * tickSize.toNumber();
}

/** How far from what it follows a price strays, as Ornstein and Uhlenbeck have it. */
export interface Straying {
  /** Standard deviation. */
  readonly noiseTicks: number;
  /** Time in which it forgets to 1/e. */
  readonly noiseSeconds: number;
}

/** What is worth as much as others say, but for a noise that comes back to nothing. */
export class FollowedPrice implements FairPrice {
  ticks: number;
  readonly #random: Random;
  readonly #instrument: Instrument;
  readonly #price: () => number | undefined;
  readonly #straying: Straying;
  #anchor: number;
  #noise = 0;

  /** `price` is what is followed; while it is not known, the value stays. */
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
    this.#noise = revert(this.#random, this.#noise, noiseTicks, seconds / noiseSeconds);
    this.ticks = Math.max(1, this.#anchor + this.#noise);
  }

  #ticks(price: number | undefined): number | undefined {
    return price === undefined ? undefined : price / this.#instrument.tickSize.toNumber();
  }
}
