import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { AVAILABLE, CurrencyBalances, RESERVED } from './balances.ts';
import { DirtyBalances } from './dirty-balances.ts';

/** Account of the exchange itself: collects fees and pays rebates. */
export const HOUSE = 0;
/** Account of the recorded market: the other side of every trade with it. May be negative. */
export const RECORDED_MARKET = 1;
/**
 * The other side of every margin position: it lends what positions buy or sell with, and holds what
 * they bought. Zero in every currency while no position is open; may be negative otherwise.
 */
export const POOL = 2;
/** The insurance fund: receives liquidation fees and pays deficits of liquidated accounts. */
export const FUND = 3;
/** The first account that `open` returns. */
export const FIRST_ACCOUNT = 4;
/** V8 inlines a constant of this file that is not exported. */
const FIRST = FIRST_ACCOUNT;

/** Balances of all accounts. Only deposits and withdrawals change their sum in each currency. */
export class Ledger {
  /** By currency. */
  declare readonly balances: readonly CurrencyBalances[];
  /** Balances that changed and are not reported yet. */
  declare readonly dirty: DirtyBalances;
  #accounts = FIRST_ACCOUNT;
  readonly #index: ReadonlyMap<string, number>;

  /** A ledger of the instruments' currencies and of other ones. */
  constructor(instruments: readonly Instrument[], others: readonly string[] = []) {
    const traded = instruments.flatMap((i) => [i.baseCurrency, i.quoteCurrency]);
    const currencies = new Set([...traded, ...others]);
    this.balances = [...currencies].map((currency) => new CurrencyBalances(currency));
    this.#index = new Map([...currencies].map((currency, index) => [currency, index]));
    this.dirty = new DirtyBalances(this.balances.length);
    for (const balances of this.balances) balances.grow(this.#accounts);
  }

  /** Number of rows, including the system accounts. */
  get accounts(): number {
    return this.#accounts;
  }

  /** Opens an account with empty balances and returns its number. */
  open(): number {
    const account = this.#accounts;
    this.#accounts += 1;
    for (const balances of this.balances) balances.grow(this.#accounts);
    return account;
  }

  /** Throws `internal` if there is no such account. */
  know(account: number): void {
    if (account < FIRST || account >= this.#accounts) throw stranger(account);
  }

  /**
   * Adds an amount to the available balance. Throws `currency-unknown`, and `out-of-range` for an
   * amount that is not positive.
   */
  deposit(account: number, currency: string, amount: Decimal): void {
    this.know(account);
    if (!amount.isFinite() || !amount.greaterThan(0)) {
      throw new MillraceError(
        'out-of-range',
        `A deposit is a positive amount, not ${amount.toFixed()} ${currency}.`,
        { field: 'amount' },
      );
    }
    const index = this.currency(currency);
    this.change(account, AVAILABLE, index, amount);
  }

  /** Adds an amount to a pocket of a balance, and notes the change for user accounts. */
  change(account: number, pocket: number, currency: number, amount: Decimal): void {
    this.balances[currency].change(account, pocket, amount);
    if (account >= FIRST) this.dirty.note(account, currency);
  }

  /** Index of a currency in `balances`, `undefined` for an unknown one. */
  find(name: string): number | undefined {
    return this.#index.get(name);
  }

  /** Index of a currency in `balances`; throws `currency-unknown`. */
  currency(name: string): number {
    const index = this.find(name);
    if (index === undefined) {
      throw new MillraceError(
        'currency-unknown',
        `No instrument uses the currency ${name}; known are ${[...this.#index.keys()].join(', ')}.`,
        { field: 'currency' },
      );
    }
    return index;
  }

  available(account: number, currency: number): Decimal {
    return this.balances[currency].amount(account, AVAILABLE);
  }

  reserved(account: number, currency: number): Decimal {
    return this.balances[currency].amount(account, RESERVED);
  }
}

const stranger = (account: number): MillraceError =>
  new MillraceError('internal', `There is no account ${account}; open it first.`);
