/** Nanoseconds since the process began, by a steady clock: for measuring how long something takes. */
export const elapsedNs = (): number => performance.now() * 1e6;

/**
 * Nanoseconds, in steps of 1,000, that this thread has had a processor: what something takes
 * whatever else the machine is busy with. On an idle machine the same as the time that passes.
 */
export function busyNs(): number {
  const { user, system } = process.threadCpuUsage();
  return 1_000 * (user + system);
}
