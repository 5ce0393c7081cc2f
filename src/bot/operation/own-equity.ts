import { z } from 'zod';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { valuesOf } from '../../risk/values.ts';
import type { Account } from '../account/account.ts';
import type { Journal } from '../journal/journal.ts';
import type { StrategyRunner } from '../strategy/runner.ts';

/** Its name in the journal. */
const KEPT = 'otherStrategies';

/** By quote currency the strategies that an equity leaves out. */
type LeftOut = Map<string, readonly string[]>;

const keptForm = z.record(z.string(), z.record(z.string(), z.array(z.string())));

/**
 * Equities of an account's strategies without a budget: the account's equity without the changes by fills
 * of the bot's other strategies there, so that another's trades and positions do not move its PnL. An
 * equity baseline was set with certain strategies left out. If strategies came or went since, it is
 * adjusted first, at the earlier prices: neither profit nor loss comes from a new configuration, nor from
 * the first start with a release that leaves them out.
 */
export class OwnEquities {
  readonly #account: Account;
  readonly #skipped: Map<string, LeftOut>;

  /** Continues from the stored state of an earlier process. Throws `journal-invalid`. */
  constructor(account: Account) {
    this.#account = account;
    this.#skipped = read(account.journal, account.name);
  }

  /** The equities of a strategy, without those whose baseline waits for a price. */
  of(
    runner: StrategyRunner,
    priceOf: (symbol: string) => Decimal | undefined,
  ): ReadonlyMap<string, Decimal> {
    const equities = new Map(runner.equities());
    if (runner.strategyAccount.budget.amounts !== undefined) return equities;
    const present = runner.others.map(({ name }) => name);
    const skipped = this.#leftOutBy(runner.name);
    for (const currency of [...equities.keys()]) {
      const before = skipped.get(currency) ?? [];
      const moved = this.#moved(runner, before, present, priceOf).get(currency);
      if (moved === undefined) {
        equities.delete(currency);
        continue;
      }
      if (!moved.isZero()) runner.guards.transferred(currency, moved);
      skipped.set(currency, present);
    }
    return equities;
  }

  /** Stores which strategies are left out, together with the baselines. */
  keep(): void {
    const kept = [...this.#skipped].map(
      ([name, skipped]) => [name, Object.fromEntries(skipped)] as const,
    );
    if (kept.length === 0) return;
    this.#account.journal.keep(KEPT, JSON.stringify(Object.fromEntries(kept)));
  }

  #leftOutBy(name: string): LeftOut {
    const known = this.#skipped.get(name);
    if (known !== undefined) return known;
    const none: LeftOut = new Map();
    this.#skipped.set(name, none);
    return none;
  }

  /** Increase of the equity by leaving out other strategies than before. */
  #moved(
    runner: StrategyRunner,
    before: readonly string[],
    present: readonly string[],
    priceOf: (symbol: string) => Decimal | undefined,
  ): ReadonlyMap<string, Decimal> {
    const sums = new Map<string, Decimal>();
    const add = (names: readonly string[], sign: 1 | -1): void => {
      for (const name of names) {
        for (const { currency, change } of this.#account.journal.holdings(name)) {
          sums.set(currency, (sums.get(currency) ?? ZERO).plus(change.times(sign)));
        }
      }
    };
    add(before.filter((name) => !present.includes(name) && name !== runner.name), 1); // prettier-ignore
    add(present.filter((name) => !before.includes(name)), -1); // prettier-ignore
    return valuesOf(
      runner.strategyAccount.instruments,
      (currency) => sums.get(currency) ?? ZERO,
      priceOf,
    );
  }
}

function read(journal: Journal, account: string): Map<string, LeftOut> {
  const text = journal.kept(KEPT);
  if (text === undefined) return new Map();
  try {
    const kept = keptForm.parse(JSON.parse(text));
    return new Map(Object.entries(kept).map(([name, one]) => [name, new Map(Object.entries(one))]));
  } catch (cause) {
    const sentence = `What the journal of account ${account} keeps of equities cannot be read; put back a copy.`;
    throw new MillraceError('journal-invalid', sentence, { cause });
  }
}
