import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import type { Page } from './page.ts';
import type { PriceRates } from './price-rates.ts';
import type { PublicBook } from './public-book.ts';
import { SampledSeries, type SampledCandle } from './sampled-series.ts';

const ONE = new Decimal(1);

/** How rates are kept: periods per length, sampling interval, currencies. */
export interface Keeping {
  readonly kept: number;
  readonly everyUs: number;
  /** If undefined, every quote currency of a spot symbol. */
  readonly quotes: readonly string[] | undefined;
}

interface Pair {
  readonly from: string;
  readonly to: string;
  /** Instruments whose best prices make the rate. */
  readonly instruments: readonly number[];
  readonly series: SampledSeries;
}

/**
 * History of price rates, sampled at every whole second before anything happens then. A second
 * without a change of a best price needs no sample. While a rate is absent, the last one holds.
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
    { kept, everyUs, quotes }: Keeping,
  ) {
    const spot = instruments.filter(({ terms }) => terms.type === 'spot');
    const currencies = new Set(spot.flatMap((i) => [i.baseCurrency, i.quoteCurrency]));
    for (const quote of quotes ?? []) {
      if (currencies.has(quote)) continue;
      throw new MillraceError(
        'currency-unknown',
        `No spot symbol has the currency ${quote}, so no rate can be kept in it.`,
        { field: 'quotes' },
      );
    }
    this.#everyUs = everyUs;
    this.#rates = rates;
    this.#books = books;
    const targets = quotes ?? [...new Set(spot.map((i) => i.quoteCurrency))];
    this.#pairs = targets.flatMap((to) =>
      [...currencies].flatMap((from) => {
        const route = from === to ? undefined : rates.route(from, to);
        if (route === undefined) return [];
        const legs = route.map(({ instrument }) => instrument);
        return [{ from, to, instruments: legs, series: new SampledSeries(kept) }];
      }),
    );
  }

  /** Advances time to `at`: samples the rates since the last time, if a sample is due. */
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

  /** Candles of a rate up to `now`; empty for a pair that is not kept. */
  query(from: string, to: string, period: Period, page: Page, now: Micros): SampledCandle[] {
    return this.#series(from, to)?.query(period, page, now) ?? [];
  }

  /** The last rate of a period, so far if it is open; undefined if none is kept. */
  closeOf(from: string, to: string, period: Period, openedAt: Micros): Decimal | undefined {
    return from === to ? ONE : this.#series(from, to)?.closeOf(period, openedAt);
  }

  #series(from: string, to: string): SampledSeries | undefined {
    return this.#pairs.find((pair) => pair.from === from && pair.to === to)?.series;
  }
}
