import { Decimal, sumOf, ZERO } from '../../model/decimal.ts';
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
  readonly amount: Decimal;
  readonly value: Decimal;
  readonly band: Decimal;
  readonly isIn: boolean;
}

export interface WeightRow extends Row {
  /** Of the value of all holdings with a weight; rounded down to six decimals. */
  readonly share: Decimal;
  readonly weight: Decimal;
  readonly targetAmount?: undefined;
}

export interface AmountRow extends Row {
  readonly targetAmount: Decimal;
  readonly share?: undefined;
  readonly weight?: undefined;
}

/** Amounts by name of holding: the least after the transfers, and the expected ones. */
export interface Amounts {
  readonly least: ReadonlyMap<string, Decimal>;
  readonly expected: ReadonlyMap<string, Decimal>;
}

/** Amounts before the transfers. */
export function heldAmounts({ holdings, targets }: PlanRequest): Amounts {
  const amounts = new Map(targets.holdings.map((holding) => [holdingName(holding), ZERO]));
  for (const holding of holdings) {
    const name = holdingName(holding);
    const before = amounts.get(name);
    if (before !== undefined) amounts.set(name, before.plus(holding.amount));
  }
  return { least: amounts, expected: amounts };
}

/** A row for each holding, by the least amounts; inside its band only where it is so in any case. */
export function ledgerOf(
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
): readonly LedgerRow[] {
  const values = valuesOf(targets, amounts, priceOf);
  const total = sumOf(values.filter((_, at) => isWeighted(targets, at)).map(({ least }) => least));
  return targets.holdings.map(
    ({ asset, location, weight, amount: targetAmount, band }, index): LedgerRow => {
      const { least } = values[index];
      const row: Row = {
        holding: { asset, location },
        amount: amounts.least.get(holdingName({ asset, location })) ?? ZERO,
        value: least,
        band,
        isIn: !excess(values, index, targets, priceOf).greaterThan(0),
      };
      if (weight === undefined) return { ...row, targetAmount };
      const share = total.isZero() ? ZERO : least.div(total);
      return { ...row, weight, share: share.toDecimalPlaces(6, Decimal.ROUND_DOWN) };
    },
  );
}

const isWeighted = ({ holdings }: PortfolioTargets, index: number): boolean =>
  holdings[index].weight !== undefined;

/**
 * The value by which the worst holding is outside its band. `fees` has what holdings paid that send
 * and receive nothing: these are judged as if they had not paid.
 */
export function worstExcess(
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
  fees: Amounts,
): Decimal {
  const values = valuesOf(targets, amounts, priceOf);
  const paid = valuesOf(targets, fees, priceOf);
  const all = values.map((own, index) => {
    const { least, expected } = paid[index];
    const whole = { least: own.least.plus(least), expected: own.expected.plus(expected) };
    return excess(values.with(index, whole), index, targets, priceOf);
  });
  return Decimal.max(...all);
}

/** Value of all holdings by the expected amounts. */
export const expectedValue = (
  targets: PortfolioTargets,
  amounts: Amounts,
  priceOf: PriceOf,
): Decimal => sumOf(valuesOf(targets, amounts, priceOf).map(({ expected }) => expected));

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
 * The value by which a holding is outside its band in the worst case, exact. Each transfer brings
 * from the least to the expected amount, so a share is highest where the holding gets the expected
 * amount and all others the least. A target amount does not depend on others.
 */
function excess(
  values: readonly Values[],
  index: number,
  targets: PortfolioTargets,
  priceOf: PriceOf,
): Decimal {
  const [own, target] = [values[index], targets.holdings[index]];
  if (target.weight === undefined) {
    const price = priceOf(target.asset) ?? ZERO;
    const [low, high] = boundsOf(target).map((amount) => amount.times(price));
    return Decimal.max(own.expected.minus(high), low.minus(own.least));
  }
  const others = values.filter((_, other) => other !== index && isWeighted(targets, other));
  const least = own.expected.plus(sumOf(others.map((other) => other.least)));
  const most = own.least.plus(sumOf(others.map((other) => other.expected)));
  const above = own.expected.minus(least.times(target.weight.plus(target.band)));
  const below = most.times(target.weight.minus(target.band)).minus(own.least);
  return Decimal.max(above, below);
}

/** The ends of the band of a target amount. */
export const boundsOf = ({ amount, band }: AmountTarget): readonly [Decimal, Decimal] => [
  Decimal.max(ZERO, amount.minus(band)),
  amount.plus(band),
];
