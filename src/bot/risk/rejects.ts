import type { RejectionCode } from '../../model/rejections.ts';
import type { RejectReport } from '../../model/report.ts';

/** The venue did not say no: the request never left or never arrived, or the venue answers nothing now. */
const UNACKNOWLEDGED: ReadonlySet<RejectionCode> = new Set<RejectionCode>([
  'venue-unreachable',
  'venue-unavailable',
  'order-lost',
]);

/**
 * Whether a rejection counts against `maxRejectsPerMinute`. A cancel or a replacement of an order that has
 * just ended lost a race, as happens to everybody who trades; it says nothing about the strategy.
 */
export function countsAsReject({ request, rejection }: RejectReport): boolean {
  if (UNACKNOWLEDGED.has(rejection.code)) return false;
  return rejection.code !== 'order-unknown' || (request !== 'cancel' && request !== 'replace');
}
