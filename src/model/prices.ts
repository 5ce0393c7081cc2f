import { Amount } from './amount.ts';
import type { Best } from './best.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { Side } from './order.ts';
import type { Ticks } from './units.ts';

const HALF = Amount.units(5, 1);

/**
 * Prices of an instrument, by one rule for strategies, limits, reports and charts:
 *
 * | price         | what it is                                                     | used for                   |
 * | ------------- | -------------------------------------------------------------- | -------------------------- |
 * | `valuation`   | the last trade; before the first, the close of the last        | valuing holdings           |
 * |               | candle; before either, the mid price, or the last mid price    |                            |
 * |               | if a side is empty                                             |                            |
 * | `reference`   | the mid price; if a side is empty or stale, the valuation      | where the market is        |
 * | `touch(side)` | the best ask for a buy, the best bid for a sell; the valuation | what an order takes first  |
 * |               | if neither is known or they are stale                          |                            |
 *
 * All in half ticks, so that a mid price is exact; NaN for an unknown price.
 */
export class Prices {
  readonly #best: Pick<Best, 'bidTicks' | 'askTicks' | 'stale'>;
  #halfTicks = Number.NaN;
  #source: 'nothing' | 'candle' | 'trade' = 'nothing';

  constructor(best: Pick<Best, 'bidTicks' | 'askTicks' | 'stale'>) {
    this.#best = best;
  }

  get valuation(): number {
    return this.#halfTicks;
  }

  get reference(): number {
    const { bidTicks, askTicks, stale } = this.#best;
    const both = bidTicks + askTicks;
    return stale || Number.isNaN(both) ? this.#halfTicks : both;
  }

  touch(side: Side): number {
    const { bidTicks, askTicks, stale } = this.#best;
    if (stale || (Number.isNaN(bidTicks) && Number.isNaN(askTicks))) return this.#halfTicks;
    return 2 * (side === 'buy' ? askTicks : bidTicks);
  }

  /** True after the first trade or candle. */
  get hasPrinted(): boolean {
    return this.#source !== 'nothing';
  }

  /** True while the last trade is the valuation. */
  get followsTrades(): boolean {
    return this.#source === 'trade';
  }

  /** Applies a trade; returns true if the valuation changed. */
  trade(ticks: number): boolean {
    this.#source = 'trade';
    return this.#set(2 * ticks);
  }

  /**
   * Applies the close of a candle, which is older than a trade; returns true if the valuation
   * changed.
   */
  candle(ticks: number): boolean {
    if (this.#source === 'trade') return false;
    this.#source = 'candle';
    return this.#set(2 * ticks);
  }

  /** Lets candles change the valuation again; the last trade counts until the next one. */
  tradesEnded(): void {
    if (this.#source === 'trade') this.#source = 'candle';
  }

  /** Applies a change of best bid and ask; returns true if the valuation changed. */
  bestChanged(): boolean {
    if (this.#source !== 'nothing') return false;
    const { bidTicks, askTicks, stale } = this.#best;
    const both = bidTicks + askTicks;
    return !stale && !Number.isNaN(both) && this.#set(both);
  }

  #set(halfTicks: number): boolean {
    if (halfTicks === this.#halfTicks) return false;
    this.#halfTicks = halfTicks;
    return true;
  }
}

/** A price in half ticks as an exact decimal, `undefined` if unknown. */
export function priceOf(instrument: Instrument, halfTicks: number): Decimal | undefined {
  if (Number.isNaN(halfTicks)) return undefined;
  if (halfTicks % 2 === 0) return instrument.price((halfTicks / 2) as Ticks);
  return instrument.tickSize.times('0.5').times(halfTicks);
}

/** A price in half ticks as an exact amount, `undefined` if unknown. */
export function priceAmount({ tickAmount }: Instrument, halfTicks: number): Amount | undefined {
  if (Number.isNaN(halfTicks)) return undefined;
  if (halfTicks % 2 === 0) return tickAmount.timesCount(halfTicks / 2);
  return tickAmount.times(HALF).timesCount(halfTicks);
}
