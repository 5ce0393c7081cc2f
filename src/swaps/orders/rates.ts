import { Decimal, ZERO } from '../../model/decimal.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import type { OrderCurrency } from './currencies.ts';
import {
  amountOutside,
  isDenial,
  pairUnavailable,
  parameterInvalid,
  type AmountLimits,
  type Denial,
} from './denials.ts';
import type { Yield } from './order.ts';
import type { ExchangeOrderTerms } from './terms.ts';

/** Decimals of rates, which are cut off there. */
const RATE_PLACES = 20;
/** Decimals of limits, if the currency has as many. */
const LIMIT_PLACES = 8;
const PERCENT = 100;

/** Rate of one currency in another, with all fees. */
export interface Price {
  readonly from: OrderCurrency;
  readonly to: OrderCurrency;
  /** Value of one unit in the other. */
  readonly rate: Decimal;
  /** Result of one unit after the fees of service and client, before the network fee. */
  readonly result: Decimal;
  /** Percent. */
  readonly extraFee: Decimal;
  /** In the target currency; none if both are one. */
  readonly networkFee: Decimal;
}

export interface RatesSetup {
  readonly priceOf: PriceOf;
  readonly terms: ExchangeOrderTerms;
  /** The service's payout stock of a currency. */
  readonly inventory: (currency: OrderCurrency) => Decimal;
}

const down = Decimal.ROUND_DOWN;
const up = Decimal.ROUND_UP;

/**
 * Computes prices and limits from asset prices. Payouts are rounded down to the currency's units, payments
 * are rounded up.
 */
export class Rates {
  readonly #setup: RatesSetup;

  constructor(setup: RatesSetup) {
    this.#setup = setup;
  }

  /** The present price between two currencies; also of one for itself. */
  price([from, to]: readonly [OrderCurrency, OrderCurrency], extraFee: Decimal): Price | Denial {
    const { priceOf, terms } = this.#setup;
    const given = priceOf(from.terms.asset);
    const wanted = priceOf(to.terms.asset);
    if (given === undefined || wanted === undefined || given.isZero() || wanted.isZero()) {
      return pairUnavailable(from.ticker, to.ticker);
    }
    const rate = given.div(wanted).toDecimalPlaces(RATE_PLACES, down);
    const left = new Decimal(PERCENT).minus(terms.serviceFee).minus(extraFee);
    const result = rate.times(left).div(PERCENT).toDecimalPlaces(RATE_PLACES, down);
    if (!result.isPositive() || result.isZero()) return pairUnavailable(from.ticker, to.ticker);
    const networkFee = from.ticker === to.ticker ? ZERO : to.networkFee;
    return { from, to, rate, result, extraFee, networkFee };
  }

  /** Whether an amount can be exchanged at a price. */
  check(price: Price, amountFrom: Decimal, isFixed = false): Denial | undefined {
    const { from, to } = price;
    const pair = [from.ticker, to.ticker] as const;
    if (amountFrom.decimalPlaces() > from.terms.decimals) {
      const message = `${from.ticker} has ${from.terms.decimals} decimals.`;
      return parameterInvalid('amountFrom', message);
    }
    const limits = this.limits(price, isFixed);
    if (amountFrom.lessThan(limits.min.from)) return amountOutside(pair, 'minimum', limits);
    if (amountFrom.greaterThan(limits.max.from)) return amountOutside(pair, 'maximum', limits);
    const most = this.#available(to);
    if (!yieldOf(price, amountFrom).gross.greaterThan(most)) return undefined;
    const { decimals } = from.terms;
    const mostFrom = most.div(price.rate).toDecimalPlaces(Math.min(decimals, LIMIT_PLACES), down);
    const max = this.#bound(price, mostFrom, isFixed);
    return amountOutside(pair, 'liquidity', { ...limits, max });
  }

  /** Between what an amount must be; the result is written as in answers of that kind. */
  limits(price: Price, isFixed: boolean): AmountLimits {
    const { priceOf, terms } = this.#setup;
    const { from, to, networkFee } = price;
    const unit = priceOf(from.terms.asset) ?? ZERO;
    const feeValue = networkFee.times(priceOf(to.terms.asset) ?? ZERO).times(2);
    const least = Decimal.max(terms.minimumValue, feeValue);
    const places = Math.min(from.terms.decimals, LIMIT_PLACES);
    const min = least.div(unit).toDecimalPlaces(places, up);
    const max = terms.maximumValue.div(unit).toDecimalPlaces(places, down);
    return {
      min: isFixed ? leastFixed(price, min) : this.#bound(price, min, false),
      max: this.#bound(price, max, isFixed),
    };
  }

  /** Payment for at least a given result after the network fee. */
  amountFromFor({ from, result, networkFee }: Price, amountTo: Decimal): Decimal {
    return amountTo.plus(networkFee).div(result).toDecimalPlaces(from.terms.decimals, up);
  }

  /** True if the exchange goes over a currency between the two. */
  isTwoStep({ from, to }: Price): boolean {
    const { bases } = this.#setup.terms;
    return !bases.includes(from.terms.asset) && !bases.includes(to.terms.asset);
  }

  /** The network fee of a price in another currency, rounded up. */
  networkFeeIn({ to, networkFee }: Price, other: OrderCurrency): Decimal {
    const { priceOf } = this.#setup;
    const unit = priceOf(other.terms.asset);
    if (unit === undefined || unit.isZero()) return networkFee;
    const value = networkFee.times(priceOf(to.terms.asset) ?? ZERO);
    return value.div(unit).toDecimalPlaces(other.terms.decimals, up);
  }

  #bound(price: Price, from: Decimal, isFixed: boolean): AmountLimits['min'] {
    const { amountTo, networkFee } = yieldOf(price, from);
    return { from, to: isFixed ? Decimal.max(amountTo.minus(networkFee), ZERO) : amountTo };
  }

  #available(currency: OrderCurrency): Decimal {
    const held = this.#setup.inventory(currency);
    return currency.liquidity === undefined ? held : Decimal.min(held, currency.liquidity);
  }
}

/** The smallest amount of a fixed exchange, by the least possible result. */
function leastFixed({ to, result, networkFee }: Price, from: Decimal): AmountLimits['min'] {
  const before = from.times(result).toDecimalPlaces(to.terms.decimals, up);
  return { from, to: Decimal.max(before.minus(networkFee), ZERO) };
}

/** Result of an amount at a price. The rest goes to the service. */
export function yieldOf({ to, rate, result, extraFee, networkFee }: Price, amount: Decimal): Yield {
  const { decimals } = to.terms;
  const gross = amount.times(rate).toDecimalPlaces(decimals, down);
  const amountTo = amount.times(result).toDecimalPlaces(decimals, down);
  const extra = gross.times(extraFee).div(PERCENT).toDecimalPlaces(decimals, down);
  const serviceFee = gross.minus(amountTo).minus(extra);
  return { rate, gross, serviceFee, extraFee: extra, amountTo, networkFee };
}

/** The shown yield of an amount without a price. */
const noYield = (networkFee: Decimal): Yield => ({
  rate: ZERO,
  gross: ZERO,
  serviceFee: ZERO,
  extraFee: ZERO,
  amountTo: ZERO,
  networkFee,
});

/** The yield of an amount at a price, nothing if there is none. */
export const yieldAt = (price: Price | Denial, amount: Decimal, to: OrderCurrency): Yield =>
  isDenial(price) ? noYield(to.networkFee) : yieldOf(price, amount);
