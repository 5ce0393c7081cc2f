import type { Decimal } from '../model/decimal.ts';
import {
  SLIPPAGE,
  holdingName,
  type PortfolioTargets,
  type HoldingTarget,
} from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';

/**
 * Why targets of a portfolio are invalid, whatever is held. The field is the name of the holding
 * and its member, `USDC@ethereum.weight`, or `weight`, `minimumValue`, `maximumCost`, `slippage`.
 */
export function portfolioTargetsRejection(targets: PortfolioTargets): Rejection | undefined {
  const { holdings, minimumValue, maximumCost, slippage = SLIPPAGE } = targets;
  if (holdings.length === 0) return invalid('holdings', 'No holding is named; name one or more.');
  const names = holdings.map(holdingName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return invalid(twice, `${twice} is named twice.`);
  for (const holding of holdings) {
    const rejection = holdingRejection(holding);
    if (rejection !== undefined) return rejection;
  }
  if (minimumValue.isNegative()) return negative('minimumValue', minimumValue);
  if (maximumCost.isNegative()) return negative('maximumCost', maximumCost);
  if (slippage.isNegative() || slippage.greaterThan(1)) {
    const message = `slippage is ${slippage.toFixed()} and must be from 0 to 1.`;
    return invalid('slippage', message);
  }
  return sumRejection(holdings);
}

function holdingRejection(holding: HoldingTarget): Rejection | undefined {
  const name = holdingName(holding);
  const { amount, band, reserve } = holding;
  if (reserve.isNegative()) return negative(`${name}.reserve`, reserve);
  if (amount === undefined) {
    return shareRejection(name, 'weight', holding.weight) ?? shareRejection(name, 'band', band);
  }
  if (amount.isNegative()) return negative(`${name}.amount`, amount);
  if (band.isNegative()) return negative(`${name}.band`, band);
  const most = amount.plus(band);
  if (!reserve.greaterThan(most)) return undefined;
  const message = `The reserve of ${name} is ${reserve.toFixed()}, which is more than the ${most.toFixed()} that its amount and band allow.`;
  return invalid(`${name}.reserve`, message);
}

function shareRejection(name: string, member: string, share: Decimal): Rejection | undefined {
  if (!share.isNegative() && !share.greaterThan(1)) return undefined;
  const message = `The ${member} of ${name} is ${share.toFixed()} and must be from 0 to 1.`;
  return invalid(`${name}.${member}`, message);
}

function sumRejection(holdings: readonly HoldingTarget[]): Rejection | undefined {
  const weights = holdings.flatMap(({ weight }) => (weight === undefined ? [] : [weight]));
  if (weights.length === 0) return invalid('weight', NO_WEIGHT);
  const sum = weights.reduce((total, one) => total.plus(one));
  if (sum.equals(1)) return undefined;
  return invalid('weight', `The weights are ${sum.toFixed()} together and must be 1.`);
}

/** Amounts alone would have to be the exact value of the portfolio. */
export const NO_WEIGHT =
  'Every target is an amount, so that nothing says where the rest of the portfolio belongs; give one holding weight 1.';

const negative = (field: string, value: Decimal): Rejection =>
  invalid(field, `${field} is ${value.toFixed()} and must not be below 0.`);

const invalid = (field: string, message: string): Rejection => ({
  code: 'targets-invalid',
  field,
  message,
});
