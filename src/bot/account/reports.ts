import type { MarginReport } from '../../model/margin-account.ts';
import type { AnyOrderReport, RejectReport, Report } from '../../model/report.ts';

/** True if the venue does not know the order that was to be canceled. */
export const isUnknownCancel = (report: AnyOrderReport): report is RejectReport =>
  report.kind === 'rejected' &&
  report.request === 'cancel' &&
  report.rejection.code === 'order-unknown';

/** True for a report of a margin account. */
export const isOfMargin = (report: Report | MarginReport): report is MarginReport =>
  report.kind === 'marginAccount' || report.kind === 'marginRejected';
