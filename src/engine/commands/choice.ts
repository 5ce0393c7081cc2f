import { brief, Decimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Choice } from '../../strategy/schema.ts';
import { valueText } from './shown.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Rejects an object without any of the members of which it needs one; the object is `what`. */
export function neededRejection(
  { of, code, needed }: Choice,
  fields: Fields,
  what: string,
  at: string,
): Rejection | undefined {
  let count = 0;
  for (const name of of) if (fields[name] !== undefined) count += 1;
  if (count === 1) return undefined;
  const [one, other] = of.filter((name) => fields[name] !== undefined);
  if (one !== undefined) {
    const message = `${what} is given ${one} and ${other}; give one of them.`;
    return { code, field: what, message };
  }
  const message = `${what} has neither ${of.join(' nor ')}; give one of them, ${String(needed)}.`;
  return { code, field: at + of[0], message };
}

/** Rejects an object with two members that exclude each other. */
export function bothRejection(
  { of: [first, second], code, unit }: Choice,
  fields: Fields,
  at: string,
): Rejection | undefined {
  const one = fields[first];
  const other = fields[second];
  if (one === undefined || other === undefined) return undefined;
  const field = at + first;
  const message =
    unit === undefined
      ? `${field} is given together with ${second}; give one of them.`
      : `${field} is given both as ${Decimal.isDecimal(one) ? brief(one) : valueText(one)} and as ${valueText(other)} ${unit}; give one of them.`;
  return { code, field, message };
}
