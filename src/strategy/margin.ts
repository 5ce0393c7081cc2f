import { Decimal, ZERO } from '../model/decimal.ts';
import { taking } from './arguments.ts';
import type { Replenish, SetMargin } from './commands.ts';
import { asGiven, saying } from './command.ts';
import type { DecimalInput } from './numbers.ts';
import { orderMarketOf, type MarginSymbol } from './where.ts';

/** How a margin account is filled up from spot, as its author gives it; see `Replenish`. */
export type ReplenishOf = { readonly [Name in keyof Replenish]: DecimalInput };

/** What a margin account is to have. */
export interface MarginSetting {
  /** Funds that it has then, in its settlement currency: `'500'`. 0 closes it. */
  readonly balance?: DecimalInput;
  /** From 1 to what the symbol allows, with at most 2 decimals. */
  readonly leverage?: DecimalInput | number;
  /**
   * Fills the account up from spot without another command: `true` at a margin call, by at most the `balance`
   * again in a day; or below a `floor`, too, to a `target`, with a cap of its own. `false` ends it.
   */
  readonly replenish?: ReplenishOf | boolean;
}

function marginOf(where: MarginSymbol, setting: MarginSetting): SetMargin {
  const given = asGiven(setting);
  const { leverage, replenish, balance } = given;
  const exact = {
    ...(typeof leverage === 'number' ? { leverage: new Decimal(leverage) } : {}),
    ...(replenish === false ? { replenish: { maxPerDay: ZERO } } : {}),
    ...(replenish === true && balance !== undefined ? { replenish: { maxPerDay: balance } } : {}),
    ...(typeof replenish === 'object' && replenish !== null
      ? { replenish: asGiven(replenish) }
      : {}),
  };
  return Object.freeze(
    saying({ kind: 'setMargin', ...orderMarketOf(where) }, { ...given, ...exact }),
  ) as SetMargin;
}

/**
 * Brings a margin account to a balance, from the spot balance and back to it, and to a leverage. Both are
 * absolute, so that saying it again changes nothing; what is left out stays as it is. `account.margin`
 * shows the account once the venue has confirmed it, and `account.marginEvents` what was rejected.
 *
 *     setMargin(isolated('BTCUSDT'), { balance: '500', leverage: 5 })
 *     setMargin(isolated('BTCUSDT'), { balance: '500', replenish: true })
 */
export const setMargin = taking('setMargin(where, setting)', marginOf);

/** Sets the leverage of an isolated margin account: the most that its position may have when it is opened. */
export const setLeverage = taking(
  'setLeverage(where, leverage)',
  (where: MarginSymbol<'isolated'>, leverage: DecimalInput | number): SetMargin =>
    setMargin(where, { leverage }),
);
