import { Amount } from './amount.ts';
import type { Best } from './best.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { Side } from './order.ts';
import type { Ticks } from './units.ts';

const HALF = Amount.units(5, 1);

/**
 * The prices of an instrument, by one rule for strategies, limits, reports and charts alike:
 *
 * | price         | what it is                                                     | what it is for             |
 * | ------------- | -------------------------------------------------------------- | -------------------------- |
 * | `valuation`   | the last trade; until there is one, the close of the last       | what holdings are worth    |
 * |               | candle; until there is one of either, the middle of best bid   |                            |
 * |               | and ask, and where a side is empty the middle before           |                            |
 * | `reference`   | the middle of best bid and ask; where a side is empty or they  | where the market is        |
 * |               | are stale, the valuation                                       |                            |
 * | `touch(side)` | the best ask for a buy, the best bid for a sell; where neither | what an order takes first  |
 * |               | is shown or they are stale, the valuation                      |                            |
 *
 * All in half ticks, which hold a middle exactly; NaN for a price that is not known.
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

  /** True once there was a trade or a candle. */
  get hasPrinted(): boolean {
    return this.#source !== 'nothing';
  }

  /** True while the last trade is the valuation. */
  get followsTrades(): boolean {
    return this.#source === 'trade';
  }

  /** Takes a trade; gives true when the valuation is another. */
  trade(ticks: number): boolean {
    this.#source = 'trade';
    return this.#set(2 * ticks);
  }

  /** Takes the close of a candle, which is older than a trade; gives true when the valuation is another. */
  candle(ticks: number): boolean {
    if (this.#source === 'trade') return false;
    this.#source = 'candle';
    return this.#set(2 * ticks);
  }

  /** No trades come any more: the last one counts until the next candle. */
  tradesEnded(): void {
    if (this.#source === 'trade') this.#source = 'candle';
  }

  /** Best bid and ask are others; gives true when the valuation is another with them. */
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

/** A price of half ticks as a decimal; exact. `undefined` for one that is not known. */
export function priceOf(instrument: Instrument, halfTicks: number): Decimal | undefined {
  if (Number.isNaN(halfTicks)) return undefined;
  if (halfTicks % 2 === 0) return instrument.price((halfTicks / 2) as Ticks);
  return instrument.tickSize.times('0.5').times(halfTicks);
}

/** A price of half ticks as an amount; exact. `undefined` for one that is not known. */
export function priceAmount({ tickAmount }: Instrument, halfTicks: number): Amount | undefined {
  if (Number.isNaN(halfTicks)) return undefined;
  if (halfTicks % 2 === 0) return tickAmount.timesCount(halfTicks / 2);
  return tickAmount.times(HALF).timesCount(halfTicks);
}
