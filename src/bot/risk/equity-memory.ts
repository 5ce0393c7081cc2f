import { dayOf, micros, US_PER_DAY } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { EquityMemory } from '../../risk/guards/equity.ts';
import type { Scope } from './states.ts';

/** Equity baselines of a scope in a previous run. */
export const recalled = (journal: Journal, scope: Scope): EquityMemory =>
  new Map(
    [...journal.dayStart(scope)].map(([currency, { midnight, equity, highest }]) => [
      currency,
      { day: dayOf(midnight), start: equity, peak: highest, last: equity, reported: [] },
    ]),
  );

/** Stores the equity baselines of a scope for the next start. */
export function remember(journal: Journal, scope: Scope, memory: EquityMemory): void {
  for (const [currency, { day, start, peak }] of memory) {
    journal.setDayStart(scope, currency, {
      midnight: micros(day * US_PER_DAY),
      equity: start,
      highest: peak,
    });
  }
}
