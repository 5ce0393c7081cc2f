import { brief, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { Refusal } from '../../model/refusals.ts';

export const marginForbidden = (what: string, mode: MarginMode): Refusal => ({
  code: 'margin-forbidden',
  field: 'symbol',
  message: `${what} is not traded on ${mode} margin here.`,
});

export const accountUnknown = (what: string, mode: MarginMode): Refusal => ({
  code: 'margin-account-unknown',
  field: mode === 'isolated' ? 'symbol' : 'currency',
  message: `There is no ${mode} margin account for ${what}; give it a margin balance first.`,
});

/** The same of an order's symbol: a cross account goes by the currency that the symbol settles in. */
export const accountMissing = (instrument: Instrument, mode: MarginMode): Refusal =>
  accountUnknown(mode === 'cross' ? instrument.quoteCurrency : instrument.symbol, mode);

export const positionUnknown = (symbol: string, field = 'symbol'): Refusal => ({
  code: 'position-unknown',
  field,
  message: `There is no position in ${symbol} that this could make smaller.`,
});

export const closeOnly = (symbol: string, why: string): Refusal => ({
  code: 'position-close-only',
  field: 'quantity',
  message: `The position in ${symbol} can only become smaller: ${why}.`,
});

export const riskLimitExceeded = (value: Decimal, limit: Decimal): Refusal => ({
  code: 'risk-limit-exceeded',
  field: 'quantity',
  message: `The position could grow to a value of ${brief(value)}, and ${brief(limit)} is the most at the account's leverage.`,
  limit: brief(limit),
});

export const marginInsufficient = (
  currency: string,
  balance: Decimal,
  need: Decimal,
  field = 'quantity',
): Refusal => ({
  code: 'funds-insufficient',
  field,
  message: `The margin balance is ${brief(balance)} ${currency} and must be at least ${brief(need)} for positions and orders together.`,
  limit: brief(need),
});
