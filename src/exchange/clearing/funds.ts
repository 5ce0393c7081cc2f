import { Decimal, ZERO } from '../../model/decimal.ts';
import { AVAILABLE, CROSS, MARGIN } from '../ledger/balances.ts';
import { FUND, HOUSE, type Ledger } from '../ledger/ledger.ts';
import type { MarginAccount } from '../positions/account.ts';
import type { State } from '../state/state.ts';

/** The ledger of a margin account; its funds are a part of its trader's balance there. */
const ledgerOf = (state: State, { key }: MarginAccount): Ledger =>
  key.isContract ? state.derivatives : state.ledger;

/** Pays an amount from an account into a row of its ledger; a negative amount is received. */
export function payFrom(state: State, account: MarginAccount, row: number, amount: Decimal): void {
  if (amount.isZero()) return;
  addFunds(state, account, amount.negated());
  ledgerOf(state, account).balances[account.currency].change(row, AVAILABLE, amount);
}

/**
 * Moves an amount from the trader's available balance to a margin account; a negative one moves
 * back.
 */
export function fundMargin(state: State, account: MarginAccount, amount: Decimal): void {
  addFunds(state, account, amount);
  const { key, currency } = account;
  ledgerOf(state, account).change(key.trader, AVAILABLE, currency, amount.negated());
}

/** Adds funds to a margin account alone; the caller books the other side. */
export function addFunds(state: State, account: MarginAccount, amount: Decimal): void {
  account.balance = account.balance.plus(amount);
  const { trader, mode } = account.key;
  const pocket = mode === 'cross' ? CROSS : MARGIN;
  ledgerOf(state, account).change(trader, pocket, account.currency, amount);
}

/** The trader's available balance in the account's currency. */
export const availableFor = (state: State, account: MarginAccount): Decimal =>
  ledgerOf(state, account).available(account.key.trader, account.currency);

/** Balance of the insurance fund for accounts of that kind. */
export const insuredFor = (state: State, account: MarginAccount): Decimal =>
  ledgerOf(state, account).available(FUND, account.currency);

/**
 * Raises a negative balance to zero: the insurance fund pays first, then the exchange. Returns the
 * amount.
 */
export function coverDeficit(state: State, account: MarginAccount): Decimal {
  const lack = account.balance.negated();
  if (!lack.greaterThan(0)) return ZERO;
  const insured = Decimal.min(lack, Decimal.max(insuredFor(state, account), ZERO));
  payFrom(state, account, FUND, insured.negated());
  payFrom(state, account, HOUSE, account.balance);
  return lack;
}
