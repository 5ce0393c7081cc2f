import { Decimal, parseDecimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import {
  AMOUNT,
  type AmountMember,
  type DecimalMember,
  type FlagMember,
  type NumberMember,
  type TextMember,
} from '../../strategy/schema.ts';
import { valueText } from './shown.ts';

/** Why a value is rejected; `at` is the prefix of its member's name. */
type Check = (value: unknown, at: string) => Rejection | undefined;

/** A compiled member of a schema. */
export interface Row {
  readonly name: string;
  readonly isRequired: boolean;
  /** Rejects a value of a wrong type, `undefined` included. */
  readonly kind: Check;
  /** Rejects a fractional number, also nested ones; absent if none must be whole. */
  readonly whole: Check | undefined;
  /** Rejects a value out of its range; absent without a range. */
  readonly range: Check | undefined;
  /** Copies a nested object. */
  readonly copy: (value: object) => unknown;
  /** Rejects an unknown nested member; absent if it has no objects. */
  readonly stray: ((value: unknown) => Rejection | undefined) | undefined;
}

/** A member without nested objects but decimals. */
export type PlainMember = TextMember | AmountMember | FlagMember | NumberMember | DecimalMember;

export const plainRow = (name: string, member: PlainMember, isRequired: boolean): Row => ({
  name,
  isRequired,
  kind: kindOf(name, member),
  whole: member.holds === 'whole' ? wholeCheck(name, member) : undefined,
  range: rangeOf(member),
  copy: ownDecimal,
  stray: undefined,
});

/** Converts a decimal of another copy of decimal.js. */
const ownDecimal = (value: object): unknown =>
  Decimal.isDecimal(value) && !(value instanceof Decimal) ? new Decimal(value) : value;

function kindOf(name: string, member: PlainMember): Check {
  const { code } = member;
  switch (member.holds) {
    case 'text':
      return member.values === undefined
        ? check(name, code, 'text', (value) => typeof value === 'string')
        : oneOf(name, code, member.values);
    case 'amount': {
      const fits = (value: unknown): boolean =>
        typeof value === 'string' && parseDecimal(value) !== undefined;
      return check(name, code, AMOUNT, fits);
    }
    case 'flag':
      return check(name, code, 'true or false', (value) => typeof value === 'boolean');
    case 'number':
    case 'whole':
      return check(name, code, 'number', (value) => typeof value === 'number');
    case 'decimal':
      return check(name, code, "a decimal or its text, such as '0.05'", (value) =>
        Decimal.isDecimal(value),
      );
  }
}

const check =
  (name: string, code: Rejection['code'], must: string, fits: (value: unknown) => boolean): Check =>
  (value, at) =>
    fits(value) ? undefined : misfit(code, at + name, value, must);

/** Rejection of a value of a wrong type. */
export const misfit = (
  code: Rejection['code'],
  field: string,
  value: unknown,
  must: string,
): Rejection => ({ code, field, message: `${field} is ${valueText(value)} and must be ${must}.` });

function oneOf(name: string, code: Rejection['code'], values: readonly string[]): Check {
  const limit = values.join(', ');
  return (value, at) =>
    typeof value === 'string' && values.includes(value)
      ? undefined
      : { ...misfit(code, at + name, value, `one of ${limit}`), limit };
}

/**
 * Ticks and lots are whole: a fraction is rejected with the function to round it. Values beyond
 * 2^53 fail the range.
 */
function wholeCheck(name: string, { code, rounded }: NumberMember): Check {
  const rounding = rounded === undefined ? '' : `, or with ${rounded}`;
  return (value, at) => {
    if (Number.isInteger(value)) return undefined;
    const field = at + name;
    const remedy = Number.isFinite(value)
      ? `round it with Math.round${rounding}`
      : 'look at what it is computed from';
    const message = `${field} is ${String(value)} and must be a whole number; ${remedy}.`;
    return { code, field, message };
  };
}

/** Adds the path to the field of a range rule. */
function rangeOf(member: PlainMember): Check | undefined {
  if (!('rule' in member) || member.rule === undefined) return undefined;
  const rule = member.rule as (value: unknown) => Rejection | undefined;
  return (value, at) => {
    const rejection = rule(value);
    return rejection === undefined || at === '' ? rejection : within(at, rejection);
  };
}

/** A rejection with the path of the object that contains the member. */
export const within = (at: string, rejection: Rejection): Rejection => ({
  ...rejection,
  field: `${at}${rejection.field ?? ''}`,
});
