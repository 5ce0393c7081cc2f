import type { Decimal } from '../../model/decimal.ts';
import { AVAILABLE, RESERVED } from '../ledger/balances.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The three balances of an account. */
export type AccountType = 'wallet' | 'spot' | 'derivatives';

/** A balance that is not empty. */
export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** The ledgers by name, and how amounts move in and between them; every change is reported later. */
export class AccountLedgers {
  readonly #ledgers: Readonly<Record<AccountType, Ledger>>;

  constructor(ledgers: Readonly<Record<AccountType, Ledger>>) {
    this.#ledgers = ledgers;
  }

  available(accountType: AccountType, account: number, currency: number): Decimal {
    return this.#ledgers[accountType].available(account, currency);
  }

  reserved(accountType: AccountType, account: number, currency: number): Decimal {
    return this.#ledgers[accountType].reserved(account, currency);
  }

  /** The balances of an account that are not empty, in the order of the currencies. */
  balances(accountType: AccountType, account: number): Balance[] {
    return this.#ledgers[accountType].balances
      .map(({ currency }, index) => ({
        currency,
        available: this.available(accountType, account, index),
        reserved: this.reserved(accountType, account, index),
      }))
      .filter(({ available, reserved }) => !available.isZero() || !reserved.isZero());
  }

  /** Adds an amount to what is available, or takes a negative one away. */
  add(accountType: AccountType, account: number, currency: number, amount: Decimal): void {
    this.#change(accountType, account, AVAILABLE, currency, amount);
  }

  /** Moves an amount from what one account has available to what another has, or the same elsewhere. */
  move(
    currency: number,
    amount: Decimal,
    from: readonly [AccountType, number],
    to: readonly [AccountType, number],
  ): void {
    this.add(...from, currency, amount.negated());
    this.add(...to, currency, amount);
  }

  /** Holds an amount of a wallet, which leaves what is available. */
  hold(account: number, currency: number, amount: Decimal): void {
    this.add('wallet', account, currency, amount.negated());
    this.#change('wallet', account, RESERVED, currency, amount);
  }

  /** Gives an amount that is held back. */
  release(account: number, currency: number, amount: Decimal): void {
    this.hold(account, currency, amount.negated());
  }

  /** Takes an amount that is held away, out of the ledger. */
  take(account: number, currency: number, amount: Decimal): void {
    this.#change('wallet', account, RESERVED, currency, amount.negated());
  }

  #change(
    accountType: AccountType,
    account: number,
    pocket: number,
    currency: number,
    amount: Decimal,
  ): void {
    this.#ledgers[accountType].change(account, pocket, currency, amount);
  }
}
