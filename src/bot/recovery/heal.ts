import type { Micros } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { Finding } from './finding.ts';

/**
 * Writes a finding down and makes known to the journal what its reports are about. The reports
 * themselves are then told as any others are, and its requests sent.
 */
export function heal(journal: Journal, finding: Finding, at: Micros): void {
  const { kind, message, clientOrderId, symbol, adopt, foreignOrder, foreignFills } = finding;
  if (adopt !== undefined) journal.adopt(adopt.order, adopt.strategy, at);
  if (foreignOrder !== undefined) journal.keepForeignOrder(foreignOrder, at);
  for (const fill of foreignFills) journal.keepForeign(fill);
  journal.finding({ at, kind, clientOrderId, symbol, message });
}
