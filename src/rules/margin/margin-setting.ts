import { brief, Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { MARGIN_MODES, type MarginMode } from '../../model/margin-terms.ts';
import type { Rejection } from '../../model/rejections.ts';
import { quoted } from '../quoted.ts';
import { modeInvalid } from './order-margin.ts';
import { AMOUNT_PLACES } from './quotient.ts';

/** Why a symbol has no margin account of a mode, which may come from untyped code. */
export function marginModeRejection(
  { symbol, margin }: Instrument,
  mode: MarginMode,
): Rejection | undefined {
  if (!MARGIN_MODES.includes(mode)) return modeInvalid(mode);
  return margin[mode]?.active === true ? undefined : marginForbidden(symbol, mode);
}

/** Why a margin account cannot have a leverage, which may come from untyped code. */
export function leverageRejection(
  { margin }: Instrument,
  mode: MarginMode,
  leverage: Decimal,
): Rejection | undefined {
  const maxLeverage = margin[mode]?.maxInitialLeverage ?? ONE;
  return isLeverage(leverage, maxLeverage)
    ? undefined
    : leverageInvalid(`is ${valueText(leverage)} and`, maxLeverage);
}

/** Why a margin account cannot have a balance, which may come from untyped code as `field`. */
export function marginBalanceRejection(
  balance: Decimal,
  field = 'marginBalance',
): Rejection | undefined {
  if (isAmount(balance)) return undefined;
  return {
    code: 'margin-balance-invalid',
    field,
    message: `${field} is ${valueText(balance)} and must be 0 or more, with at most ${AMOUNT_PLACES} decimals.`,
  };
}

export const leverageInvalid = (what: string, maxLeverage: Decimal): Rejection => ({
  code: 'leverage-invalid',
  field: 'leverage',
  message: `leverage ${what} must be from 1 to ${maxLeverage.toFixed()}, with at most 2 decimals.`,
  limit: maxLeverage.toFixed(),
});

export const marginForbidden = (what: string, mode: MarginMode): Rejection => ({
  code: 'margin-forbidden',
  field: 'symbol',
  message: `${what} is not traded on ${mode} margin here.`,
});

export const accountUnknown = (what: string, mode: MarginMode): Rejection => ({
  code: 'margin-account-unknown',
  field: mode === 'isolated' ? 'symbol' : 'currency',
  message: `There is no ${mode} margin account for ${what}; give it a margin balance first.`,
});

/**
 * Rejection for a missing account of an order's symbol: a cross account is that of the settlement
 * currency.
 */
export const accountMissing = (instrument: Instrument, mode: MarginMode): Rejection =>
  accountUnknown(mode === 'cross' ? instrument.quoteCurrency : instrument.symbol, mode);

export const positionUnknown = (symbol: string, field = 'symbol'): Rejection => ({
  code: 'position-unknown',
  field,
  message: `There is no position in ${symbol} that this could reduce.`,
});

/** Rejection for margin that does not cover positions and orders. */
export const marginInsufficient = (
  currency: string,
  balance: Decimal,
  need: Decimal,
  field = 'quantity',
): Rejection => ({
  code: 'funds-insufficient',
  field,
  message: `The margin balance is ${brief(balance)} ${currency} and must be at least ${brief(need)} for positions and orders together.`,
  limit: brief(need),
});

const ONE = new Decimal(1);

const isAmount = (amount: unknown): boolean =>
  Decimal.isDecimal(amount) &&
  amount.isFinite() &&
  !amount.lessThan(0) &&
  amount.decimalPlaces() <= AMOUNT_PLACES;

const isLeverage = (leverage: unknown, maxLeverage: Decimal): boolean =>
  Decimal.isDecimal(leverage) &&
  leverage.greaterThanOrEqualTo(1) &&
  leverage.lessThanOrEqualTo(maxLeverage) &&
  leverage.decimalPlaces() <= 2;

const valueText = (value: unknown): string =>
  Decimal.isDecimal(value) ? brief(value) : quoted(value);
