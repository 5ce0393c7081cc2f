import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Herald } from '../state/herald.ts';
import { FUND, HOUSE, type Ledger } from '../ledger/ledger.ts';
import { AVAILABLE, CROSS, MARGIN } from '../ledger/balances.ts';
import type { DirtyBalances } from '../ledger/dirty-balances.ts';
import type { MarginAccount } from '../positions/account.ts';

/** Moves the funds of margin accounts: what an account has is in a pocket of its trader's purse too. */
export class Vault {
  readonly #spot: Ledger;
  readonly #derivatives: Ledger;
  readonly #herald: Herald;

  constructor(spot: Ledger, derivatives: Ledger, herald: Herald) {
    this.#spot = spot;
    this.#derivatives = derivatives;
    this.#herald = herald;
  }

  /** Takes an amount from an account to what a row of its ledger has; a negative one comes back. */
  pay(account: MarginAccount, row: number, amount: Decimal): void {
    if (amount.isZero()) return;
    this.#change(account, amount.negated());
    this.#purse(account).change(row, AVAILABLE, amount);
  }

  /** Takes an amount from what its trader has to an account; a negative one goes back. */
  fund(account: MarginAccount, amount: Decimal): void {
    this.#change(account, amount);
    this.#purse(account).change(account.key.trader, AVAILABLE, amount.negated());
  }

  /** Adds funds from outside, which an account had in a former life. */
  receive(account: MarginAccount, amount: Decimal): void {
    this.#change(account, amount);
  }

  /** What its trader has for it. */
  available(account: MarginAccount): Decimal {
    return this.#purse(account).amount(account.key.trader, AVAILABLE);
  }

  /** What the insurance fund has for accounts of that kind. */
  insured(account: MarginAccount): Decimal {
    return this.#purse(account).amount(FUND, AVAILABLE);
  }

  /** Brings an account that is below zero to zero: the insurance fund pays, and then the house. Gives how much. */
  cover(account: MarginAccount): Decimal {
    const lack = account.balance.negated();
    if (!lack.greaterThan(0)) return ZERO;
    const insured = Decimal.min(lack, Decimal.max(this.insured(account), ZERO));
    this.pay(account, FUND, insured.negated());
    this.pay(account, HOUSE, account.balance);
    return lack;
  }

  #change(account: MarginAccount, amount: Decimal): void {
    account.balance = account.balance.plus(amount);
    const { trader, mode } = account.key;
    this.#purse(account).change(trader, mode === 'cross' ? CROSS : MARGIN, amount);
    this.#touched(account).note(trader, account.currency);
  }

  #purse({ key, currency }: MarginAccount): Ledger['purses'][number] {
    return (key.isContract ? this.#derivatives : this.#spot).purses[currency];
  }

  #touched({ key }: MarginAccount): DirtyBalances {
    return key.isContract ? this.#herald.derivatives : this.#herald.spot;
  }
}
