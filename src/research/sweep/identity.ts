import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { RESULT_FORMAT } from '../../backtest/result.ts';
import { version } from '../../modules/package.ts';
import type { Job } from './runner.ts';
import type { Parts } from './store.ts';

/** What decides the runs of a sweep beside their parameters. */
export interface Deciding {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: readonly LoadedStrategy[];
  /** For each market its recordings. */
  readonly markets: readonly (readonly { readonly path: string; readonly fingerprint: string }[])[];
}

/** What decides all runs of a sweep, in words for the message about a change, and the keys of runs. */
export interface Identity {
  readonly parts: Parts;
  /** The key of a run with parameters as they were parsed: equal keys are equal runs. */
  readonly keyOf: (job: Job, parsed: Readonly<Record<string, unknown>>) => string;
  /** What a run is tried on: the text of its strategy and its recordings. */
  readonly dataOf: (job: Pick<Job, 'strategy' | 'market'>) => string;
}

/** How the parts of recordings begin, which have their paths. */
export const RECORDING = 'the recording ';

const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

/** Settings in one form: a number in a file and its text in a program are the same. */
export function plainSettings(given: unknown): unknown {
  if (typeof given === 'number') return String(given);
  if (Array.isArray(given)) return given.map(plainSettings);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, plainSettings(one)]));
}

/** Only what decides a run is in its key, so that others may be left out of a later sweep. */
export function identityOf({ settings, strategies, markets }: Deciding): Identity {
  const release = `${version()}, results ${RESULT_FORMAT}`;
  const common = hashOf(plainSettings(settings));
  const parts: Record<string, string> = {
    'the release of Millrace': release,
    'the settings of the backtest': common,
  };
  const sources = strategies.map(({ strategy, sourceFile: file, source: text }) => {
    const source = hashOf(text);
    const name = `the strategy ${strategy.name}`;
    parts[name in parts ? `${name} of ${file ?? 'the script'}` : name] = source;
    return { name: strategy.name, source };
  });
  for (const { path, fingerprint } of markets.flat()) {
    parts[`${RECORDING}${resolve(path)}`] = fingerprint;
  }
  const recordings = markets.map((market) => market.map(({ fingerprint }) => fingerprint));
  return {
    parts,
    dataOf: ({ strategy, market }) =>
      hashOf({ strategy: sources[strategy], recordings: recordings[market] }),
    keyOf: ({ strategy, market, span }, parameters) =>
      hashOf({
        release,
        settings: common,
        parameters,
        strategy: sources[strategy],
        recordings: recordings[market],
        span: span ?? null,
      }),
  };
}
