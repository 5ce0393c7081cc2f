import type { Refusal } from '../model/refusals.ts';

/** Why a target cannot be so many lots. */
export function heldLotsRefusal(lots: number): Refusal | undefined {
  if (lots < 0) {
    return outOfRange(
      'lots',
      `${lots} lots; a spot market has no short positions, so a number of lots is 0 or more`,
    );
  }
  if (Number.isSafeInteger(lots)) return undefined;
  return outOfRange('lots', `${lots} lots; a number of lots is at most 2^53 - 1`);
}

/** Why a target cannot be such a share of the equity. */
export function shareRefusal(share: number): Refusal | undefined {
  if (share >= 0 && share <= 1) return undefined;
  return outOfRange(
    'share',
    share < 0
      ? `a share of ${share}; a spot market has no short positions, so a share of the equity is from 0 to 1`
      : `a share of ${share}; a share of the equity is from 0 to 1, and a number of lots is { lots: ${share} }`,
  );
}

const outOfRange = (field: string, what: string): Refusal => ({
  code: 'number-out-of-range',
  field,
  message: `The target asks for ${what}.`,
});
