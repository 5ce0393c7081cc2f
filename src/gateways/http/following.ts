import { unlessAborted } from '../../platform/aborted.ts';
import type { ClockWaits } from './clock-waits.ts';

/** How something is followed whose status a service says only when asked. */
export interface FollowOptions<Status> {
  /** From one answer to the next question; 2 s for an intent and 10 s for a transaction where absent. */
  readonly everyUs?: number | undefined;
  /** Ends the following with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the first status and of each that differs from the one before. */
  readonly changed?: ((status: Status) => void) | undefined;
}

export const FOLLOW_OPTIONS = { everyUs: 'span', signal: 'signal', changed: 'function' } as const;

/**
 * Asks for a status again and again until it is final, and gives that one. A question that fails after
 * all its attempts ends the following, which can be begun again at any time.
 */
export async function untilFinal<Status>(
  ask: () => Promise<Status>,
  read: (status: Status) => { readonly word: string; readonly isFinal: boolean },
  pauses: ClockWaits,
  { everyUs, signal, changed }: FollowOptions<Status> & { readonly everyUs: number },
): Promise<Status> {
  let before: string | undefined;
  for (;;) {
    const status = await unlessAborted(ask(), signal);
    const { word, isFinal } = read(status);
    if (word !== before) changed?.(status);
    if (isFinal) return status;
    before = word;
    await pauses.wait(everyUs, signal);
  }
}
