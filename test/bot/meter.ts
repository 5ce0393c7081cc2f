import type { Meter } from '../../src/bot/api/bot-api.ts';

/** Measures nothing. */
export const emptyMeter = (): Meter => ({
  feedDelay: () => undefined,
  decision: () => undefined,
  acknowledged: () => undefined,
  sent: () => undefined,
  rejected: () => undefined,
  filled: () => undefined,
  reconnected: () => undefined,
  found: () => undefined,
  marginEvent: () => undefined,
});
