import { Decimal, ZERO } from '../../model/decimal.ts';
import { AVAILABLE, CROSS, MARGIN } from '../ledger/balances.ts';
import { FUND, HOUSE, type Ledger } from '../ledger/ledger.ts';
import type { MarginAccount } from '../positions/account.ts';
import type { State } from '../state/state.ts';

/** The ledger that a margin account is in: what it has is in a pocket of its trader's balance there too. */
const ledgerOf = (state: State, { key }: MarginAccount): Ledger =>
  key.isContract ? state.derivatives : state.ledger;

/** Takes an amount from an account to what a row of its ledger has; a negative one comes back. */
export function payFrom(state: State, account: MarginAccount, row: number, amount: Decimal): void {
  if (amount.isZero()) return;
  addFunds(state, account, amount.negated());
  ledgerOf(state, account).balances[account.currency].change(row, AVAILABLE, amount);
}

/** Takes an amount from what its trader has to an account; a negative one goes back. */
export function fundMargin(state: State, account: MarginAccount, amount: Decimal): void {
  addFunds(state, account, amount);
  const { key, currency } = account;
  ledgerOf(state, account).change(key.trader, AVAILABLE, currency, amount.negated());
}

/** Adds funds to an account, which come from outside. */
export function addFunds(state: State, account: MarginAccount, amount: Decimal): void {
  account.balance = account.balance.plus(amount);
  const { trader, mode } = account.key;
  const pocket = mode === 'cross' ? CROSS : MARGIN;
  ledgerOf(state, account).change(trader, pocket, account.currency, amount);
}

/** What its trader has for it. */
export const availableFor = (state: State, account: MarginAccount): Decimal =>
  ledgerOf(state, account).available(account.key.trader, account.currency);

/** What the insurance fund has for accounts of that kind. */
export const insuredFor = (state: State, account: MarginAccount): Decimal =>
  ledgerOf(state, account).available(FUND, account.currency);

/** Brings an account that is below zero to zero: the insurance fund pays, and then the house. Gives how much. */
export function coverDeficit(state: State, account: MarginAccount): Decimal {
  const lack = account.balance.negated();
  if (!lack.greaterThan(0)) return ZERO;
  const insured = Decimal.min(lack, Decimal.max(insuredFor(state, account), ZERO));
  payFrom(state, account, FUND, insured.negated());
  payFrom(state, account, HOUSE, account.balance);
  return lack;
}
