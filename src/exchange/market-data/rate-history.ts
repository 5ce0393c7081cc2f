import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Page } from './page.ts';
import type { PriceRates } from './price-rates.ts';
import type { PublicBook } from './public-book.ts';
import { SampledSeries, type SampledCandle } from './sampled-series.ts';

const ONE = new Decimal(1);

export interface RateHistoryOptions {
  /** Currencies in which the rates of all others are kept; every quote currency of a spot symbol. */
  readonly quotes?: readonly string[];
  /** Time between two samples; one second. Time counts from 1970. */
  readonly everyUs?: number;
}

interface Pair {
  readonly from: string;
  readonly to: string;
  /** Instruments whose best prices it is made of. */
  readonly instruments: readonly number[];
  readonly series: SampledSeries;
}

/**
 * What price rates were. They are sampled at every whole second, before whatever happens then, and
 * a second in which no best price changed needs no sample. While a rate is absent, the one before
 * it holds.
 */
export class RateHistory {
  readonly #everyUs: number;
  readonly #rates: PriceRates;
  readonly #books: readonly PublicBook[];
  readonly #pairs: readonly Pair[];
  /** When the next sample is due. */
  #nextAt = 0;

  constructor(
    instruments: readonly Instrument[],
    rates: PriceRates,
    books: readonly PublicBook[],
    kept: number,
    options: RateHistoryOptions,
  ) {
    const spot = instruments.filter(({ terms }) => terms.type === 'spot');
    const currencies = new Set(spot.flatMap((i) => [i.baseCurrency, i.quoteCurrency]));
    const { quotes = [...new Set(spot.map((i) => i.quoteCurrency))] } = options;
    this.#everyUs = options.everyUs ?? US_PER_SECOND;
    this.#rates = rates;
    this.#books = books;
    this.#pairs = quotes.flatMap((to) =>
      [...currencies].flatMap((from) => {
        const route = from === to ? undefined : rates.route(from, to);
        if (route === undefined) return [];
        const legs = route.map(({ instrument }) => instrument);
        return [{ from, to, instruments: legs, series: new SampledSeries(kept) }];
      }),
    );
  }

  /** Time comes to `at`: samples what has stood since the last time, if a sample is due. */
  advance(at: number): void {
    if (at < this.#nextAt) return;
    const due = this.#nextAt as Micros;
    this.#nextAt = (Math.floor(at / this.#everyUs) + 1) * this.#everyUs;
    for (const { from, to, instruments, series } of this.#pairs) {
      if (!instruments.some((index) => this.#books[index].topChanged)) continue;
      const rate = this.#rates.rate(from, to);
      if (rate !== undefined) series.sample(due, rate);
    }
    for (const book of this.#books) book.topChanged = false;
  }

  /** Candles of a rate; none for a pair that is not kept. `now` is the end of what is known. */
  query(from: string, to: string, period: Period, page: Page, now: Micros): SampledCandle[] {
    return this.#series(from, to)?.query(period, page, now) ?? [];
  }

  /** The rate with which a period ended, or so far; undefined where none is kept. */
  closeOf(from: string, to: string, period: Period, openedAt: Micros): Decimal | undefined {
    return from === to ? ONE : this.#series(from, to)?.closeOf(period, openedAt);
  }

  #series(from: string, to: string): SampledSeries | undefined {
    return this.#pairs.find((pair) => pair.from === from && pair.to === to)?.series;
  }
}
