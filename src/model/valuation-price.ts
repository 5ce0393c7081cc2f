import { Amount } from './amount.ts';
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';
import type { Ticks } from './units.ts';

const HALF = Amount.units(5, 1);

/**
 * The price at which holdings of an instrument are valued, by strategies, reports and charts alike:
 *
 * - the last trade
 * - until there is one, the close of the last candle
 * - until there is one of either, the middle of the best bid and ask; where a side is empty, the
 *   middle before
 *
 * In half ticks, which hold a middle exactly.
 */
export class ValuationPrice {
  /** NaN until the market has shown a price. */
  halfTicks = Number.NaN;
  #source: 'nothing' | 'candle' | 'trade' = 'nothing';

  /** True as long as the best bid and ask count. */
  get followsQuotes(): boolean {
    return this.#source === 'nothing';
  }

  /** Takes a trade; gives true when the price is another. */
  trade(ticks: number): boolean {
    this.#source = 'trade';
    return this.#set(2 * ticks);
  }

  /** Takes a price of a candle; gives true when the price is another. */
  candle(ticks: number): boolean {
    if (this.#source === 'trade') return false;
    this.#source = 'candle';
    return this.#set(2 * ticks);
  }

  /** No trades come any more: the last one counts until the next candle. */
  tradesEnded(): void {
    if (this.#source === 'trade') this.#source = 'candle';
  }

  /** Takes the best bid and ask, NaN for an empty side; gives true when the price is another. */
  quote(bidTicks: number, askTicks: number): boolean {
    const both = bidTicks + askTicks;
    return this.followsQuotes && !Number.isNaN(both) && this.#set(both);
  }

  /** The price as a decimal; exact. `undefined` until the market has shown one. */
  price(instrument: Instrument): Decimal | undefined {
    const { halfTicks } = this;
    if (Number.isNaN(halfTicks)) return undefined;
    if (halfTicks % 2 === 0) return instrument.price((halfTicks / 2) as Ticks);
    return instrument.tickSize.times('0.5').times(halfTicks);
  }

  /** The price as an amount; exact. `undefined` until the market has shown one. */
  amount({ tickAmount }: Instrument): Amount | undefined {
    const { halfTicks } = this;
    if (Number.isNaN(halfTicks)) return undefined;
    if (halfTicks % 2 === 0) return tickAmount.timesCount(halfTicks / 2);
    return tickAmount.times(HALF).timesCount(halfTicks);
  }

  #set(halfTicks: number): boolean {
    if (halfTicks === this.halfTicks) return false;
    this.halfTicks = halfTicks;
    return true;
  }
}
