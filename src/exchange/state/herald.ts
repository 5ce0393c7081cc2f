import type { ExchangeListener } from './listener.ts';
import { DirtyBalances } from '../ledger/dirty-balances.ts';

/** Tells the listener which balances of which ledger have changed, each once, in that order. */
export class Herald {
  /** Changed balances of the spot ledger, of the wallets and of the derivatives ledger. */
  declare readonly spot: DirtyBalances;
  declare readonly wallets: DirtyBalances;
  declare readonly derivatives: DirtyBalances;
  declare private readonly listener: ExchangeListener;

  constructor(currencies: number, listener: ExchangeListener) {
    this.spot = new DirtyBalances(currencies);
    this.wallets = new DirtyBalances(currencies);
    this.derivatives = new DirtyBalances(currencies);
    this.listener = listener;
  }

  tell(): void {
    const { spot } = this;
    if (spot.count === 1) {
      this.listener.balance(spot.account(0), spot.currency(0));
      spot.clear();
    } else if (spot.count > 1) this.#tellSpot();
    if (this.wallets.count > 0) this.#tellWallets();
    if (this.derivatives.count > 0) this.#tellDerivatives();
  }

  #tellSpot(): void {
    const { spot } = this;
    for (let i = 0; i < spot.count; i += 1) {
      this.listener.balance(spot.account(i), spot.currency(i));
    }
    spot.clear();
  }

  #tellWallets(): void {
    const { wallets } = this;
    for (let i = 0; i < wallets.count; i += 1) {
      this.listener.walletBalance?.(wallets.account(i), wallets.currency(i));
    }
    wallets.clear();
  }

  #tellDerivatives(): void {
    const { derivatives } = this;
    for (let i = 0; i < derivatives.count; i += 1) {
      this.listener.derivativesBalance?.(derivatives.account(i), derivatives.currency(i));
    }
    derivatives.clear();
  }
}
