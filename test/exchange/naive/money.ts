import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import type { Side } from '../../../src/model/order.ts';
import { exact, Exact } from './decimal.ts';
import type { NaiveRates } from './rules.ts';

export interface Need {
  readonly currency: string;
  readonly amount: Exact;
}

/** What accounts have in all, free or reserved, and what orders need; by exact decimals. */
export class NaiveMoney {
  readonly #totals = new Map<string, Exact>();

  total(account: number, currency: string): Exact {
    return this.#totals.get(`${account} ${currency}`) ?? new Exact(0);
  }

  add(account: number, currency: string, amount: Exact): void {
    this.#totals.set(`${account} ${currency}`, this.total(account, currency).plus(amount));
  }

  /** One order's side of a trade, with its fee. */
  trade(
    terms: InstrumentTerms,
    account: number,
    side: Side,
    ticks: number,
    lots: number,
    rate: Exact,
  ): void {
    const { baseCurrency, quoteCurrency, feeCurrency } = terms;
    const size = exact(terms.quantityIncrement).times(lots);
    const value = exact(terms.tickSize).times(ticks).times(size);
    const sign = side === 'buy' ? 1 : -1;
    this.add(account, baseCurrency, size.times(sign));
    this.add(account, quoteCurrency, value.times(-sign));
    const charged = feeCurrency === quoteCurrency ? value : size;
    this.add(account, feeCurrency, charged.times(rate).neg());
  }
}

/** What an order needs for so many lots at a price. */
export function needOf(
  terms: InstrumentTerms,
  { take, make }: NaiveRates,
  side: Side,
  ticks: number,
  lots: number,
): Need {
  const { baseCurrency, quoteCurrency, feeCurrency } = terms;
  const rate = Exact.max(take, make);
  const size = exact(terms.quantityIncrement).times(lots);
  const value = size.times(exact(terms.tickSize)).times(ticks);
  if (side === 'buy') {
    // With a fee in the base currency the whole value is paid, whatever the rebate.
    const over = feeCurrency === quoteCurrency ? rate : Exact.max(rate, 0);
    return { currency: quoteCurrency, amount: value.plus(value.times(over)) };
  }
  const more = feeCurrency === baseCurrency ? size.times(Exact.max(rate, 0)) : 0;
  return { currency: baseCurrency, amount: size.plus(more) };
}
