import { Decimal } from '../../model/decimal.ts';
import { equity, requirement } from '../../rules/margin/maintenance.ts';
import { AMOUNT_PLACES, rounded } from '../../rules/margin/quotient.ts';
import type { MarginAccount } from '../positions/account.ts';
import type { Chronicle } from '../clearing/reports.ts';
import type { Vault } from '../clearing/funds.ts';
import type { Watch } from '../clearing/standing.ts';

/**
 * Adds funds to the margin accounts of those who want it so when the margin call comes: as much as
 * brings the effective leverage, after the fee to close, back to the account's own, or all that is
 * available where that is less. What a liquidation would take is so saved before it comes.
 */
export class Replenishment {
  readonly #vault: Vault;
  readonly #watch: Watch;
  readonly #chronicle: Chronicle;
  /** Who wants it, of spot margin and of futures apart. */
  readonly #wanted = { margin: new Set<number>(), futures: new Set<number>() };

  constructor(setup: {
    readonly vault: Vault;
    readonly watch: Watch;
    readonly chronicle: Chronicle;
  }) {
    this.#vault = setup.vault;
    this.#watch = setup.watch;
    this.#chronicle = setup.chronicle;
  }

  isWanted(trader: number, of: 'margin' | 'futures'): boolean {
    return this.#wanted[of].has(trader);
  }

  want(trader: number, of: 'margin' | 'futures', isWanted: boolean): void {
    if (isWanted) this.#wanted[of].add(trader);
    else this.#wanted[of].delete(trader);
  }

  /** Adds what an account lacks that is called or beyond its limit; false where nothing was added. */
  add(account: MarginAccount): boolean {
    const { trader, isContract } = account.key;
    if (!this.isWanted(trader, isContract ? 'futures' : 'margin')) return false;
    const marked = this.#watch.marked(account, 'initial');
    const lacking = requirement(marked).minus(equity(account.balance, marked));
    const available = rounded(this.#vault.available(account), AMOUNT_PLACES, 'down');
    const amount = Decimal.min(rounded(lacking, AMOUNT_PLACES, 'up'), available);
    if (!amount.greaterThan(0)) return false;
    this.#vault.fund(account, amount);
    this.#watch.adjust(account);
    this.#chronicle.report(account, 'marginChanged');
    return true;
  }
}
