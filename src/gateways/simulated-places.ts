import type { Exchange } from '../exchange/exchange.ts';
import { CROSS, MARGIN } from '../exchange/ledger/balances.ts';
import type { Ledger } from '../exchange/ledger/ledger.ts';
import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import {
  OTHER_PLACES,
  type OtherPlace,
  type PlaceBalance,
  type PlaceBalances,
  type PlaceListener,
} from '../model/place-balance.ts';
import type { Micros } from '../platform/time.ts';

/** What an account begins with beside its spot balance, by place and currency. */
export type NonSpotBalances = Readonly<
  Partial<Record<OtherPlace, ReadonlyMap<string, Decimal> | undefined>>
>;

export interface SimulatedPlacesSetup {
  readonly exchange: Exchange;
  readonly account: number;
  readonly now: () => Micros;
  /** Does a task when a request has come to the exchange, and when a report has come back. */
  arrive(task: () => void): void;
  comeBack(task: () => void): void;
}

/** Wallet and derivatives balance of the account of a simulated venue. */
export class SimulatedPlaces implements PlaceBalances {
  readonly #setup: SimulatedPlacesSetup;
  readonly #listeners = new Map<OtherPlace, PlaceListener>();

  constructor(setup: SimulatedPlacesSetup) {
    this.#setup = setup;
  }

  /** Puts in what the account begins with. Throws `currency-unknown` for a currency that nothing is traded in. */
  deposit(balances: NonSpotBalances): void {
    for (const place of OTHER_PLACES) {
      const ledger = this.#ledger(place);
      for (const [currency, amount] of balances[place] ?? []) {
        if (ledger.find(currency) === undefined) throw untraded(place, currency);
        if (!amount.isZero()) ledger.deposit(this.#setup.account, currency, amount);
      }
    }
  }

  follow(place: OtherPlace, listener: PlaceListener): void {
    this.#setup.arrive(() => {
      this.#listeners.set(place, listener);
      const ledger = this.#ledger(place);
      this.#emit(place, listener, { isWhole: true, of: ledger.balances.map((_, index) => index) });
    });
  }

  /** A balance of the place has changed. */
  changed(place: OtherPlace, account: number, currency: number): void {
    const listener = this.#listeners.get(place);
    if (listener === undefined || account !== this.#setup.account) return;
    this.#emit(place, listener, { isWhole: false, of: [currency] });
  }

  #emit(
    place: OtherPlace,
    listener: PlaceListener,
    { isWhole, of }: { readonly isWhole: boolean; readonly of: readonly number[] },
  ): void {
    const at = this.#setup.now();
    const balances = of.map((currency) => this.#balance(place, currency));
    this.#setup.comeBack(() => listener.reported({ place, at, isWhole, balances }));
  }

  #balance(place: OtherPlace, index: number): PlaceBalance {
    const { account } = this.#setup;
    const ledger = this.#ledger(place);
    const budget = ledger.balances[index];
    return {
      currency: budget.currency,
      available: ledger.available(account, index),
      reserved: ledger.reserved(account, index),
      reservedMargin: budget.amount(account, MARGIN).plus(budget.amount(account, CROSS)),
    };
  }

  #ledger(place: OtherPlace): Ledger {
    const { wallets, derivatives } = this.#setup.exchange;
    return place === 'wallet' ? wallets : derivatives;
  }
}

const untraded = (place: OtherPlace, currency: string): MillraceError =>
  new MillraceError(
    'currency-unknown',
    `The ${place} begins with ${currency}, in which no instrument of this run is traded.`,
    { field: `nonSpotBalances.${place}.${currency}` },
  );
