import type { Cancel, Scheduler } from './scheduler.ts';
import { micros } from './time.ts';

/** Waits for a time, or until the signal aborts; never throws. */
export function pause(scheduler: Scheduler, us: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    let cancel: Cancel = () => undefined;
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    cancel = scheduler.at(micros(scheduler.now() + us), end);
    signal?.addEventListener('abort', end, { once: true });
  });
}
