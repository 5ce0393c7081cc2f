import type { Decimal } from '../model/decimal.ts';
import { SLIPPAGE, slotName, type PortfolioTargets, type SlotTarget } from '../model/portfolio.ts';
import type { Refusal } from '../model/refusals.ts';

/**
 * The reason why targets of a portfolio cannot be meant, whatever is held. The field is the name of
 * the slot and its member, `USDC@ethereum.weight`, or `minimumWorth`, `maximumCost`, `slippage`.
 */
export function portfolioTargetsRefusal(targets: PortfolioTargets): Refusal | undefined {
  const { slots, minimumWorth, maximumCost, slippage = SLIPPAGE } = targets;
  if (slots.length === 0) return invalid('slots', 'No slot is named; name one or more.');
  const names = slots.map(slotName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return invalid(twice, `${twice} is named twice.`);
  for (const slot of slots) {
    const refusal = slotRefusal(slot);
    if (refusal !== undefined) return refusal;
  }
  if (minimumWorth.isNegative()) return negative('minimumWorth', minimumWorth);
  if (maximumCost.isNegative()) return negative('maximumCost', maximumCost);
  if (slippage.isNegative() || slippage.greaterThan(1)) {
    const message = `slippage is ${slippage.toFixed()} and must be from 0 to 1.`;
    return invalid('slippage', message);
  }
  return sumRefusal(slots);
}

function slotRefusal(slot: SlotTarget): Refusal | undefined {
  const name = slotName(slot);
  for (const member of ['weight', 'band'] as const) {
    const share = slot[member];
    if (!share.isNegative() && !share.greaterThan(1)) continue;
    const message = `The ${member} of ${name} is ${share.toFixed()} and must be from 0 to 1.`;
    return invalid(`${name}.${member}`, message);
  }
  return slot.reserve.isNegative() ? negative(`${name}.reserve`, slot.reserve) : undefined;
}

function sumRefusal(slots: readonly SlotTarget[]): Refusal | undefined {
  const sum = slots.map(({ weight }) => weight).reduce((total, one) => total.plus(one));
  if (sum.equals(1)) return undefined;
  return invalid('weight', `The weights are ${sum.toFixed()} together and must be 1.`);
}

const negative = (field: string, value: Decimal): Refusal =>
  invalid(field, `${field} is ${value.toFixed()} and must not be below 0.`);

const invalid = (field: string, message: string): Refusal => ({
  code: 'targets-invalid',
  field,
  message,
});
