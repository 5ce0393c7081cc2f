import type { ClockWaits } from '../http/clock-waits.ts';
import { FOLLOW_OPTIONS, untilFinal, type FollowOptions } from '../http/following.ts';
import { refuseWrongOption, type OptionTable } from '../http/unknown-members.ts';

const EVERY_US = 10_000_000;

/** Statuses that no transaction leaves by itself. */
const FINAL: ReadonlySet<string> = new Set([
  'finished',
  'failed',
  'refunded',
  'overdue',
  'expired',
]);

/** True if a transaction of that status is over. An unknown status is not. */
export const isFinalStatus = (status: string): boolean => FINAL.has(status);

/** How a transaction is followed. */
export interface FollowTransactionOptions extends FollowOptions<string> {
  /** Called when the service stops a transaction for a check: its user has to prove something. */
  readonly held?: (() => void) | undefined;
}

const OPTIONS: OptionTable<FollowTransactionOptions> = { ...FOLLOW_OPTIONS, held: 'function' };

/**
 * Polls a status until it is final, and returns it. The service sends no notifications. A call that fails
 * after all its attempts ends the polling, which can be started again.
 */
export async function followed(
  ask: () => Promise<string>,
  pauses: ClockWaits,
  options: FollowTransactionOptions,
): Promise<string> {
  refuseWrongOption('follow', options, OPTIONS);
  const { everyUs = EVERY_US, changed, held } = options;
  const read = (word: string) => ({ word, isFinal: isFinalStatus(word) });
  return untilFinal(ask, read, pauses, {
    ...options,
    everyUs,
    changed: (status) => {
      changed?.(status);
      if (status === 'hold') held?.();
    },
  });
}
