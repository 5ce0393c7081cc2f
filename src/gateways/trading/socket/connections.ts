import type { Scheduler } from '../../../platform/scheduler.ts';
import { V3_CONNECTION_LIMIT } from '../../../wire/trading/limits.ts';
import { SlidingWindow } from '../../../wire/sliding-window.ts';

/** Attempts to connect, by the clock that counts them and the socket that they are for. */
const WINDOWS = new WeakMap<Scheduler, Map<string, SlidingWindow>>();

/**
 * Counts the connections of this process to one socket of a service, across all clients: the service counts
 * them by address. Its burst is left to other processes.
 */
export function connectionsOf(scheduler: Scheduler, url: string): SlidingWindow {
  const windows = WINDOWS.get(scheduler) ?? new Map<string, SlidingWindow>();
  WINDOWS.set(scheduler, windows);
  const window =
    windows.get(url) ?? new SlidingWindow({ rate: V3_CONNECTION_LIMIT.rate, burst: 0 });
  windows.set(url, window);
  return window;
}
