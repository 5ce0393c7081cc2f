import { Amount } from '../model/amount.ts';
import { brief, Decimal, ZERO } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import { lots as asLots, type Lots, type Ticks } from '../model/units.ts';

/** Fee rates as fractions of a trade's value; an instrument has the usual ones. */
export interface FeeRates {
  readonly takeRate: Decimal;
  readonly makeRate: Decimal;
}

/**
 * The fee of a trade, exact, in the instrument's fee currency: price × quantity × rate where that
 * is the quote currency, quantity × rate where it is the base currency. Negative for a rebate.
 */
export function feeAmount(instrument: Instrument, ticks: Ticks, lots: Lots, rate: Amount): Amount {
  const { feeCurrency, quoteCurrency } = instrument.terms;
  const charged =
    feeCurrency === quoteCurrency
      ? instrument.valueAmount(ticks, lots)
      : instrument.sizeAmount(lots);
  return charged.times(rate);
}

/** The same in decimals. */
export const fee = (instrument: Instrument, ticks: Ticks, lots: Lots, rate: Decimal): Decimal =>
  feeAmount(instrument, ticks, lots, Amount.of(rate)).toDecimal();

/** The currency that pays for an order: quote for a buy, base for a sell. */
export const payingCurrency = (instrument: Instrument, side: Side): string =>
  side === 'buy' ? instrument.quoteCurrency : instrument.baseCurrency;

/**
 * What a buy order holds of the quote currency: value + value × max(take rate, make rate), the
 * balance rule of the trading service, taken literally. So with two rebates it holds less than the
 * value, and still covers the cost, as no fill costs more than value × (1 + max). With fees in the
 * base currency it holds alike, but never less than the value, which is what it pays then. `value`
 * is price × quantity at the limit price, or for a market order the sum over the levels that it
 * would take.
 */
export function buyReserve(instrument: Instrument, value: Decimal, rates: FeeRates): Decimal {
  const rate = Decimal.max(rates.takeRate, rates.makeRate);
  const { feeCurrency, quoteCurrency } = instrument.terms;
  if (feeCurrency !== quoteCurrency && rate.isNegative()) return value;
  return value.plus(exactTimes(value, rate));
}

/**
 * The price at which a stop or take-profit market buy holds its means while it waits: its stop
 * price and a tenth of it, up to the next tick, since nobody knows yet what it will pay.
 */
export const stopReserveTicks = (stopTicks: number): number => {
  const rest = stopTicks % 10;
  return stopTicks + (stopTicks - rest) / 10 + (rest > 0 ? 1 : 0);
};

/**
 * What a sell order holds of the base currency: its quantity, for the fee comes out of the
 * proceeds. Where fees are in the base currency they come on top, at the higher rate if positive.
 */
export function sellReserve(instrument: Instrument, lots: Lots, rates: FeeRates): Decimal {
  const size = instrument.size(lots);
  const { feeCurrency, baseCurrency } = instrument.terms;
  if (feeCurrency !== baseCurrency) return size;
  return size.plus(exactTimes(size, Decimal.max(rates.takeRate, rates.makeRate, ZERO)));
}

/** What so many lots need at a price, which a sell does not look at. */
export const reserveOf = (
  instrument: Instrument,
  side: Side,
  ticks: number,
  lots: number,
  rates: FeeRates,
): Decimal =>
  side === 'buy'
    ? buyReserve(instrument, instrument.quantum.times(ticks).times(lots), rates)
    : sellReserve(instrument, asLots(lots), rates);

/**
 * Refuses an order that `available` does not cover: for a buy it must exceed the reserve, an equal
 * balance is refused (trading service, balance rule); for a sell it must reach it. `hasFee` says that
 * a fee is in the reserve.
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

/** True where what an order holds includes a fee: not for a sell whose fee comes out of the proceeds. */
export const holdsFee = ({ terms }: Instrument, side: Side): boolean =>
  side === 'buy' || terms.feeCurrency === terms.baseCurrency;

/** A product without negative zero. */
function exactTimes(a: Decimal, b: Decimal): Decimal {
  const result = a.times(b);
  return result.isZero() ? ZERO : result;
}
