import { coverDeficit, availableFor, fundMargin } from '../clearing/funds.ts';
import { reportCover, reportMargin } from '../clearing/reports.ts';
import { coversRequirement, youngestReserving } from '../clearing/requirement.ts';
import {
  adjustLimits,
  marginStatusOf,
  stirAccounts,
  markedPositions,
} from '../clearing/margin-status.ts';
import type { MarginAccount } from '../positions/account.ts';
import { endReducing, withdrawActive } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { liquidate } from './liquidation.ts';
import { Decimal } from '../../model/decimal.ts';
import { equity, requirement } from '../../rules/margin/maintenance.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';

/**
 * Looks at the prices of instruments, and examines until nothing changes any more; where something
 * did, it looks at the prices of all. An account is liquidated once at most: what the market does
 * not take is tried again the next time.
 */
export function examine(state: State, instruments: readonly number[]): void {
  if (state.marginAccounts.isExamined) return;
  glance(state, instruments);
  const { stirred, ended, unfilled } = state.marginAccounts;
  if (stirred.size === 0 && unfilled.size === 0 && ended.length === 0) return;
  state.marginAccounts.isExamined = true;
  for (const account of unfilled) stirred.add(account);
  unfilled.clear();
  const tried = new Set<MarginAccount>();
  while (stirred.size > 0 || ended.length > 0) {
    endReducing(state);
    glance(state, state.prices.all);
    for (const account of [...stirred]) {
      stirred.delete(account);
      examineAccount(state, account, tried);
    }
  }
  state.marginAccounts.isExamined = false;
}

/** Stirs the accounts whose standing has changed with the prices of instruments. */
function glance(state: State, instruments: readonly number[]): void {
  for (const instrument of instruments) {
    if (state.marginAccounts.positionsOn[instrument].length === 0) continue;
    state.prices.refresh(instrument, state.now);
    if (state.prices.hasMoved(instrument)) stirAccounts(state, instrument);
  }
}

function examineAccount(state: State, account: MarginAccount, tried: Set<MarginAccount>): void {
  if (state.marginAccounts.find(account.key) !== account) return;
  if (account.positions.size === 0) cover(state, account);
  adjustLimits(state, account);
  endUncovered(state, account);
  let status = marginStatusOf(state, account);
  if (status !== 'safe' && replenish(state, account)) {
    status = marginStatusOf(state, account);
  }
  if (status === 'beyond') {
    if (tried.has(account)) {
      state.marginAccounts.unfilled.add(account);
    } else {
      tried.add(account);
      // It is looked at again when that is done.
      state.marginAccounts.stirred.add(account);
      liquidate(state, account);
      return;
    }
  }
  call(state, account, status !== 'safe');
}

function cover(state: State, account: MarginAccount): void {
  const lack = coverDeficit(state, account);
  if (!lack.isZero()) reportCover(state, account, lack);
}

/** Orders for which there are no funds any more end, the youngest first. */
function endUncovered(state: State, account: MarginAccount): void {
  while (!coversRequirement(state, account)) {
    const order = youngestReserving(state, account);
    if (order === undefined) return;
    withdrawActive(state, order);
  }
}

function call(state: State, account: MarginAccount, isCalled: boolean): void {
  if (account.isCalled === isCalled) return;
  account.isCalled = isCalled;
  reportMargin(state, account, 'updated');
}

/** Looks at everything that has open positions, where something can have changed. */
export function examineAll(state: State): void {
  if (!isIdle(state)) examine(state, state.prices.all);
}

/** True while nothing can happen to any margin account but by time. */
export const isIdle = ({ marginAccounts }: State): boolean =>
  marginAccounts.open === 0 && marginAccounts.stirred.size === 0;

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
