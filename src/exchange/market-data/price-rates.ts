import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { PublicBook } from './public-book.ts';

/** Intermediate currencies of rates between two without a common symbol, in this order. */
const BRIDGES = ['USDT', 'BTC'] as const;
/** Decimals of a rate that is a quotient; a half is rounded towards zero. */
const QUOTIENT_PLACES = 18;
const HALF = new Decimal('0.5');
const ONE = new Decimal(1);

/** One symbol of a conversion route; `against` if the route starts at its quote currency. */
export interface Leg {
  readonly instrument: number;
  readonly against: boolean;
}

/**
 * Rates between currencies: the mean of best bid and best ask of their spot symbol. Without such a
 * symbol the rate goes through USDT, else through BTC. The route depends on the symbols only, so
 * that it does not jump when a book is empty; then the rate is absent.
 */
export class PriceRates {
  readonly #instruments: readonly Instrument[];
  readonly #books: readonly PublicBook[];
  readonly #direct = new Map<string, Leg>();
  readonly #routes = new Map<string, readonly Leg[] | undefined>();

  constructor(instruments: readonly Instrument[], books: readonly PublicBook[]) {
    this.#instruments = instruments;
    this.#books = books;
    instruments.forEach(({ terms }, instrument) => {
      if (terms.type !== 'spot') return;
      const { baseCurrency, quoteCurrency } = terms;
      this.#offer(baseCurrency, quoteCurrency, { instrument, against: false });
    });
    instruments.forEach(({ terms }, instrument) => {
      if (terms.type !== 'spot') return;
      this.#offer(terms.quoteCurrency, terms.baseCurrency, { instrument, against: true });
    });
  }

  /**
   * Symbols of the route between two currencies; none for the same currency, undefined without a
   * route.
   */
  route(from: string, to: string): readonly Leg[] | undefined {
    if (from === to) return [];
    const key = `${from} ${to}`;
    if (!this.#routes.has(key)) this.#routes.set(key, this.#find(from, to));
    return this.#routes.get(key);
  }

  /**
   * The rate, undefined without a route or if a side of a book on it is empty. It is exact if only
   * products are needed; a quotient is rounded to 18 decimals.
   */
  rate(from: string, to: string): Decimal | undefined {
    const route = this.route(from, to);
    if (route === undefined) return undefined;
    let numerator = ONE;
    let denominator = ONE;
    for (const { instrument, against } of route) {
      const middle = this.#middle(instrument);
      if (middle === undefined) return undefined;
      if (against) denominator = denominator.times(middle);
      else numerator = numerator.times(middle);
    }
    if (denominator === ONE) return numerator;
    return numerator.div(denominator).toDecimalPlaces(QUOTIENT_PLACES, Decimal.ROUND_HALF_DOWN);
  }

  /**
   * An earlier symbol in the list of instruments takes precedence over later ones of its
   * currencies.
   */
  #offer(from: string, to: string, leg: Leg): void {
    const key = `${from} ${to}`;
    if (!this.#direct.has(key)) this.#direct.set(key, leg);
  }

  #find(from: string, to: string): readonly Leg[] | undefined {
    const direct = this.#direct.get(`${from} ${to}`);
    if (direct !== undefined) return [direct];
    for (const bridge of BRIDGES) {
      const first = this.#direct.get(`${from} ${bridge}`);
      const second = this.#direct.get(`${bridge} ${to}`);
      if (first !== undefined && second !== undefined) return [first, second];
    }
    return undefined;
  }

  /** Mean of best bid and best ask; exact. */
  #middle(instrument: number): Decimal | undefined {
    const { bid, ask } = this.#books[instrument].top();
    if (bid === undefined || ask === undefined) return undefined;
    const terms = this.#instruments[instrument];
    return terms.price(bid.ticks).plus(terms.price(ask.ticks)).times(HALF);
  }
}
