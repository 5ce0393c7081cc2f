/** Nanoseconds since the process began, by a steady clock: for measuring how long something takes. */
export const elapsedNs = (): number => performance.now() * 1e6;
