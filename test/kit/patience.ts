import { vi } from 'vitest';

/**
 * How long something may take on a machine with much to do; whoever waits has it looked at often, so
 * that it costs no time on a quiet one.
 */
export const PATIENCE = { timeout: 100_000, interval: 100 } as const;

/** Waits until something is there. */
export const there = (isThere: () => boolean): Promise<void> =>
  vi.waitUntil(isThere, PATIENCE).then(() => undefined);
