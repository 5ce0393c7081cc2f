import { Amount } from '../../model/amount.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import { changesOf } from '../journal/holdings.ts';
import { foreignKey, type JournaledBalance } from '../journal/records.ts';
import { finding, type Finding, type ReconcileInput } from './finding.ts';

interface ComparedBalances {
  readonly moved: readonly Finding[];
  readonly balances: readonly BalanceReport[];
}

/**
 * Holds the venue's balances against those last heard of. What the fills since then explain is no
 * finding. Whatever it is, the venue's word is taken, where the journal has nothing newer.
 */
export function comparedBalances(input: ReconcileInput): ComparedBalances {
  const { truth } = input;
  const moved: Finding[] = [];
  const balances: BalanceReport[] = [];
  const told = new Map(truth.balances.map((one) => [one.currency, one]));
  for (const currency of new Set([...told.keys(), ...input.balances.keys()])) {
    const known = input.balances.get(currency);
    if (known !== undefined && known.at > truth.at) continue;
    // A currency that is not listed is one of which nothing is held.
    const { available, reserved } = told.get(currency) ?? { available: ZERO, reserved: ZERO };
    const amounts = { available: Amount.of(available), reserved: Amount.of(reserved) };
    balances.push({ kind: 'balance', at: truth.at, currency, ...amounts });
    if (known === undefined) continue;
    const difference = unexplained(input, known, available.plus(reserved));
    if (difference === undefined) continue;
    const sign = difference.isNegative() ? '' : '+';
    const message = `The balance of ${currency} changed by ${sign}${difference.toFixed()} through no fill of this account, such as by a transfer; the venue's word is taken.`;
    moved.push(finding('balance-moved', message));
  }
  return { moved, balances };
}

/**
 * By how much a balance is other than what was heard of it and the fills since make it;
 * `undefined` where they explain it. The balance after a fill is told just after the fill, so one
 * of three may be true: it has not come yet, neither has come, or nothing has changed.
 */
function unexplained(
  { truth, ...input }: ReconcileInput,
  { currency, available, reserved, at }: JournaledBalance,
  total: Decimal,
): Decimal | undefined {
  const fillIds = new Map(input.orders.map((one) => [one.clientOrderId, one.fillIds]));
  const isKnown = (fill: Fill): boolean =>
    fillIds.get(fill.clientOrderId)?.includes(fill.id) === true ||
    input.foreignFills.has(foreignKey(fill));
  const changeBy = (fills: readonly Fill[]): Decimal =>
    fills.reduce((sum, fill) => {
      const instrument = input.instruments.get(fill.symbol);
      if (instrument === undefined) return sum;
      return sum.plus(changesOf(instrument, fill).get(currency) ?? ZERO);
    }, ZERO);
  const change = total.minus(available.plus(reserved));
  const since = changeBy(truth.fills.filter((fill) => fill.at > at));
  const unheard = changeBy(truth.fills.filter((fill) => !isKnown(fill)));
  if (change.isZero() || change.equals(since) || change.equals(unheard)) return undefined;
  return change.minus(since);
}
