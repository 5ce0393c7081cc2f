import { ownMembers } from '../model/members.ts';

/** Stands behind the name of what was said twice, each time something else. */
export const AGAIN = ' (again)';

/**
 * A command of what its maker was given beside `said`, which the maker says itself. Whoever gives one of
 * these again with another value contradicts himself: that is kept under a name that is refused.
 */
export function saying(fixed: Readonly<Record<string, unknown>>, given: unknown): object {
  const reported = ownMembers(Object(given) as object);
  let contradictions: Record<string, unknown> | undefined;
  for (const name of Object.keys(fixed)) {
    const again = reported[name];
    if (again === undefined || again === fixed[name]) continue;
    contradictions ??= {};
    contradictions[name + AGAIN] = again;
  }
  return { ...reported, ...fixed, ...contradictions };
}
