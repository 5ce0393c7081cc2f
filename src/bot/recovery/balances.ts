import { Amount } from '../../model/amount.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { BalanceReport, Fill } from '../../model/report.ts';
import { marginAccountKey } from '../../model/margin-account.ts';
import type { Micros } from '../../platform/time.ts';
import { changesOf } from '../journal/holdings.ts';
import { isSetting } from '../../model/margin-account.ts';
import { foreignKey, type JournaledBalance, type MarginMove } from '../journal/records.ts';
import {
  discrepancy,
  type Discrepancy,
  type Reconciliation,
  type ReconcileInput,
} from './finding.ts';

interface ComparedBalances {
  readonly moved: readonly Discrepancy[];
  readonly balances: readonly BalanceReport[];
}

/**
 * Compares the venue's balances with those last received. A difference that the fills since then explain is
 * no discrepancy. In any case the venue's balance is used, unless the journal has a newer one.
 */
export function comparedBalances(
  input: ReconcileInput,
  margin: MarginDiscrepancies = { discrepancies: [], margin: [] },
): ComparedBalances {
  const { snapshot } = input;
  const moved: Discrepancy[] = [];
  const balances: BalanceReport[] = [];
  const reported = new Map(snapshot.balances.map((one) => [one.currency, one]));
  for (const currency of new Set([...reported.keys(), ...input.balances.keys()])) {
    const known = input.balances.get(currency);
    if (known !== undefined && known.at > snapshot.at) continue;
    // A currency that is not listed has a zero balance.
    const { available, reserved } = reported.get(currency) ?? { available: ZERO, reserved: ZERO };
    const amounts = { available: Amount.of(available), reserved: Amount.of(reserved) };
    balances.push({ kind: 'balance', at: snapshot.at, currency, ...amounts });
    if (known === undefined) continue;
    const difference = unexplained(input, known, available.plus(reserved), margin);
    if (difference === undefined) continue;
    const sign = difference.isNegative() ? '' : '+';
    const message = `The balance of ${currency} changed by ${sign}${difference.toFixed()} through no fill of this account, such as by a transfer; the venue's word is taken.`;
    moved.push(discrepancy('balance-moved', message));
  }
  return { moved, balances };
}

/**
 * Difference of a balance from the last one received plus the fills since; `undefined` if they explain it.
 * The balance after a fill comes just after the fill, so there are three cases: it has not arrived yet,
 * neither has, or nothing has changed.
 */
function unexplained(
  { snapshot, ...input }: ReconcileInput,
  { currency, available, reserved, at }: JournaledBalance,
  total: Decimal,
  margin: MarginDiscrepancies,
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
  const since = changeBy(snapshot.fills.filter((fill) => fill.at > at));
  const unacknowledged = changeBy(snapshot.fills.filter((fill) => !isKnown(fill)));
  const brought = broughtToMargin(input, margin, currency, at);
  for (const amount of brought) {
    const rest = change.plus(amount);
    if (rest.isZero() || rest.equals(since) || rest.equals(unacknowledged)) return undefined;
  }
  return change.minus(since);
}

/** Discrepancies of margin accounts. */
type MarginDiscrepancies = Pick<Reconciliation, 'discrepancies' | 'margin'>;

/**
 * Amount that may have moved from a balance to margin accounts since it was received, negative if more came
 * back: what was found now, and what was reported. As with fills, the balance after a transfer comes just
 * after its report, so some of it may be in the balance.
 */
function broughtToMargin(
  { margin: kept }: Pick<ReconcileInput, 'margin'>,
  { discrepancies, margin }: MarginDiscrepancies,
  currency: string,
  at: Micros,
): readonly Decimal[] {
  const accounts = kept.filter(({ marginAccount }) => marginAccount.currency === currency);
  const before = new Map(
    accounts.map(({ marginAccount, state }) => [marginAccountKey(marginAccount), state]),
  );
  let own = ZERO;
  let others = ZERO;
  for (const report of [...discrepancies.flatMap((one) => one.margin), ...margin]) {
    const { account, reason } = report;
    if (account.currency !== currency) continue;
    const key = marginAccountKey(account);
    const change = account.balance.minus(before.get(key)?.balance ?? ZERO);
    const isOwned = accounts.some(({ marginAccount, strategy, parts }) => (strategy ?? parts) !== undefined && marginAccountKey(marginAccount) === key); // prettier-ignore
    if (isSetting(report)) own = own.plus(change);
    else if (!isOwned && reason === 'updated') others = others.plus(change);
    before.set(key, account);
  }
  const moves = accounts.flatMap((one) => one.moves);
  const since = (is: (move: MarginMove) => boolean): Decimal =>
    moves.filter(is).reduce((sum, { amount }) => sum.plus(amount), ZERO);
  const reported = [ZERO, since((move) => move.at > at), since((move) => move.at >= at)];
  return reported.flatMap((one) => [one, one.plus(own), one.plus(own).plus(others)]);
}
