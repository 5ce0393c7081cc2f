import type { ClockWaits } from '../http/clock-waits.ts';
import { FOLLOW_OPTIONS, untilFinal, type FollowOptions } from '../http/following.ts';
import { refuseWrongOption } from '../http/unknown-members.ts';

const EVERY_US = 2_000_000;

/** Asks for the status of an intent until it is final: the service sends no notifications. */
export async function followed<
  Status extends { readonly status: string; readonly isFinal: boolean },
>(ask: () => Promise<Status>, pauses: ClockWaits, options: FollowOptions<Status>): Promise<Status> {
  refuseWrongOption<FollowOptions<never>>('follow', options, FOLLOW_OPTIONS);
  const { everyUs = EVERY_US } = options;
  const read = ({ status: word, isFinal }: Status) => ({ word, isFinal });
  return untilFinal(ask, read, pauses, { ...options, everyUs });
}
