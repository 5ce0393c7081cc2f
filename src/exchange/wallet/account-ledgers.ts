import type { Decimal } from '../../model/decimal.ts';
import { AVAILABLE, RESERVED } from '../ledger/balances.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The three balances of an account. */
export type Place = 'wallet' | 'spot' | 'derivatives';

/** A balance that is not empty. */
export interface Balance {
  readonly currency: string;
  readonly available: Decimal;
  readonly reserved: Decimal;
}

/** The ledgers by name, and how amounts move in and between them; every change is reported later. */
export class AccountLedgers {
  readonly #ledgers: Readonly<Record<Place, Ledger>>;

  constructor(ledgers: Readonly<Record<Place, Ledger>>) {
    this.#ledgers = ledgers;
  }

  available(place: Place, account: number, currency: number): Decimal {
    return this.#ledgers[place].available(account, currency);
  }

  reserved(place: Place, account: number, currency: number): Decimal {
    return this.#ledgers[place].reserved(account, currency);
  }

  /** The balances of an account that are not empty, in the order of the currencies. */
  balances(place: Place, account: number): Balance[] {
    return this.#ledgers[place].balances
      .map(({ currency }, index) => ({
        currency,
        available: this.available(place, account, index),
        reserved: this.reserved(place, account, index),
      }))
      .filter(({ available, reserved }) => !available.isZero() || !reserved.isZero());
  }

  /** Adds an amount to what is available, or takes a negative one away. */
  add(place: Place, account: number, currency: number, amount: Decimal): void {
    this.#change(place, account, AVAILABLE, currency, amount);
  }

  /** Moves an amount from what one account has available to what another has, or the same elsewhere. */
  move(
    currency: number,
    amount: Decimal,
    from: readonly [Place, number],
    to: readonly [Place, number],
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

  #change(place: Place, account: number, pocket: number, currency: number, amount: Decimal): void {
    this.#ledgers[place].change(account, pocket, currency, amount);
  }
}
