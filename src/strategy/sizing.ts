import { brief, Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import { Instrument } from '../model/instrument.ts';
import type { Rejection, RejectionCode } from '../model/rejections.ts';
import { lots as asLots, type Lots } from '../model/units.ts';
import { buyReserve } from '../rules/funds.ts';
import { quoted } from '../rules/quoted.ts';

/** Limits of a size. */
export interface SizeLimits {
  /** Value of all holdings, in the quote currency: `account.equity(symbol)`. */
  readonly equity: Decimal;
  /** Largest value as a multiple of the equity; 1 if absent. */
  readonly leverage?: Decimal;
  /** Available funds, in the quote currency: `available` of its balance, or of a margin account. */
  readonly budget?: Decimal;
  /** Smallest value of a trade. */
  readonly minNotional?: Decimal;
}

/** Argument of `sizeByRisk`; prices in whole ticks. */
export interface RiskSize extends SizeLimits {
  /** Share of the equity lost at the stop price: `rate('0.01')`. */
  readonly risk: Decimal;
  readonly entryTicks: number;
  /** Below the entry for a long, above it for a short. */
  readonly stopTicks: number;
}

/** Argument of `sizeByVolatility`. */
export interface VolatilitySize extends SizeLimits {
  /** Target volatility of the equity, as a fraction: `rate('0.2')`. */
  readonly target: Decimal;
  /** Volatility of the price over the same time. */
  readonly volatility: number;
  readonly ticks: number;
}

/** A computed size. */
export interface Size {
  /** 0 if `rejection` has a reason. */
  readonly lots: Lots;
  /** In the quote currency. */
  readonly value: Decimal;
  /** The limit that decided the size. */
  readonly limitedBy: 'size' | 'leverage' | 'budget';
  readonly rejection?: Rejection;
}

/**
 * Lots, rounded down, that lose a share of the equity between entry and stop price, with the taker
 * fees of both, within leverage and budget. Less than a lot, or than the smallest value, is 0 with
 * a rejection:
 *
 *     const size = sizeByRisk(instrument, { equity, risk: rate('0.01'), entryTicks, stopTicks });
 *     if (size.rejection !== undefined) log.info(size.rejection.message);
 */
export function sizeByRisk(instrument: Instrument, of: RiskSize): Size {
  checkGiven('sizeByRisk', instrument, of);
  const { equity, risk, entryTicks, stopTicks } = of;
  const wrong =
    notPrice('entryTicks', entryTicks) ??
    notPrice('stopTicks', stopTicks) ??
    (entryTicks === stopTicks
      ? rejectedSize('stopTicks', 'The stop price is the entry price; without a distance there is no risk to size by') // prettier-ignore
      : undefined) ??
    notShare('risk', risk) ??
    limitsRejection(of);
  if (wrong !== undefined) return noSize(wrong);
  const fees = Decimal.max(instrument.takeRate, 0).times(entryTicks + stopTicks);
  const lossOfLot = instrument.tickValue.times(fees.plus(Math.abs(entryTicks - stopTicks)));
  const amount = equity.times(risk);
  return bounded(instrument, entryTicks, of, {
    wanted: amount.divToInt(lossOfLot),
    tooSmall: `${brief(amount)} ${instrument.quoteCurrency} is at risk, and a lot loses ${brief(lossOfLot)}`,
  });
}

/**
 * Lots, rounded down, that give the equity a volatility: its share is the target over the
 * volatility of the price, both over the same time. Limits and rejections are those of
 * `sizeByRisk`.
 */
export function sizeByVolatility(instrument: Instrument, of: VolatilitySize): Size {
  checkGiven('sizeByVolatility', instrument, of);
  const { equity, target, volatility, ticks } = of;
  const wrong =
    notPrice('ticks', ticks) ??
    (Number.isFinite(volatility) && volatility > 0
      ? undefined
      : rejectedSize('volatility', `volatility is ${volatility} and must be above 0`)) ??
    (isDecimal(target) && target.greaterThan(0)
      ? undefined
      : rejectedSize('target', `target is ${valueText(target)} and must be a decimal above 0`)) ??
    limitsRejection(of);
  if (wrong !== undefined) return noSize(wrong);
  const lot = instrument.tickValue.times(ticks);
  const amount = equity.times(target);
  return bounded(instrument, ticks, of, {
    wanted: amount.divToInt(lot.times(new Decimal(volatility))),
    tooSmall: `a lot is ${brief(lot)} ${instrument.quoteCurrency}, more than the share of the equity`,
  });
}

function bounded(
  instrument: Instrument,
  ticks: number,
  { equity, leverage = new Decimal(1), budget, minNotional }: SizeLimits,
  { wanted, tooSmall }: { readonly wanted: Decimal; readonly tooSmall: string },
): Size {
  const lot = instrument.tickValue.times(ticks);
  let [most, limitedBy, why]: [Decimal, Size['limitedBy'], string] = [wanted, 'size', tooSmall];
  const limit = (by: 'leverage' | 'budget', count: Decimal, sentence: string): void => {
    if (count.lessThan(most)) [most, limitedBy, why] = [count, by, sentence];
  };
  const value = equity.times(leverage);
  limit('leverage', value.divToInt(lot), `the equity allows ${brief(value)}, and a lot is ${brief(lot)}`); // prettier-ignore
  if (budget !== undefined) {
    const funds = budget.times(leverage);
    const cost = buyReserve(instrument, lot, instrument);
    // The venue accepts an order whose cost is below the available funds, not equal to them.
    const count = funds.divToInt(cost);
    const isAll = count.greaterThan(0) && count.times(cost).equals(funds);
    limit('budget', isAll ? count.minus(1) : count, `${brief(funds)} is free, and a lot costs ${brief(cost)}`); // prettier-ignore
  }
  if (most.lessThan(1)) {
    return noSize(rejectedSize('lots', `Not a lot of ${instrument.symbol}: ${why}`, 'quantity-below-minimum'), limitedBy); // prettier-ignore
  }
  const count = Decimal.min(most, Number.MAX_SAFE_INTEGER).toNumber();
  const notional = lot.times(count);
  if (minNotional !== undefined && notional.lessThan(minNotional)) {
    const what = `${count} lots of ${instrument.symbol} have a value of ${brief(notional)}, below the smallest value of ${brief(minNotional)}`;
    return noSize(rejectedSize('minNotional', what, 'amount-below-minimum'), limitedBy);
  }
  return { lots: asLots(count), value: notional, limitedBy };
}

const noSize = (rejection: Rejection, limitedBy: Size['limitedBy'] = 'size'): Size => ({
  lots: asLots(0),
  value: new Decimal(0),
  limitedBy,
  rejection,
});

const rejectedSize = (
  field: string,
  what: string,
  code: RejectionCode = 'request-invalid',
): Rejection => ({ code, field, message: `${what}.` });

const notPrice = (field: string, ticks: number): Rejection | undefined =>
  Number.isSafeInteger(ticks) && ticks > 0
    ? undefined
    : rejectedSize(field, `${field} is ${ticks} and must be a whole number of ticks above 0`);

const notShare = (field: string, share: Decimal): Rejection | undefined =>
  isDecimal(share) && share.greaterThan(0) && share.lessThanOrEqualTo(1)
    ? undefined
    : rejectedSize(
        field,
        `${field} is ${valueText(share)} and must be a decimal above 0 and at most 1`,
      );

function limitsRejection({
  equity,
  leverage,
  budget,
  minNotional,
}: SizeLimits): Rejection | undefined {
  const given = { equity, leverage, budget, minNotional };
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined && field !== 'equity') continue;
    const isFit =
      isDecimal(value) &&
      (field === 'leverage' ? value.greaterThan(0) : value.greaterThanOrEqualTo(0));
    if (!isFit) return rejectedSize(field, `${field} is ${valueText(value)} and must be a decimal, not negative`); // prettier-ignore
  }
  return undefined;
}

const isDecimal = (value: unknown): value is Decimal =>
  Decimal.isDecimal(value) && value.isFinite();

const valueText = (value: unknown): string =>
  Decimal.isDecimal(value) ? brief(value) : quoted(value);

/** Untyped code may pass anything. */
function checkGiven(call: string, instrument: unknown, of: unknown): void {
  const isFit = instrument instanceof Instrument && typeof of === 'object' && of !== null;
  if (isFit) return;
  throw new MillraceError(
    'usage',
    `${call} takes an instrument, as instrument(symbol) of the context gives it, and an object.`,
  );
}
