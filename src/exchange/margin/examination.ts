import type { MarginAccount } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Chronicle } from '../clearing/reports.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { Hands } from './system-orders.ts';
import type { Liquidation } from './liquidation.ts';
import type { MarkPrices } from '../positions/prices.ts';
import type { Reducing } from '../stages/reducing.ts';
import type { Replenishment } from './replenishment.ts';
import type { Reserves } from '../clearing/requirement.ts';
import type { Vault } from '../clearing/funds.ts';
import type { Watch } from '../clearing/standing.ts';

/** Sees after margin accounts whose funds, positions or prices have changed. */
export class Examination {
  readonly #accounts: MarginAccounts;
  readonly #clearing: Clearing;
  readonly #chronicle: Chronicle;
  readonly #prices: MarkPrices;
  readonly #reserves: Reserves;
  readonly #vault: Vault;
  readonly #watch: Watch;
  readonly #liquidation: Liquidation;
  readonly #replenishment: Replenishment;
  readonly #hands: Hands;
  readonly #reducing: Reducing;
  /** Accounts beyond their limit for whom the market had nothing; they are tried again. */
  readonly #waiting = new Set<MarginAccount>();
  readonly #all: readonly number[];
  /** By instrument the price that its positions were judged by last, and its parts of a tick. */
  readonly #seen: Float64Array;
  readonly #seenParts: Float64Array;
  #isLooking = false;

  constructor(setup: {
    readonly accounts: MarginAccounts;
    readonly clearing: Clearing;
    readonly chronicle: Chronicle;
    readonly prices: MarkPrices;
    readonly reserves: Reserves;
    readonly vault: Vault;
    readonly watch: Watch;
    readonly liquidation: Liquidation;
    readonly replenishment: Replenishment;
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
    this.#replenishment = setup.replenishment;
    this.#hands = setup.hands;
    this.#reducing = setup.reducing;
    this.#seen = new Float64Array(setup.accounts.positionsOn.length);
    this.#seenParts = new Float64Array(setup.accounts.positionsOn.length);
    this.#all = setup.accounts.positionsOn.map((_, index) => index);
  }

  /**
   * Looks at the prices of instruments, and examines until nothing changes any more; where something
   * did, it looks at the prices of all. An account is liquidated once at most: what the market does
   * not take is tried again the next time.
   */
  look(instruments: readonly number[]): void {
    if (this.#isLooking) return;
    this.#glance(instruments);
    const { stirred, ended } = this.#clearing;
    if (stirred.size === 0 && this.#waiting.size === 0 && ended.length === 0) return;
    this.#isLooking = true;
    for (const account of this.#waiting) stirred.add(account);
    this.#waiting.clear();
    const tried = new Set<MarginAccount>();
    while (stirred.size > 0 || ended.length > 0) {
      this.#reducing.end();
      this.#glance(this.#all);
      for (const account of [...stirred]) {
        stirred.delete(account);
        this.#examine(account, tried);
      }
    }
    this.#isLooking = false;
  }

  /** Stirs the accounts whose standing has changed with the prices of instruments. */
  #glance(instruments: readonly number[]): void {
    for (const instrument of instruments) {
      if (this.#accounts.positionsOn[instrument].length === 0) continue;
      this.#prices.refresh(instrument);
      const half = this.#prices.half(instrument);
      const parts = this.#prices.parts(instrument);
      if (half === this.#seen[instrument] && parts === this.#seenParts[instrument]) continue;
      this.#seen[instrument] = half;
      this.#seenParts[instrument] = parts;
      this.#watch.stir(instrument, this.#clearing.stirred);
    }
  }

  #examine(account: MarginAccount, tried: Set<MarginAccount>): void {
    if (this.#accounts.find(account.key) !== account) return;
    if (account.positions.size === 0) this.#cover(account);
    this.#watch.adjust(account);
    this.#endUncovered(account);
    let standing = this.#watch.standing(account);
    if (standing !== 'safe' && this.#replenishment.add(account)) {
      standing = this.#watch.standing(account);
    }
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

  #cover(account: MarginAccount): void {
    const lack = this.#vault.cover(account);
    if (!lack.isZero()) this.#chronicle.cover(account, lack);
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
