import { Decimal, ZERO } from '../model/decimal.ts';
import { commandFactory } from './arguments.ts';
import type { Replenish, SetMargin } from './commands.ts';
import { argumentMembers, commandFrom } from './command.ts';
import type { DecimalInput } from './numbers.ts';
import { orderMarketOf, type MarginSymbol } from './where.ts';

/** Replenishing of a margin account from spot, as its author gives it; see `Replenish`. */
export type ReplenishOf = { readonly [Name in keyof Replenish]: DecimalInput };

/** Settings of a margin account. */
export interface MarginSetting {
  /** Target funds, in its settlement currency: `'500'`. 0 closes it. */
  readonly balance?: DecimalInput;
  /** From 1 to the symbol's maximum, with at most 2 decimals. */
  readonly leverage?: DecimalInput | number;
  /**
   * Replenishes the account from spot: `true` at a margin call, by at most `balance` in a day; or
   * also below a `floor`, up to a `target`, with its own daily limit. `false` ends it.
   */
  readonly replenish?: ReplenishOf | boolean;
}

function marginOf(where: MarginSymbol, setting: MarginSetting): SetMargin {
  const given = argumentMembers(setting);
  const { leverage, replenish, balance } = given;
  const exact = {
    ...(typeof leverage === 'number' ? { leverage: new Decimal(leverage) } : {}),
    ...(replenish === false ? { replenish: { maxPerDay: ZERO } } : {}),
    ...(replenish === true && balance !== undefined ? { replenish: { maxPerDay: balance } } : {}),
    ...(typeof replenish === 'object' && replenish !== null
      ? { replenish: argumentMembers(replenish) }
      : {}),
  };
  return Object.freeze(
    commandFrom({ kind: 'setMargin', ...orderMarketOf(where) }, { ...given, ...exact }),
  ) as SetMargin;
}

/**
 * Sets the balance of a margin account, with transfers from and to the spot balance, and its
 * leverage. Both are absolute, so that repeating the command changes nothing; absent members stay
 * unchanged. `account.margin` emits the account once the venue has confirmed it, and
 * `account.marginEvents` rejections.
 *
 *     setMargin(isolated('BTCUSDT'), { balance: '500', leverage: 5 })
 *     setMargin(isolated('BTCUSDT'), { balance: '500', replenish: true })
 */
export const setMargin = commandFactory('setMargin(where, setting)', marginOf);

/** Sets the leverage of an isolated margin account: the maximum when its position is opened. */
export const setLeverage = commandFactory(
  'setLeverage(where, leverage)',
  (where: MarginSymbol<'isolated'>, leverage: DecimalInput | number): SetMargin =>
    setMargin(where, { leverage }),
);
