import type { Exchange } from '../exchange/exchange.ts';
import { CROSS, MARGIN } from '../exchange/ledger/balances.ts';
import type { Ledger } from '../exchange/ledger/ledger.ts';
import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import {
  NON_SPOT_ACCOUNT_TYPES,
  type NonSpotAccountType,
  type NonSpotBalance,
  type NonSpotBalanceSource,
  type NonSpotBalanceListener,
} from '../model/non-spot-balance.ts';
import type { Micros } from '../platform/time.ts';

/** Initial balances of an account besides spot, by account type and currency. */
export type NonSpotBalances = Readonly<
  Partial<Record<NonSpotAccountType, ReadonlyMap<string, Decimal> | undefined>>
>;

export interface SimulatedNonSpotBalancesSetup {
  readonly exchange: Exchange;
  readonly account: number;
  readonly now: () => Micros;
  /** Runs a task when a request has reached the exchange, and when a report has come back. */
  arrive(task: () => void): void;
  comeBack(task: () => void): void;
}

/** Wallet and derivatives balance of the account of a simulated venue. */
export class SimulatedNonSpotBalances implements NonSpotBalanceSource {
  readonly #setup: SimulatedNonSpotBalancesSetup;
  readonly #listeners = new Map<NonSpotAccountType, NonSpotBalanceListener>();

  constructor(setup: SimulatedNonSpotBalancesSetup) {
    this.#setup = setup;
  }

  /** Puts in what the account begins with. Throws `currency-unknown` for a currency that nothing is traded in. */
  deposit(balances: NonSpotBalances): void {
    for (const accountType of NON_SPOT_ACCOUNT_TYPES) {
      const ledger = this.#ledger(accountType);
      for (const [currency, amount] of balances[accountType] ?? []) {
        if (ledger.find(currency) === undefined) throw untraded(accountType, currency);
        if (!amount.isZero()) ledger.deposit(this.#setup.account, currency, amount);
      }
    }
  }

  follow(accountType: NonSpotAccountType, listener: NonSpotBalanceListener): void {
    this.#setup.arrive(() => {
      this.#listeners.set(accountType, listener);
      const ledger = this.#ledger(accountType);
      this.#emit(accountType, listener, {
        isWhole: true,
        of: ledger.balances.map((_, index) => index),
      });
    });
  }

  /** A balance of the account type has changed. */
  changed(accountType: NonSpotAccountType, account: number, currency: number): void {
    const listener = this.#listeners.get(accountType);
    if (listener === undefined || account !== this.#setup.account) return;
    this.#emit(accountType, listener, { isWhole: false, of: [currency] });
  }

  #emit(
    accountType: NonSpotAccountType,
    listener: NonSpotBalanceListener,
    { isWhole, of }: { readonly isWhole: boolean; readonly of: readonly number[] },
  ): void {
    const at = this.#setup.now();
    const balances = of.map((currency) => this.#balance(accountType, currency));
    this.#setup.comeBack(() => listener.reported({ accountType, at, isWhole, balances }));
  }

  #balance(accountType: NonSpotAccountType, index: number): NonSpotBalance {
    const { account } = this.#setup;
    const ledger = this.#ledger(accountType);
    const budget = ledger.balances[index];
    return {
      currency: budget.currency,
      available: ledger.available(account, index),
      reserved: ledger.reserved(account, index),
      reservedMargin: budget.amount(account, MARGIN).plus(budget.amount(account, CROSS)),
    };
  }

  #ledger(accountType: NonSpotAccountType): Ledger {
    const { wallets, derivatives } = this.#setup.exchange;
    return accountType === 'wallet' ? wallets : derivatives;
  }
}

const untraded = (accountType: NonSpotAccountType, currency: string): MillraceError =>
  new MillraceError(
    'currency-unknown',
    `The ${accountType} begins with ${currency}, in which no instrument of this run is traded.`,
    { field: `nonSpotBalances.${accountType}.${currency}` },
  );
