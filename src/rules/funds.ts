import { Amount } from '../model/amount.ts';
import { brief, Decimal, ZERO } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import { lots as asLots, type Lots, type Ticks } from '../model/units.ts';

/** Fee rates as fractions of a trade's value; an instrument has the default ones. */
export interface FeeRates {
  readonly takeRate: Decimal;
  readonly makeRate: Decimal;
}

/**
 * Fee of a trade, exact, in the instrument's fee currency: price × quantity × rate if that is the
 * quote currency, quantity × rate if it is the base currency. Negative for a rebate.
 */
export function feeAmount(instrument: Instrument, ticks: Ticks, lots: Lots, rate: Amount): Amount {
  const { feeCurrency, quoteCurrency } = instrument.terms;
  const charged =
    feeCurrency === quoteCurrency
      ? instrument.valueAmount(ticks, lots)
      : instrument.sizeAmount(lots);
  return charged.times(rate);
}

/** Same as `feeAmount` in decimals. */
export const fee = (instrument: Instrument, ticks: Ticks, lots: Lots, rate: Decimal): Decimal =>
  feeAmount(instrument, ticks, lots, Amount.of(rate)).toDecimal();

/** Currency that an order pays with: quote for a buy, base for a sell. */
export const payingCurrency = (instrument: Instrument, side: Side): string =>
  side === 'buy' ? instrument.quoteCurrency : instrument.baseCurrency;

/**
 * Quote currency that a buy order reserves: value + value × max(take rate, make rate), the balance
 * rule of the trading service, taken literally. With two rebates it is less than the value, and
 * still covers the cost, as no fill costs more than value × (1 + max). With fees in the base
 * currency it is the same, but never less than the value, which is the payment then. `value` is
 * price × quantity at the limit price, or for a market order the sum over the levels that it would
 * take.
 */
export function buyReserve(instrument: Instrument, value: Decimal, rates: FeeRates): Decimal {
  const rate = Decimal.max(rates.takeRate, rates.makeRate);
  const { feeCurrency, quoteCurrency } = instrument.terms;
  if (feeCurrency !== quoteCurrency && rate.isNegative()) return value;
  return value.plus(exactTimes(value, rate));
}

/**
 * Price for the reserve of a waiting stop or take-profit market buy: its stop price and a tenth of
 * it, up to the next tick, as the fill price is not known yet.
 */
export const stopReserveTicks = (stopTicks: number): number => {
  const rest = stopTicks % 10;
  return stopTicks + (stopTicks - rest) / 10 + (rest > 0 ? 1 : 0);
};

/**
 * Base currency that a sell order reserves: its quantity, as the fee comes out of the proceeds.
 * With fees in the base currency the fee is added, at the higher rate if positive.
 */
export function sellReserve(instrument: Instrument, lots: Lots, rates: FeeRates): Decimal {
  const size = instrument.size(lots);
  const { feeCurrency, baseCurrency } = instrument.terms;
  if (feeCurrency !== baseCurrency) return size;
  return size.plus(exactTimes(size, Decimal.max(rates.takeRate, rates.makeRate, ZERO)));
}

/** Reserve for lots at a price, which does not matter for a sell. */
export const reserveOf = (
  instrument: Instrument,
  side: Side,
  ticks: number,
  lots: number,
  rates: FeeRates,
): Decimal =>
  side === 'buy'
    ? buyReserve(instrument, instrument.tickValue.times(ticks).times(lots), rates)
    : sellReserve(instrument, asLots(lots), rates);

/**
 * Rejects an order that `available` does not cover: for a buy it must exceed the reserve, an equal
 * balance is rejected (trading service, balance rule); for a sell it must reach it. `hasFee` says
 * that the reserve includes a fee.
 */
export function fundsRejection(
  side: Side,
  currency: string,
  reserve: Decimal,
  available: Decimal,
  hasFee = true,
): Rejection | undefined {
  const covered =
    side === 'buy' ? available.greaterThan(reserve) : available.greaterThanOrEqualTo(reserve);
  if (covered) return undefined;
  const verb = side === 'buy' ? 'exceed' : 'be at least';
  return {
    code: 'funds-insufficient',
    field: 'quantity',
    message: `${brief(available)} ${currency} is available and must ${verb} ${brief(reserve)}${hasFee ? ', fee included' : ''}.`,
    limit: brief(reserve),
  };
}

/**
 * True if an order's reserve includes a fee: not for a sell whose fee comes out of the proceeds.
 */
export const holdsFee = ({ terms }: Instrument, side: Side): boolean =>
  side === 'buy' || terms.feeCurrency === terms.baseCurrency;

/** A product without negative zero. */
function exactTimes(a: Decimal, b: Decimal): Decimal {
  const result = a.times(b);
  return result.isZero() ? ZERO : result;
}
