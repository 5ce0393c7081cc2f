import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { MarginRules } from '../../model/margin-terms.ts';

/** On what terms a margin account trades an instrument. */
export interface AccountTerms {
  readonly rules: MarginRules;
  /** The account's, or the most that the instrument allows where that is less or the account has none. */
  readonly leverage: Decimal;
  /** f of the formulas: the reserve rate of the terms, the taker's where they have none. */
  readonly rate: Decimal;
}

/** The terms of an account for an instrument; `undefined` where it is not traded in the account's mode. */
export function accountTerms(
  { margin, takeRate }: Instrument,
  { mode, leverage }: Pick<MarginAccountState, 'mode' | 'leverage'>,
): AccountTerms | undefined {
  const rules = margin[mode];
  if (rules === undefined) return undefined;
  const most = rules.maxInitialLeverage;
  return {
    rules,
    leverage: leverage === undefined ? most : Decimal.min(leverage, most),
    rate: rules.reserveRate ?? takeRate,
  };
}
