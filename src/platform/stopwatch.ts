/** Nanoseconds since the process began, by a steady clock: for measuring durations. */
export const elapsedNs = (): number => performance.now() * 1e6;

/**
 * Nanoseconds, in steps of 1,000, of processor time of this thread: a duration independent of other load.
 * On an idle machine it equals the elapsed time.
 */
export function busyNs(): number {
  const { user, system } = process.threadCpuUsage();
  return 1_000 * (user + system);
}
