import { Decimal } from '../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import type { Side } from '../../src/model/order.ts';

export interface Need {
  readonly currency: string;
  readonly amount: Decimal;
}

/** What accounts have in all, free or reserved, and what orders need; by Decimals. */
export class NaiveMoney {
  readonly #totals = new Map<string, Decimal>();

  total(account: number, currency: string): Decimal {
    return this.#totals.get(`${account} ${currency}`) ?? new Decimal(0);
  }

  add(account: number, currency: string, amount: Decimal): void {
    this.#totals.set(`${account} ${currency}`, this.total(account, currency).plus(amount));
  }

  /** One order's side of a trade, with its fee. */
  trade(
    terms: InstrumentTerms,
    account: number,
    side: Side,
    ticks: number,
    lots: number,
    taker: boolean,
  ): void {
    const { baseCurrency, quoteCurrency, feeCurrency, takeRate, makeRate } = terms;
    const size = new Decimal(terms.quantityIncrement).times(lots);
    const value = new Decimal(terms.tickSize).times(ticks).times(size);
    const sign = side === 'buy' ? 1 : -1;
    this.add(account, baseCurrency, size.times(sign));
    this.add(account, quoteCurrency, value.times(-sign));
    const charged = feeCurrency === quoteCurrency ? value : size;
    this.add(account, feeCurrency, charged.times(taker ? takeRate : makeRate).neg());
  }
}

/** What an order needs for so many lots at a price. */
export function needOf(terms: InstrumentTerms, side: Side, ticks: number, lots: number): Need {
  const { takeRate, makeRate, baseCurrency, quoteCurrency, feeCurrency } = terms;
  const rate = Decimal.max(takeRate, makeRate);
  const size = new Decimal(terms.quantityIncrement).times(lots);
  const value = size.times(terms.tickSize).times(ticks);
  if (side === 'buy') return { currency: quoteCurrency, amount: value.plus(value.times(rate)) };
  const more = feeCurrency === baseCurrency ? size.times(Decimal.max(rate, 0)) : 0;
  return { currency: baseCurrency, amount: size.plus(more) };
}
