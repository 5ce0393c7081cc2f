import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Account } from '../account/account.ts';
import { amountsText, readAmounts } from '../journal/amounts-text.ts';

/** Its name in the journal. */
const KEPT = 'transferred';

interface Unexplained {
  /** The account's balance beyond the fills of its strategies, at the last quiet read. */
  readonly settled: Decimal;
  /** The part of it by foreign fills by then, since the start. */
  readonly foreign: Decimal;
  /** The same at the last read, if it differed. */
  readonly lately?: Decimal | undefined;
}

/** Result of a read. */
export interface Moved {
  /** False while a balance may only be behind its fill, or ahead of it. */
  readonly isQuiet: boolean;
  /** Amounts that came (positive) or went except by fills of the strategies, by currency. */
  readonly amounts: ReadonlyMap<string, Decimal>;
  /** The part of it that no foreign fill explains either. */
  readonly unexplained: ReadonlyMap<string, Decimal>;
}

/**
 * Detects money that came or went except by trades of the strategies, such as transfers and manual orders,
 * which are neither profit nor loss. The balance after a fill comes just after the fill, so a difference
 * counts once two consecutive reads have it.
 */
export class Transfers {
  readonly #account: Account;
  readonly #known = new Map<string, Unexplained>();

  /** Continues from the stored state of an earlier process: changes since then are detected too. */
  constructor(account: Account) {
    this.#account = account;
    const kept = account.journal.kept(KEPT);
    if (kept === undefined) return;
    const settled = readAmounts(kept, account.name);
    for (const currency of new Set([...settled.keys(), ...account.balances.currencies])) {
      this.#known.set(currency, { settled: settled.get(currency) ?? ZERO, foreign: ZERO });
    }
  }

  /** Stores the detected amounts, together with the equities that include them. */
  keep(): void {
    const settled = new Map([...this.#known].map(([currency, one]) => [currency, one.settled]));
    this.#account.journal.keep(KEPT, amountsText(settled));
  }

  read(): Moved {
    const amounts = new Map<string, Decimal>();
    const unexplained = new Map<string, Decimal>();
    let isQuiet = true;
    for (const currency of this.#account.balances.currencies) {
      const now = this.#unexplained(currency);
      const foreign = this.#account.journal.foreignChanges.of(currency);
      const before = this.#known.get(currency);
      if (before === undefined || now.equals(before.settled)) {
        this.#known.set(currency, { settled: now, foreign });
      } else if (before.lately?.equals(now) === true) {
        const amount = now.minus(before.settled);
        amounts.set(currency, amount);
        const rest = amount.minus(foreign.minus(before.foreign));
        if (!rest.isZero()) unexplained.set(currency, rest);
        this.#known.set(currency, { settled: now, foreign });
      } else {
        isQuiet = false;
        this.#known.set(currency, { ...before, lately: now });
      }
    }
    return { isQuiet, amounts, unexplained };
  }

  #unexplained(currency: string): Decimal {
    // Includes strategies that are no longer configured: their changes remain.
    const changes = this.#account.journal
      .holdings()
      .filter((one) => one.currency === currency)
      .reduce((sum, { change }) => sum.plus(change), ZERO);
    return this.#account.balances.holding(currency).minus(changes);
  }
}
