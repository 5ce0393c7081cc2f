import type { Fault } from './source.ts';

const DRAWERS = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc']);

const PART = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SUFFIXES = /(\.test|\.property\.test|\.config|\.d)?\.ts$/;

/** Drawers for everything, and names that are not lower-case nouns. */
export function names(path: string): Fault[] {
  const parts = path.replace(SUFFIXES, '').split('/');
  return parts.flatMap((part) => {
    const drawer = /^managers?$/.test(part)
      ? part
      : part.split('-').find((word) => DRAWERS.has(word));
    if (drawer !== undefined) {
      const message = `"${drawer}" says nothing. Name the noun that lives there: ledger, calendar, fixture.`;
      return [{ where: path, message }];
    }
    if (PART.test(part)) return [];
    return [{ where: path, message: `"${part}" is not kebab-case: lower-case words and hyphens.` }];
  });
}
