import type { AssumedPaths } from './assumed-path.ts';
import type { ResultRecorder } from './recorder.ts';

/** Warnings about positions whose protection may have failed, or did not work as planned. */
export function protectionWarnings(
  { count, first }: ResultRecorder['unprotected'],
  paths: Pick<AssumedPaths, 'exits' | 'decided'> | undefined,
): readonly string[] {
  const warnings: string[] = [];
  if (first !== undefined) {
    warnings.push(
      `Protection ended ${count === 1 ? 'once' : `${count} times`} before what it protected was sold${count === 1 ? '' : ', the first time'}: ${first.rejection.message}`,
    );
  }
  if (paths !== undefined && paths.decided > 0) {
    warnings.push(
      `${paths.decided} of ${paths.exits} exits were decided by the assumed path inside a candle: its range held another exit too, or the entry, and the opposite path would have ended otherwise. Candles of a shorter period, or trades, tell what came first.`,
    );
  }
  return warnings;
}
