import { unlessAborted } from '../../platform/aborted.ts';
import type { ClockWaits } from '../http/clock-waits.ts';
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
export interface FollowTransactionOptions {
  /** From one answer to the next call; 10 s if absent. */
  readonly everyUs?: number | undefined;
  /** Ends the following with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the first status and each that differs from the previous one. */
  readonly changed?: ((status: string) => void) | undefined;
  /** Called when the service stops a transaction for a check: its user has to prove something. */
  readonly held?: (() => void) | undefined;
}

const OPTIONS: OptionTable<FollowTransactionOptions> = {
  everyUs: 'span',
  signal: 'signal',
  changed: 'function',
  held: 'function',
};

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
  const { everyUs = EVERY_US, signal, changed, held } = options;
  let before: string | undefined;
  for (;;) {
    const status = await unlessAborted(ask(), signal);
    if (status !== before) {
      changed?.(status);
      if (status === 'hold') held?.();
    }
    if (isFinalStatus(status)) return status;
    before = status;
    await pauses.wait(everyUs, signal);
  }
}
