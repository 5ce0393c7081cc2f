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
import { shown } from './shown.ts';

/** Why a value is refused; `at` stands before the name of its member. */
type Check = (value: unknown, at: string) => Rejection | undefined;

/** A member of a schema, ready to be read. */
export interface Row {
  readonly name: string;
  readonly isRequired: boolean;
  /** Why a value is not of the kind of the member, `undefined` among them. */
  readonly kind: Check;
  /** Why a value of that kind is no whole number, or holds none where it must; absent where it need not. */
  readonly whole: Check | undefined;
  /** Why a value of that kind is not in its range; absent where all are. */
  readonly range: Check | undefined;
  /** An object as it stands in the copy of what holds it. */
  readonly copy: (value: object) => unknown;
  /** The first member of an object that no such object has; absent where it holds none. */
  readonly stray: ((value: unknown) => Rejection | undefined) | undefined;
}

/** A member that holds no objects but decimals. */
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

/** A decimal of another decimal.js becomes one of this. */
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

/** Of a value that does not fit. */
export const misfit = (
  code: Rejection['code'],
  field: string,
  value: unknown,
  must: string,
): Rejection => ({ code, field, message: `${field} is ${shown(value)} and must be ${must}.` });

function oneOf(name: string, code: Rejection['code'], values: readonly string[]): Check {
  const limit = values.join(', ');
  return (value, at) =>
    typeof value === 'string' && values.includes(value)
      ? undefined
      : { ...misfit(code, at + name, value, `one of ${limit}`), limit };
}

/** Ticks and lots are counted: a fraction is refused with the way to round it. What is beyond 2^53 is for the range. */
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

/** Rules name the field by themselves, without what it stands in. */
function rangeOf(member: PlainMember): Check | undefined {
  if (!('rule' in member) || member.rule === undefined) return undefined;
  const rule = member.rule as (value: unknown) => Rejection | undefined;
  return (value, at) => {
    const rejection = rule(value);
    return rejection === undefined || at === '' ? rejection : within(at, rejection);
  };
}

/** A rejection of a member, as one of what the member stands in. */
export const within = (at: string, rejection: Rejection): Rejection => ({
  ...rejection,
  field: `${at}${rejection.field ?? ''}`,
});
