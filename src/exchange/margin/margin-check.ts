import { coverDeficit, availableFor, fundMargin } from '../clearing/funds.ts';
import { reportCover, reportMargin } from '../clearing/reports.ts';
import { coversRequirement, youngestReserving } from '../clearing/requirement.ts';
import {
  adjustLimits,
  marginStatusOf,
  markDirtyAccounts,
  markedPositions,
} from '../clearing/margin-status.ts';
import type { MarginAccount } from '../positions/account.ts';
import { endReducing, cancelActive } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { liquidate } from './liquidation.ts';
import { Decimal } from '../../model/decimal.ts';
import { equity, requirement } from '../../rules/margin/maintenance.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';

/**
 * Checks the accounts on these instruments until nothing changes; after a change, all instruments.
 * An account is liquidated at most once per call; what the market does not take is tried again the
 * next time.
 */
export function examine(state: State, instruments: readonly number[]): void {
  if (state.marginAccounts.isExamined) return;
  markChanged(state, instruments);
  const { dirty, ended, unfilled } = state.marginAccounts;
  if (dirty.size === 0 && unfilled.size === 0 && ended.length === 0) return;
  state.marginAccounts.isExamined = true;
  for (const account of unfilled) dirty.add(account);
  unfilled.clear();
  const tried = new Set<MarginAccount>();
  while (dirty.size > 0 || ended.length > 0) {
    endReducing(state);
    markChanged(state, state.prices.all);
    for (const account of [...dirty]) {
      dirty.delete(account);
      examineAccount(state, account, tried);
    }
  }
  state.marginAccounts.isExamined = false;
}

/** Marks the accounts whose status changed with the prices of instruments. */
function markChanged(state: State, instruments: readonly number[]): void {
  for (const instrument of instruments) {
    if (state.marginAccounts.positionsOn[instrument].length === 0) continue;
    state.prices.refresh(instrument, state.now);
    if (state.prices.hasMoved(instrument)) markDirtyAccounts(state, instrument);
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
      // Checked again after the liquidation.
      state.marginAccounts.dirty.add(account);
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

/** Cancels orders that are no longer covered, the newest first. */
function endUncovered(state: State, account: MarginAccount): void {
  while (!coversRequirement(state, account)) {
    const order = youngestReserving(state, account);
    if (order === undefined) return;
    cancelActive(state, order);
  }
}

function call(state: State, account: MarginAccount, isCalled: boolean): void {
  if (account.isCalled === isCalled) return;
  account.isCalled = isCalled;
  reportMargin(state, account, 'updated');
}

/** Checks every instrument with open positions, if anything can have changed. */
export function examineAll(state: State): void {
  if (!isIdle(state)) examine(state, state.prices.all);
}

/** True while only time can change a margin account. */
export const isIdle = ({ marginAccounts }: State): boolean =>
  marginAccounts.open === 0 && marginAccounts.dirty.size === 0;

/**
 * Adds funds to a margin account that is called or beyond its limit, if its holder enabled that: as
 * much as brings the effective leverage, after the closing fee, back to the account's own, or all
 * that is available if that is less. This comes before a liquidation. False if nothing was added.
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
