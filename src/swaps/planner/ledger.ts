import { Decimal, ZERO } from '../../model/decimal.ts';
import {
  holdingName,
  type AmountTarget,
  type PortfolioTargets,
  type HoldingKey,
  type PriceOf,
} from '../../model/portfolio.ts';
import type { PlanRequest } from './request.ts';

/** A holding of the targets. */
export type LedgerRow = WeightRow | AmountRow;

interface Row {
  readonly holding: HoldingKey;
  /** What is held. */
  readonly amount: Decimal;
  readonly value: Decimal;
  readonly band: Decimal;
  readonly isIn: boolean;
}

/** A holding whose target is a share. */
export interface WeightRow extends Row {
  /** Of what all holdings with a weight are worth; rounded down to six decimals, for people. */
  readonly share: Decimal;
  readonly weight: Decimal;
  readonly goal?: undefined;
}

/** A holding whose target is an amount. */
export interface AmountRow extends Row {
  /** The amount that it is to hold. */
  readonly goal: Decimal;
  readonly share?: undefined;
  readonly weight?: undefined;
}

/** Amounts by the names of holdings: the least that there will be, and what is expected. */
export interface Amounts {
  readonly least: ReadonlyMap<string, Decimal>;
  readonly expected: ReadonlyMap<string, Decimal>;
}

/** What is held before anything is moved. */
export function held({ holdings, targets }: PlanRequest): Amounts {
  const amounts = new Map(targets.holdings.map((holding) => [holdingName(holding), ZERO]));
  for (const holding of holdings) {
    const name = holdingName(holding);
    const before = amounts.get(name);
    if (before !== undefined) amounts.set(name, before.plus(holding.amount));
  }
  return { least: amounts, expected: amounts };
}

/**
 * A row for each holding, by the least that there will be; in its band where it is so whatever
 * comes.
 */
export function ledgerOf(
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
): readonly LedgerRow[] {
  const values = valuesOf(targets, amounts, priceOf);
  const total = sum(values.filter((_, at) => isWeighted(targets, at)).map(({ least }) => least));
  return targets.holdings.map(
    ({ asset, location, weight, amount: goal, band }, index): LedgerRow => {
      const one = values[index] ?? { least: ZERO, expected: ZERO };
      const row: Row = {
        holding: { asset, location },
        amount: amounts.least.get(holdingName({ asset, location })) ?? ZERO,
        value: one.least,
        band,
        isIn: !excess(values, index, targets, priceOf).greaterThan(0),
      };
      if (weight === undefined) return { ...row, goal };
      const share = total.isZero() ? ZERO : one.least.div(total);
      return { ...row, weight, share: share.toDecimalPlaces(6, Decimal.ROUND_DOWN) };
    },
  );
}

const isWeighted = ({ holdings }: PortfolioTargets, index: number): boolean =>
  holdings[index]?.weight !== undefined;

/**
 * How far the holdings are out of their bands, in worth: the one that is furthest. A holding that
 * only pays fees is judged as if it had not; what it paid, by its name, is in `fees`.
 */
export function worstExcess(
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
  fees: Amounts = { least: new Map(), expected: new Map() },
): Decimal {
  const values = valuesOf(targets, amounts, priceOf);
  const paid = valuesOf(targets, fees, priceOf);
  const all = values.map((own, index) => {
    const { least, expected } = paid[index] ?? { least: ZERO, expected: ZERO };
    if (least.isZero()) return excess(values, index, targets, priceOf);
    const whole = { least: own.least.plus(least), expected: own.expected.plus(expected) };
    return excess(values.with(index, whole), index, targets, priceOf);
  });
  return Decimal.max(...all);
}

/** What all holdings are worth, by what is expected. */
export const expectedValue = (
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
): Decimal => sum(valuesOf(targets, amounts, priceOf).map(({ expected }) => expected));

interface Values {
  readonly least: Decimal;
  readonly expected: Decimal;
}

function valuesOf(
  { holdings }: PortfolioTargets,
  { least, expected }: Amounts,
  priceOf: PriceOf,
): readonly Values[] {
  return holdings.map((holding) => {
    const name = holdingName(holding);
    const price = priceOf(holding.asset) ?? ZERO;
    return {
      least: (least.get(name) ?? ZERO).times(price),
      expected: (expected.get(name) ?? ZERO).times(price),
    };
  });
}

/**
 * How far a holding is out of its band where what arrives is as unlucky as it may be, exact: of
 * each transfer anything from the least to what is expected may come, so its share is the greatest
 * where all came to it and the least to all others. An amount does not depend on others.
 */
function excess(
  values: readonly Values[],
  index: number,
  targets: PortfolioTargets,
  priceOf: PriceOf,
): Decimal {
  const [own, target] = [values[index], targets.holdings[index]];
  if (own === undefined || target === undefined) return ZERO;
  if (target.weight === undefined) {
    const price = priceOf(target.asset) ?? ZERO;
    const [low, high] = boundsOf(target).map((amount) => amount.times(price));
    return Decimal.max(own.expected.minus(high), low.minus(own.least));
  }
  const others = values.filter((_, other) => other !== index && isWeighted(targets, other));
  const most = own.expected.plus(sum(others.map(({ least }) => least)));
  const fewest = own.least.plus(sum(others.map(({ expected }) => expected)));
  const above = own.expected.minus(most.times(target.weight.plus(target.band)));
  const below = fewest.times(target.weight.minus(target.band)).minus(own.least);
  return Decimal.max(above, below);
}

/** The least and the most of the asset that a holding with an amount may hold. */
export const boundsOf = ({ amount, band }: AmountTarget): readonly [Decimal, Decimal] => [
  Decimal.max(ZERO, amount.minus(band)),
  amount.plus(band),
];

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, one) => total.plus(one), ZERO);
