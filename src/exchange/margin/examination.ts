import type { MarginAccount } from './account.ts';
import type { MarginAccounts } from './accounts.ts';
import type { Chronicle } from './chronicle.ts';
import type { Clearing } from './clearing.ts';
import type { Hands } from './hands.ts';
import type { Liquidation } from './liquidation.ts';
import type { Prices } from './prices.ts';
import type { Reducing } from './reducing.ts';
import type { Reserves } from './reserves.ts';
import type { Vault } from './vault.ts';
import type { Watch } from './watch.ts';

/** Sees after margin accounts whose funds, positions or prices have changed. */
export class Examination {
  readonly #accounts: MarginAccounts;
  readonly #clearing: Clearing;
  readonly #chronicle: Chronicle;
  readonly #prices: Prices;
  readonly #reserves: Reserves;
  readonly #vault: Vault;
  readonly #watch: Watch;
  readonly #liquidation: Liquidation;
  readonly #hands: Hands;
  readonly #reducing: Reducing;
  /** Accounts beyond their limit for whom the market had nothing; they are tried again. */
  readonly #waiting = new Set<MarginAccount>();
  #isLooking = false;

  constructor(setup: {
    readonly accounts: MarginAccounts;
    readonly clearing: Clearing;
    readonly chronicle: Chronicle;
    readonly prices: Prices;
    readonly reserves: Reserves;
    readonly vault: Vault;
    readonly watch: Watch;
    readonly liquidation: Liquidation;
    readonly hands: Hands;
    readonly reducing: Reducing;
  }) {
    this.#accounts = setup.accounts;
    this.#clearing = setup.clearing;
    this.#chronicle = setup.chronicle;
    this.#prices = setup.prices;
    this.#reserves = setup.reserves;
    this.#vault = setup.vault;
    this.#watch = setup.watch;
    this.#liquidation = setup.liquidation;
    this.#hands = setup.hands;
    this.#reducing = setup.reducing;
  }

  /**
   * Looks at the prices of instruments, and examines until nothing changes any more; where something
   * did, it looks at the prices of all. An account is liquidated once at most: what the market does
   * not take is tried again the next time.
   */
  look(instruments: readonly number[]): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { stirred } = this.#clearing;
    let watched = instruments;
    for (const account of this.#waiting) stirred.add(account);
    this.#waiting.clear();
    const tried = new Set<MarginAccount>();
    do {
      this.#reducing.end();
      for (const instrument of watched) {
        if (this.#accounts.positionsOn[instrument].length === 0) continue;
        if (!this.#prices.refresh(instrument)) continue;
        for (const account of this.#watch.concerned(instrument)) stirred.add(account);
      }
      if (stirred.size > 0) watched = this.#accounts.positionsOn.map((_, index) => index);
      for (const account of [...stirred]) {
        stirred.delete(account);
        this.#examine(account, tried);
      }
    } while (stirred.size > 0);
    this.#isLooking = false;
  }

  #examine(account: MarginAccount, tried: Set<MarginAccount>): void {
    if (this.#accounts.find(account.key) !== account) return;
    if (account.positions.size === 0) this.#vault.cover(account);
    // A position that was opened just now has a price that nobody has looked at yet.
    for (const instrument of account.positions.keys()) this.#prices.refresh(instrument);
    this.#watch.adjust(account);
    this.#endUncovered(account);
    const standing = this.#watch.standing(account);
    if (standing === 'beyond') {
      if (tried.has(account)) {
        this.#waiting.add(account);
      } else {
        tried.add(account);
        // It is looked at again when that is done.
        this.#clearing.stirred.add(account);
        this.#liquidation.run(account);
        return;
      }
    } else account.isLiquidating = false;
    this.#call(account, standing !== 'safe');
  }

  /** Orders for which there are no funds any more end, the youngest first. */
  #endUncovered(account: MarginAccount): void {
    while (!this.#reserves.areCovered(account)) {
      const order = this.#reserves.youngest(account);
      if (order === undefined) return;
      this.#hands.withdraw(order);
    }
  }

  #call(account: MarginAccount, isCalled: boolean): void {
    if (account.isCalled === isCalled) return;
    account.isCalled = isCalled;
    this.#chronicle.report(account, 'updated');
  }
}
