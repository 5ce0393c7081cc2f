import { Amount } from '../../model/amount.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Mark } from './mark.ts';

const ONE = Amount.count(1);

/** Value of an amount at a rate; unchanged in the currency of the results itself. */
export const valued = (amount: Amount, rate: Amount): Amount =>
  rate === ONE ? amount : amount.times(rate);

/**
 * Value of one unit of each currency in the currency of the results: the product of last prices
 * along the shortest path from base to quote. A currency that needs the inverse of a price is not
 * valued, because a quotient is not exact.
 */
export class Valuation {
  readonly currency: string;
  readonly #ways = new Map<string, readonly Mark[]>();

  /** Throws `currency-unknown` if no instrument is quoted in `currency`. */
  constructor(marks: readonly Mark[], currency: string) {
    this.currency = currency;
    if (!marks.some(({ instrument }) => instrument.quoteCurrency === currency)) {
      const quotes = [...new Set(marks.map(({ instrument }) => instrument.quoteCurrency))];
      throw new MillraceError(
        'currency-unknown',
        `Results cannot be given in ${currency}: no instrument of the run is quoted in it. Use ${quotes.join(' or ')}.`,
        { field: 'equityCurrency' },
      );
    }
    this.#ways.set(currency, []);
    for (let reached = [currency]; reached.length > 0;) {
      reached = reached.flatMap((quote) => this.#reachFrom(quote, marks));
    }
  }

  /** The value of one unit now; `undefined` without a path or a price. */
  rate(currency: string): Amount | undefined {
    if (currency === this.currency) return ONE;
    const way = this.#ways.get(currency);
    if (way === undefined) return undefined;
    let rate = ONE;
    for (const mark of way) {
      const price = mark.amount();
      if (price === undefined) return undefined;
      rate = rate.times(price);
    }
    return rate;
  }

  /** True if prices of the run lead from that currency to the currency of the results. */
  reaches(currency: string): boolean {
    return this.#ways.has(currency);
  }

  #reachFrom(quote: string, marks: readonly Mark[]): string[] {
    const onward = this.#ways.get(quote) ?? [];
    const found: string[] = [];
    for (const mark of marks) {
      const { baseCurrency, quoteCurrency } = mark.instrument;
      if (quoteCurrency !== quote || this.#ways.has(baseCurrency)) continue;
      this.#ways.set(baseCurrency, [mark, ...onward]);
      found.push(baseCurrency);
    }
    return found;
  }
}
