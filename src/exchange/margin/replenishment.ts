import { Decimal } from '../../model/decimal.ts';
import { equity, requirement } from '../../rules/margin/maintenance.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';
import { availableFor, fundMargin } from '../clearing/funds.ts';
import { reportMargin } from '../clearing/reports.ts';
import { adjustLimits, markedPositions } from '../clearing/standing.ts';
import type { MarginAccount } from '../positions/account.ts';
import type { State } from '../state/state.ts';

/**
 * Adds funds to a margin account that is called or beyond its limit, where its holder wants that: as much as
 * brings the effective leverage, after the fee to close, back to the account's own, or all that is available
 * where that is less. What a liquidation would take is so saved before it comes. False where nothing was added.
 */
export function replenish(state: State, account: MarginAccount): boolean {
  const { trader, isContract } = account.key;
  const { replenished } = state.marginAccounts;
  if (!replenished[isContract ? 'futures' : 'margin'].has(trader)) return false;
  const marked = markedPositions(state, account, 'initial');
  const lacking = requirement(marked).minus(equity(account.balance, marked));
  const available = rounded(availableFor(state, account), AMOUNT_PLACES, 'down');
  const amount = Decimal.min(rounded(lacking, AMOUNT_PLACES, 'up'), available);
  if (!amount.greaterThan(0)) return false;
  fundMargin(state, account, amount);
  adjustLimits(state, account);
  reportMargin(state, account, 'marginChanged');
  return true;
}
