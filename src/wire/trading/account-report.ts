/** Types of a margin account's report, in both versions. */
export const ACCOUNT_REPORT_TYPES = ['status', 'created', 'updated', 'closed'] as const;

/** Reasons of a report. The service has no word for funding, which comes as `updated`. */
export const ACCOUNT_REPORT_REASONS = [
  'status',
  'created',
  'updated',
  'marginChanged',
  'openTrade',
  'closeTrade',
  'flipTrade',
  'closed',
  'reopened',
  'liquidated',
  'interestTaken',
] as const;
