import type { MarginAccountState, MarginRejectReport } from '../../model/margin-account.ts';
import { isoTime, US_PER_HOUR, type Micros } from '../../platform/time.ts';

/** Message about a margin account, or a position, that could not be restored after a restart. */
export const ordersInGap = ({ symbol, mode, rejection }: MarginRejectReport): string =>
  `What the paper account had on ${mode} margin in ${symbol} does not go on: ${rejection.message} Its funds went to the spot balance where its margin account is gone, and a position ended without a result.`;

/**
 * Message if positions were open while the bot was down and a full hour has passed, at which funding or
 * interest may have been due: there is no market of that time, so nothing was charged.
 */
export function unchargedBetween(
  accounts: readonly MarginAccountState[],
  from: Micros,
  till: Micros,
): string | undefined {
  const hours = Math.floor(till / US_PER_HOUR) - Math.floor(from / US_PER_HOUR);
  const symbols = accounts.flatMap(({ positions }) => positions.map(({ symbol }) => symbol));
  if (hours <= 0 || symbols.length === 0) return undefined;
  return `No funding and no interest was charged on ${[...new Set(symbols)].join(', ')} from ${isoTime(from)} to ${isoTime(till)}, while the bot was down: a paper account has no market of that time.`;
}
