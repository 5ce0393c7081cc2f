import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { BalanceReport } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';

/** The balances of an account as last reported. */
export class AccountBalances {
  readonly #balances = new Map<string, BalanceReport>();

  report(balance: BalanceReport): void {
    this.#balances.set(balance.currency, balance);
  }

  /** All of them, as reports of a time. */
  reports(at: Micros): readonly BalanceReport[] {
    return [...this.#balances.values()].map((balance) => ({ ...balance, at }));
  }

  /** Balance of a currency, reserved or not. */
  holding(currency: string): Decimal {
    const balance = this.#balances.get(currency);
    return balance === undefined ? ZERO : balance.available.plus(balance.reserved).toDecimal();
  }

  /** The currencies that the account has. */
  get currencies(): readonly string[] {
    return [...this.#balances.keys()];
  }
}
