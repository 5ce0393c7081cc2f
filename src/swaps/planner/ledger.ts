import { Decimal, ZERO } from '../../model/decimal.ts';
import { slotName, type PortfolioTargets, type Slot, type Worth } from '../../model/portfolio.ts';
import type { PlanRequest } from './request.ts';

/** What a slot of the targets holds. */
export interface LedgerRow {
  readonly slot: Slot;
  readonly amount: Decimal;
  readonly worth: Decimal;
  /** Of what all slots are worth; rounded to six decimals, for people. */
  readonly share: Decimal;
  readonly weight: Decimal;
  readonly band: Decimal;
  readonly isIn: boolean;
}

/** Amounts by the names of slots: the least that there will be, and what is expected. */
export interface Amounts {
  readonly least: ReadonlyMap<string, Decimal>;
  readonly expected: ReadonlyMap<string, Decimal>;
}

/** What is held before anything is moved. */
export function held({ holdings, targets }: PlanRequest): Amounts {
  const amounts = new Map(targets.slots.map((slot) => [slotName(slot), ZERO]));
  for (const holding of holdings) {
    const name = slotName(holding);
    const before = amounts.get(name);
    if (before !== undefined) amounts.set(name, before.plus(holding.amount));
  }
  return { least: amounts, expected: amounts };
}

/** A row for each slot, by the least that there will be; in its band where it is so whatever comes. */
export function ledgerOf(
  targets: PortfolioTargets,
  amounts: Amounts,
  worth: Worth,
): readonly LedgerRow[] {
  const worths = worthsOf(targets, amounts, worth);
  const total = sum(worths.map(({ least }) => least));
  return targets.slots.map(({ asset, place, weight, band }, index) => {
    const one = worths[index] ?? { least: ZERO, expected: ZERO };
    return {
      slot: { asset, place },
      amount: amounts.least.get(slotName({ asset, place })) ?? ZERO,
      worth: one.least,
      share: total.isZero() ? ZERO : one.least.div(total).toDecimalPlaces(6, Decimal.ROUND_DOWN),
      ...{ weight, band },
      isIn: !excess(worths, index, targets).greaterThan(0),
    };
  });
}

/** How far the slots are out of their bands, in worth: the one that is furthest. */
export function worstExcess(targets: PortfolioTargets, amounts: Amounts, worth: Worth): Decimal {
  const worths = worthsOf(targets, amounts, worth);
  return Decimal.max(...worths.map((_, index) => excess(worths, index, targets)));
}

/** What all slots are worth, by what is expected. */
export const expectedWorth = (targets: PortfolioTargets, amounts: Amounts, worth: Worth): Decimal =>
  sum(worthsOf(targets, amounts, worth).map(({ expected }) => expected));

interface Worths {
  readonly least: Decimal;
  readonly expected: Decimal;
}

function worthsOf(
  { slots }: PortfolioTargets,
  { least, expected }: Amounts,
  worth: Worth,
): readonly Worths[] {
  return slots.map((slot) => {
    const name = slotName(slot);
    const price = worth(slot.asset) ?? ZERO;
    return {
      least: (least.get(name) ?? ZERO).times(price),
      expected: (expected.get(name) ?? ZERO).times(price),
    };
  });
}

/**
 * How far a slot is out of its band where what arrives is as unlucky as it may be, exact: of each
 * move anything from the least to what is expected may come, so its share is the greatest where all
 * came to it and the least to all others.
 */
function excess(worths: readonly Worths[], index: number, { slots }: PortfolioTargets): Decimal {
  const [own, target] = [worths[index], slots[index]];
  if (own === undefined || target === undefined) return ZERO;
  const others = worths.filter((_, other) => other !== index);
  const most = own.expected.plus(sum(others.map(({ least }) => least)));
  const fewest = own.least.plus(sum(others.map(({ expected }) => expected)));
  const above = own.expected.minus(most.times(target.weight.plus(target.band)));
  const below = fewest.times(target.weight.minus(target.band)).minus(own.least);
  return Decimal.max(above, below);
}

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, one) => total.plus(one), ZERO);
