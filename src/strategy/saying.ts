import { ownMembers } from '../model/members.ts';

/** Stands behind the name of what was said twice, each time something else. */
export const AGAIN = ' (again)';

/**
 * A command of what its maker was given beside `said`, which the maker says itself. Whoever gives one of
 * these again with another value contradicts himself: that is kept under a name that is refused.
 */
export function saying(said: Readonly<Record<string, unknown>>, given: unknown): object {
  const told = ownMembers(Object(given) as object);
  let contradictions: Record<string, unknown> | undefined;
  for (const name of Object.keys(said)) {
    const again = told[name];
    if (again === undefined || again === said[name]) continue;
    contradictions ??= {};
    contradictions[name + AGAIN] = again;
  }
  return { ...told, ...said, ...contradictions };
}
