import type { Decimal } from '../../model/decimal.ts';
import type { AccountType } from '../../model/non-spot-balance.ts';
import { AVAILABLE, RESERVED } from '../ledger/balances.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** A balance that is not empty. */
export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** Ledgers by account type, and transfers in and between them; changes are reported later. */
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

  /** Balances of an account that are not empty, in the order of the currencies. */
  balances(accountType: AccountType, account: number): Balance[] {
    return this.#ledgers[accountType].balances
      .map(({ currency }, index) => ({
        currency,
        available: this.available(accountType, account, index),
        reserved: this.reserved(accountType, account, index),
      }))
      .filter(({ available, reserved }) => !available.isZero() || !reserved.isZero());
  }

  /** Adds an amount to the available balance, or subtracts a negative one. */
  add(accountType: AccountType, account: number, currency: number, amount: Decimal): void {
    this.#change(accountType, account, AVAILABLE, currency, amount);
  }

  /** Moves an available amount to another account or account type. */
  move(
    currency: number,
    amount: Decimal,
    from: readonly [AccountType, number],
    to: readonly [AccountType, number],
  ): void {
    this.add(...from, currency, amount.negated());
    this.add(...to, currency, amount);
  }

  /** Reserves an available amount of a wallet. */
  hold(account: number, currency: number, amount: Decimal): void {
    this.add('wallet', account, currency, amount.negated());
    this.#change('wallet', account, RESERVED, currency, amount);
  }

  /** Releases a reserved amount. */
  release(account: number, currency: number, amount: Decimal): void {
    this.hold(account, currency, amount.negated());
  }

  /** Removes a reserved amount from the ledger. */
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
