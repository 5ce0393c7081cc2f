import { parseDecimal } from '../model/decimal.ts';
import { ownMembers } from '../model/members.ts';

/** Stands behind the name of what was said twice, each time something else. */
export const AGAIN = ' (again)';

/** The members of commands that are exact numbers. */
const DECIMALS: ReadonlySet<string> = new Set([
  ...['price', 'quantity', 'stopPrice', 'takeRate', 'makeRate', 'notional'],
  ...['balance', 'leverage', 'floor', 'target', 'maxPerDay'],
]);

/**
 * All members of what an author gave, in which the text of a number is the decimal that it says. Text that
 * is no number stays, for the engine to refuse.
 */
export function asGiven(given: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = ownMembers(Object(given) as object);
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (typeof value !== 'string' || !DECIMALS.has(name)) continue;
    fields[name] = parseDecimal(value) ?? value;
  }
  return fields;
}

/**
 * A command of what its maker was given beside `said`, which the maker says itself. Whoever gives one of
 * these again with another value contradicts himself: that is kept under a name that is refused.
 */
export function saying(fixed: Readonly<Record<string, unknown>>, given: unknown): object {
  const reported = asGiven(given);
  let contradictions: Record<string, unknown> | undefined;
  for (const name of Object.keys(fixed)) {
    const again = reported[name];
    if (again === undefined || again === fixed[name]) continue;
    contradictions ??= {};
    contradictions[name + AGAIN] = again;
  }
  return { ...reported, ...fixed, ...contradictions };
}
