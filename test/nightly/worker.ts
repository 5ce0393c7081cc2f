import { parentPort } from 'node:worker_threads';
import fc from 'fast-check';
import { history, play } from '../exchange/pair.ts';

/** So many histories from one seed. */
export interface Share {
  readonly seed: number;
  readonly runs: number;
}

/** What came of a share; the failure is a report with the smallest history that fails. */
export interface Outcome extends Share {
  readonly failure?: string;
}

/** Plays histories and says what came of it. */
export function played({ seed, runs }: Share): Outcome {
  try {
    fc.assert(fc.property(history, play), { seed, numRuns: runs });
    return { seed, runs };
  } catch (cause) {
    const failure =
      cause instanceof Error ? `${cause.message}\n${String(cause.cause)}` : String(cause);
    return { seed, runs, failure };
  }
}

parentPort?.on('message', (share: Share) => {
  parentPort?.postMessage(played(share));
});
