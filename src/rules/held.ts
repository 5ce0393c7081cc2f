import { brief, type Decimal } from '../model/decimal.ts';
import type { Rejection } from '../model/rejections.ts';

/** Size of a target: a share of the equity, lots, or a value. Negative for a short. */
type Hold = { readonly share: number } | { readonly lots: number } | { readonly notional: Decimal };

const SHORT = 'a spot market has no short positions,';
const ELSEWHERE = '; a short is a target of isolated(symbol) or cross(symbol)';

/** Why a target cannot have this many lots, in any market. */
export function heldLotsRejection(lots: number): Rejection | undefined {
  if (Number.isSafeInteger(lots)) return undefined;
  return outOfRange('lots', `${lots} lots; a number of lots is within ±(2^53 - 1)`);
}

/** Why a target cannot be this share of the equity, in any market. */
export function shareRejection(share: number): Rejection | undefined {
  if (Number.isFinite(share)) return undefined;
  return outOfRange('share', `a share of ${share}; a share of the equity is a number`);
}

/** Why a target cannot have this value, in any market. */
export function notionalRejection(notional: Decimal): Rejection | undefined {
  if (notional.isFinite()) return undefined;
  return outOfRange('notional', `a value of ${notional.toString()}; a value is a number`);
}

/** Why a spot holding cannot have this size. */
export function spotHoldRejection(hold: Hold): Rejection | undefined {
  if ('lots' in hold) {
    if (hold.lots >= 0) return undefined;
    return outOfRange(
      'lots',
      `${hold.lots} lots; ${SHORT} so a number of lots is 0 or more${ELSEWHERE}`,
    );
  }
  if ('notional' in hold) {
    const { notional } = hold;
    if (!notional.isNegative() || notional.isZero()) return undefined;
    return outOfRange(
      'notional',
      `a value of ${brief(notional)}; ${SHORT} so a value is 0 or more${ELSEWHERE}`,
    );
  }
  const { share } = hold;
  if (share >= 0 && share <= 1) return undefined;
  return outOfRange(
    'share',
    share < 0
      ? `a share of ${share}; ${SHORT} so a share of the equity is from 0 to 1${ELSEWHERE}`
      : `a share of ${share}; a share of the equity is from 0 to 1, and a number of lots is { lots: ${share} }`,
  );
}

const outOfRange = (field: string, what: string): Rejection => ({
  code: 'number-out-of-range',
  field,
  message: `The target asks for ${what}.`,
});
