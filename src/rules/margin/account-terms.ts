import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { MarginRules } from '../../model/margin-terms.ts';

/** Terms on which a margin account trades an instrument. */
export interface AccountTerms {
  readonly rules: MarginRules;
  /**
   * The account's leverage, or the instrument's maximum if that is less or the account has none.
   */
  readonly leverage: Decimal;
  /** f of the formulas: the reserve rate of the terms, else the taker rate. */
  readonly rate: Decimal;
}

/** Terms of an account for an instrument; `undefined` if it is not traded in the account's mode. */
export function accountTerms(
  { margin, takeRate }: Instrument,
  { mode, leverage }: Pick<MarginAccountState, 'mode' | 'leverage'>,
): AccountTerms | undefined {
  const rules = margin[mode];
  if (rules === undefined) return undefined;
  const maxLeverage = rules.maxInitialLeverage;
  return {
    rules,
    leverage: leverage === undefined ? maxLeverage : Decimal.min(leverage, maxLeverage),
    rate: rules.reserveRate ?? takeRate,
  };
}
