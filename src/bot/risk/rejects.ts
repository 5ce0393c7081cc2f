import type { RejectionCode } from '../../model/rejections.ts';
import type { RejectReport } from '../../model/report.ts';

/** Not a rejection by the venue: the request never left or arrived, or the venue answers nothing now. */
const UNACKNOWLEDGED: ReadonlySet<RejectionCode> = new Set<RejectionCode>([
  'venue-unreachable',
  'venue-unavailable',
  'order-lost',
]);

/**
 * True if a rejection counts against `maxRejectsPerMinute`. A cancel or a replacement of an order that has
 * just ended lost a race, which is normal and says nothing about the strategy.
 */
export function countsAsReject({ request, rejection }: RejectReport): boolean {
  if (UNACKNOWLEDGED.has(rejection.code)) return false;
  return rejection.code !== 'order-unknown' || (request !== 'cancel' && request !== 'replace');
}
