import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { canonicalJson } from '../../backtest/canonical.ts';
import type { LoadedStrategy } from '../../backtest/config/plan.ts';
import { RESULT_FORMAT } from '../../backtest/result.ts';
import { version } from '../../modules/package.ts';
import type { Job } from './runner.ts';
import type { Parts } from './store.ts';

/** Inputs of a sweep's runs besides their parameters. */
export interface Deciding {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly strategies: readonly LoadedStrategy[];
  /** Recordings of each market. */
  readonly markets: readonly (readonly { readonly path: string; readonly fingerprint: string }[])[];
}

/** Inputs of all runs of a sweep, as text for a message about a change, and the keys of runs. */
export interface Identity {
  readonly parts: Parts;
  /** Key of a run with parsed parameters: equal keys are equal runs. */
  readonly keyOf: (job: Job, parsed: Readonly<Record<string, unknown>>) => string;
  /** Data of a run: the source of its strategy and its recordings. */
  readonly dataOf: (job: Pick<Job, 'strategy' | 'market'>) => string;
}

/** Prefix of the parts of recordings, before their paths. */
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

/** The key has only the run's own inputs, so that a later sweep may omit others. */
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
