import { parentPort } from 'node:worker_threads';
import fc from 'fast-check';
import { history, play } from '../exchange/pair.ts';
import { banking, playBanking } from '../exchange/wallet/play.ts';

/** What is played: orders and the market, or wallets and sub-accounts. */
export type Game = 'orders' | 'banking';

/** So many histories from one seed. */
export interface Share {
  readonly game: Game;
  readonly seed: number;
  readonly runs: number;
}

/** What came of a share; the failure is a report with the smallest history that fails. */
export interface Outcome extends Share {
  readonly failure?: string;
}

/** Plays histories and says what came of it. */
export function played({ game, seed, runs }: Share): Outcome {
  try {
    if (game === 'orders') fc.assert(fc.property(history, play), { seed, numRuns: runs });
    else fc.assert(bankingProperty, { seed, numRuns: runs });
    return { game, seed, runs };
  } catch (cause) {
    const failure =
      cause instanceof Error ? `${cause.message}\n${String(cause.cause)}` : String(cause);
    return { game, seed, runs, failure };
  }
}

const bankingProperty = fc.property(banking, (steps) => {
  playBanking(steps, new Set());
});

parentPort?.on('message', (share: Share) => {
  parentPort?.postMessage(played(share));
});
