import { unlessAborted } from '../../platform/aborted.ts';
import type { ClockWaits } from '../http/clock-waits.ts';
import { refuseWrongOption, type OptionTable } from '../http/unknown-members.ts';

const EVERY_US = 2_000_000;

/** How an intent is followed. */
export interface FollowOptions<Status> {
  /** From one answer to the next call; 2 s if absent. */
  readonly everyUs?: number | undefined;
  /** Ends the following with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the first status and each that differs from the previous one. */
  readonly changed?: ((status: Status) => void) | undefined;
}

const OPTIONS: OptionTable<FollowOptions<never>> = {
  everyUs: 'span',
  signal: 'signal',
  changed: 'function',
};

/**
 * Polls a status until it is final, and returns it. The service sends no notifications. A call that fails
 * after all its attempts ends the polling, which can be started again at any time.
 */
export async function followed<
  Status extends { readonly status: string; readonly isFinal: boolean },
>(ask: () => Promise<Status>, pauses: ClockWaits, options: FollowOptions<Status>): Promise<Status> {
  refuseWrongOption<FollowOptions<never>>('follow', options, OPTIONS);
  const { everyUs = EVERY_US, signal, changed } = options;
  let before: string | undefined;
  for (;;) {
    const status = await unlessAborted(ask(), signal);
    if (status.status !== before) changed?.(status);
    if (status.isFinal) return status;
    before = status.status;
    await pauses.wait(everyUs, signal);
  }
}
