import type { MarginAccountReport, MarginAccountState } from '../../model/margin-account.ts';
import type { ShareEvent } from '../../rules/margin/shared-account.ts';

/** A report of a shared account as emitted to one strategy, by the change of its own part. */
export function shareReport(
  report: MarginAccountReport,
  { before, after, moved, carry, forced, isRequested: isAsked }: ShareEvent,
): MarginAccountReport {
  const { at, reason, end, missed, byOthers } = report;
  const base = { kind: 'marginAccount', at, account: after, missed } as const;
  if (forced !== undefined) return { ...base, reason, end, position: forced };
  if (carry !== undefined) {
    const symbol = report.position?.symbol ?? report.account.symbol;
    const position = after.positions.find((one) => one.symbol === symbol);
    return { ...base, reason, carry, position };
  }
  if (isAsked) return { ...base, reason: settingReason(before, after), moved };
  // Requested by nobody here: others changed the account, or its part took another's loss.
  return { ...base, reason: byOthers === true ? reason : 'updated', byOthers: true };
}

const settingReason = (
  before: MarginAccountState,
  after: MarginAccountState,
): MarginAccountReport['reason'] => {
  if (!after.isOpen) return 'closed';
  return before.isOpen ? 'marginChanged' : 'created';
};
