import { createHash } from 'node:crypto';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { RESULT_FORMAT } from '../../backtest/result.ts';
import { strategySource } from '../../backtest/strategy-source.ts';
import { version } from '../../modules/package.ts';
import type { Parts } from './store.ts';

/** What decides the runs of a sweep beside their parameters. */
export interface Deciding {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: readonly LoadedStrategy[];
  /** For each market the fingerprints of its recordings. */
  readonly markets: readonly (readonly { symbol: string; fingerprint: string }[])[];
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

/** The same by what it is, in words for the sentence that tells of a change. */
export function partsOf({ settings, strategies, markets }: Deciding): Parts {
  const parts: Record<string, string> = {
    'the release of Millrace': `${version()}, results ${RESULT_FORMAT}`,
    'the settings of the backtest': hashOf(settings),
  };
  for (const { strategy, strategyFile, sourceFile } of strategies) {
    const source = strategySource(strategy, sourceFile ?? strategyFile);
    parts[`the strategy ${strategy.name}`] = hashOf(source);
  }
  markets.forEach((recordings, index) => {
    for (const { symbol, fingerprint } of recordings) {
      parts[`the recording of ${symbol} in market ${index + 1}`] = fingerprint;
    }
  });
  return parts;
}

/** The key of a run with parameters as they were parsed: equal keys are equal runs. */
export const keyOf = (
  parts: Parts,
  strategy: string,
  market: number,
  parameters: Readonly<Record<string, unknown>>,
): string => hashOf({ parts, strategy, market, parameters });
