import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Account } from '../account/account.ts';
import { amountsText, readAmounts } from '../journal/amounts-text.ts';

/** Under which name the journal keeps it. */
const KEPT = 'transferred';

interface Unexplained {
  /** What the account has beyond what fills of its strategies made, as it stood at the last quiet look. */
  readonly settled: Decimal;
  /** What fills of others had made of that by then, since the start. */
  readonly foreign: Decimal;
  /** The same at the last look, where it was another. */
  readonly lately?: Decimal | undefined;
}

/** What a look found. */
export interface Moved {
  /** False while a balance may only be behind its fill, or ahead of it. */
  readonly isQuiet: boolean;
  /** What came (positive) or went otherwise than by fills of the strategies, by currency. */
  readonly amounts: ReadonlyMap<string, Decimal>;
  /** The part of that which no fill of others explains either. */
  readonly unexplained: ReadonlyMap<string, Decimal>;
}

/**
 * Finds money that came or went by other ways than the trades of the strategies, such as transfers and
 * orders by hand, which are neither profit nor loss. The balance after a fill comes just after the fill, so
 * a difference counts once two looks in a row have seen it.
 */
export class Transfers {
  readonly #account: Account;
  readonly #known = new Map<string, Unexplained>();

  /** Goes on from what a previous run kept: what came and went since then is found too. */
  constructor(account: Account) {
    this.#account = account;
    const kept = account.journal.kept(KEPT);
    if (kept === undefined) return;
    const settled = readAmounts(kept, account.name);
    for (const currency of new Set([...settled.keys(), ...account.balances.currencies])) {
      this.#known.set(currency, { settled: settled.get(currency) ?? ZERO, foreign: ZERO });
    }
  }

  /** Keeps what was found so far, together with the equities that it has been counted in. */
  keep(): void {
    const settled = new Map([...this.#known].map(([currency, one]) => [currency, one.settled]));
    this.#account.journal.keep(KEPT, amountsText(settled));
  }

  look(): Moved {
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
    // Those of strategies too that are configured no more: what they made is still there.
    const changes = this.#account.journal
      .holdings()
      .filter((one) => one.currency === currency)
      .reduce((sum, { change }) => sum.plus(change), ZERO);
    return this.#account.balances.holding(currency).minus(changes);
  }
}
