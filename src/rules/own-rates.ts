import { brief, Decimal } from '../model/decimal.ts';
import type { OwnRates } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { FeeRates } from './funds.ts';
import { quoted } from './quoted.ts';

/** An order's own fee rates, without absent members. */
export const ownRates = ({
  takeRate,
  makeRate,
}: OwnRates): { readonly takeRate?: Decimal; readonly makeRate?: Decimal } => ({
  ...(takeRate === undefined ? {} : { takeRate }),
  ...(makeRate === undefined ? {} : { makeRate }),
});

/** Most decimals of an order's fee rate, so that amounts stay short. */
export const RATE_PLACES = 9;

/** Checks the form of an order's own fee rates, not whether they raise anything. */
export const ownRatesRejection = ({ takeRate, makeRate }: OwnRates): Rejection | undefined =>
  rateRejection('takeRate', takeRate) ?? rateRejection('makeRate', makeRate);

/** Why a fee rate is invalid, if it is given. */
export function rateRejection(
  field: 'takeRate' | 'makeRate',
  rate: unknown,
): Rejection | undefined {
  if (rate === undefined) return undefined;
  const given = Decimal.isDecimal(rate) ? rate : undefined;
  if (given?.isFinite() === true && given.abs().lessThan(1)) {
    if (given.decimalPlaces() <= RATE_PLACES) return undefined;
  }
  return {
    code: 'rate-invalid',
    field,
    message: `${field} is ${given === undefined ? quoted(rate) : brief(given)} and must be a fraction between -1 and 1 with at most ${RATE_PLACES} decimals, such as 0.001.`,
    limit: '1',
  };
}

/**
 * Fee rates of an order: those of its account, each raised to the order's own if that is higher.
 */
export function raisedRates(rates: FeeRates, own: OwnRates): FeeRates {
  const takeRate = higher(rates.takeRate, own.takeRate);
  const makeRate = higher(rates.makeRate, own.makeRate);
  return takeRate === rates.takeRate && makeRate === rates.makeRate
    ? rates
    : { takeRate, makeRate };
}

const higher = (defaults: Decimal, own: Decimal | undefined): Decimal =>
  own?.greaterThan(defaults) === true ? own : defaults;
