import type { Micros } from '../../platform/time.ts';
import type { Journal } from '../journal/journal.ts';
import type { Discrepancy } from './finding.ts';

/**
 * Journals a discrepancy and the subjects of its reports. Its reports are then emitted like any others, and
 * its requests sent.
 */
export function repair(journal: Journal, discrepancy: Discrepancy, at: Micros): void {
  const { kind, message, clientOrderId, symbol, adopt, foreignOrder, foreignFills } = discrepancy;
  if (adopt !== undefined) journal.adopt(adopt.order, adopt.strategy, at);
  if (foreignOrder !== undefined) journal.keepForeignOrder(foreignOrder, at);
  for (const fill of foreignFills) journal.keepForeign(fill);
  journal.discrepancy({ at, kind, clientOrderId, symbol, message });
}
