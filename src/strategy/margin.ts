import { Decimal, ZERO } from '../model/decimal.ts';
import { ownMembers } from '../model/members.ts';
import { taking } from './arguments.ts';
import type { Replenish, SetMargin } from './commands.ts';
import { saying } from './command.ts';
import { placedAt, type MarginSymbol } from './where.ts';

/** What a margin account is to have. */
export interface MarginSetting {
  /** Funds that it has then, in its settlement currency: `amount('500')`. 0 closes it. */
  readonly balance?: Decimal;
  /** From 1 to what the symbol allows, with at most 2 decimals. */
  readonly leverage?: Decimal | number;
  /**
   * Fills the account up from spot without another command: `true` at a margin call, by at most the `balance`
   * again in a day; or below a `floor`, too, to a `target`, with a cap of its own. `false` ends it.
   */
  readonly replenish?: Replenish | boolean;
}

function marginOf(where: MarginSymbol, setting: MarginSetting): SetMargin {
  const { leverage, replenish, balance } = Object(setting) as MarginSetting;
  const exact = {
    ...(typeof leverage === 'number' ? { leverage: new Decimal(leverage) } : {}),
    ...(replenish === false ? { replenish: { maxPerDay: ZERO } } : {}),
    ...(replenish === true && balance !== undefined ? { replenish: { maxPerDay: balance } } : {}),
  };
  return Object.freeze(
    saying(
      { kind: 'setMargin', ...placedAt(where) },
      { ...ownMembers(Object(setting) as object), ...exact },
    ),
  ) as SetMargin;
}

/**
 * Brings a margin account to a balance, from the spot balance and back to it, and to a leverage. Both are
 * absolute, so that saying it again changes nothing; what is left out stays as it is. `account.margin`
 * shows the account once the venue has confirmed it, and `account.marginEvents` what was rejected.
 *
 *     setMargin(isolated('BTCUSDT'), { balance: amount('500'), leverage: 5 })
 *     setMargin(isolated('BTCUSDT'), { balance: amount('500'), replenish: true })
 */
export const setMargin = taking('setMargin(where, setting)', marginOf);

/** Sets the leverage of an isolated margin account: the most that its position may have when it is opened. */
export const setLeverage = taking(
  'setLeverage(where, leverage)',
  (where: MarginSymbol<'isolated'>, leverage: Decimal | number): SetMargin =>
    setMargin(where, { leverage }),
);
