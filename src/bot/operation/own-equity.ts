import { z } from 'zod';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { valuesOf } from '../../risk/values.ts';
import type { Account } from '../account/account.ts';
import type { Journal } from '../journal/journal.ts';
import type { StrategyRunner } from '../strategy/runner.ts';

/** Under which name the journal keeps it. */
const KEPT = 'otherStrategies';

/** By quote currency the strategies that an equity leaves out. */
type LeftOut = Map<string, readonly string[]>;

const keptForm = z.record(z.string(), z.record(z.string(), z.array(z.string())));

/**
 * The equities of the strategies of an account that have no budget: all that the account is worth but
 * what fills of the bot's other strategies there made, so that nobody's trades and positions move the
 * result of another. What an equity is compared with was marked while certain others were left out. Where
 * strategies came or went since, it is brought to the present ones first, at the prices of then: neither
 * profit nor loss comes of a new configuration, nor of the first start with a release that leaves them out.
 */
export class OwnEquities {
  readonly #account: Account;
  readonly #leftOut: Map<string, LeftOut>;

  /** Goes on from what a former run kept. Throws `journal-invalid`. */
  constructor(account: Account) {
    this.#account = account;
    this.#leftOut = read(account.journal, account.name);
  }

  /** The equities of a strategy, without those whose comparison waits for a price. */
  of(
    runner: StrategyRunner,
    priceOf: (symbol: string) => Decimal | undefined,
  ): ReadonlyMap<string, Decimal> {
    const equities = new Map(runner.equities());
    if (runner.strategyAccount.budget.amounts !== undefined) return equities;
    const present = runner.others.map(({ name }) => name);
    const leftOut = this.#leftOutBy(runner.name);
    for (const currency of [...equities.keys()]) {
      const before = leftOut.get(currency) ?? [];
      const moved = this.#moved(runner, before, present, priceOf).get(currency);
      if (moved === undefined) {
        equities.delete(currency);
        continue;
      }
      if (!moved.isZero()) runner.guards.transferred(currency, moved);
      leftOut.set(currency, present);
    }
    return equities;
  }

  /** Keeps who is left out, together with what the equities are compared with. */
  keep(): void {
    const kept = [...this.#leftOut].map(
      ([name, leftOut]) => [name, Object.fromEntries(leftOut)] as const,
    );
    if (kept.length === 0) return;
    this.#account.journal.keep(KEPT, JSON.stringify(Object.fromEntries(kept)));
  }

  #leftOutBy(name: string): LeftOut {
    const known = this.#leftOut.get(name);
    if (known !== undefined) return known;
    const none: LeftOut = new Map();
    this.#leftOut.set(name, none);
    return none;
  }

  /** What the equity is worth more by leaving out other strategies than before. */
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
