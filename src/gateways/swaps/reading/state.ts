import { statusOfName, type IntentStatus } from '../../../wire/swaps/statuses.ts';

const FINAL: ReadonlySet<IntentStatus | undefined> = new Set<IntentStatus>([
  'finished',
  'failed',
  'expired',
  'refunded',
]);

/** Meaning of a status. */
export interface StatusReading {
  /** Absent if this client does not know the name. */
  readonly state: IntentStatus | undefined;
  /** No other status follows. An unknown status counts as not final. */
  readonly isFinal: boolean;
}

/** Reads a status name of either surface. */
export function readStatus(name: string): StatusReading {
  const state = statusOfName(name);
  return { state, isFinal: FINAL.has(state) };
}
