import { brief, Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Choice } from '../../strategy/schema.ts';
import { shown } from './shown.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Why an object does not have one of two members of which it needs one; the object is `what`. */
export function neededRefusal(
  { of: [first, second], code, needed }: Choice,
  fields: Fields,
  what: string,
  at: string,
): Refusal | undefined {
  const hasFirst = fields[first] !== undefined;
  if (hasFirst !== (fields[second] !== undefined)) return undefined;
  if (hasFirst) {
    const message = `${what} is given ${first} and ${second}; give one of them.`;
    return { code, field: what, message };
  }
  const message = `${what} has neither ${first} nor ${second}; give one of them, ${String(needed)}.`;
  return { code, field: at + first, message };
}

/** Why an object has two members of which it may have one. */
export function bothRefusal(
  { of: [first, second], code, unit }: Choice,
  fields: Fields,
  at: string,
): Refusal | undefined {
  const one = fields[first];
  const other = fields[second];
  if (one === undefined || other === undefined) return undefined;
  const field = at + first;
  const message =
    unit === undefined
      ? `${field} is given beside ${second}; give one of them.`
      : `${field} is given both as ${Decimal.isDecimal(one) ? brief(one) : shown(one)} and as ${shown(other)} ${unit}; give one of them.`;
  return { code, field, message };
}
