import { statusOfName, type IntentStatus } from '../../../wire/swaps/statuses.ts';

const FINAL: ReadonlySet<IntentStatus | undefined> = new Set<IntentStatus>([
  'finished',
  'failed',
  'expired',
  'refunded',
]);

/** What a status means, beside its name. */
export interface StatusReading {
  /** Absent if the name is none that this client knows. */
  readonly state: IntentStatus | undefined;
  /** No other status follows. One that is not known is taken for one that others follow. */
  readonly isFinal: boolean;
}

/** Reads the name that either surface gives to a status. */
export function readStatus(name: string): StatusReading {
  const state = statusOfName(name);
  return { state, isFinal: FINAL.has(state) };
}
