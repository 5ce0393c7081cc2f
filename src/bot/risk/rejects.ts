import type { RefusalCode } from '../../model/refusals.ts';
import type { RejectReport } from '../../model/report.ts';

/** The venue did not say no: the request never left or never arrived, or the venue answers nothing now. */
const UNHEARD: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'venue-unreachable',
  'venue-unavailable',
  'order-lost',
]);

/**
 * Whether a refusal counts against `maxRejectsPerMinute`. A cancel or a replacement of an order that has
 * just ended lost a race, as happens to everybody who trades; it says nothing about the strategy.
 */
export function countsAsReject({ request, refusal }: RejectReport): boolean {
  if (UNHEARD.has(refusal.code)) return false;
  return refusal.code !== 'order-unknown' || (request !== 'cancel' && request !== 'replace');
}
