import { parseDecimal } from '../model/decimal.ts';
import { ownMembers } from '../model/members.ts';

/** Suffix of the name of a member that was given twice with different values. */
export const AGAIN = ' (again)';

/** Members of commands that are exact numbers. */
const DECIMALS: ReadonlySet<string> = new Set([
  ...['price', 'quantity', 'stopPrice', 'takeRate', 'makeRate', 'notional'],
  ...['balance', 'leverage', 'floor', 'target', 'maxPerDay'],
]);

/**
 * All members of an author's argument, with decimals for number texts. Other text stays, for the
 * engine to reject.
 */
export function argumentMembers(given: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = ownMembers(Object(given) as object);
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (typeof value !== 'string' || !DECIMALS.has(name)) continue;
    fields[name] = parseDecimal(value) ?? value;
  }
  return fields;
}

/**
 * A command from its factory's argument and `fixed` members. An argument that repeats a fixed
 * member with another value is kept under a name that is rejected.
 */
export function commandFrom(fixed: Readonly<Record<string, unknown>>, given: unknown): object {
  const reported = argumentMembers(given);
  let contradictions: Record<string, unknown> | undefined;
  for (const name of Object.keys(fixed)) {
    const again = reported[name];
    if (again === undefined || again === fixed[name]) continue;
    contradictions ??= {};
    contradictions[name + AGAIN] = again;
  }
  return { ...reported, ...fixed, ...contradictions };
}
