import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';

/** Polling interval of a condition. */
const POLL_US = 10_000;

/**
 * Waits for what no single event reports: returns true as soon as `condition` holds, false when that took
 * longer than `withinUs`.
 */
export const waiter =
  (scheduler: Scheduler) =>
  (condition: () => boolean, withinUs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const until = scheduler.now() + withinUs;
      const look = (): void => {
        if (condition()) resolve(true);
        else if (scheduler.now() >= until) resolve(false);
        else scheduler.at(micros(scheduler.now() + POLL_US), look);
      };
      look();
    });
