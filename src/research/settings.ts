import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { BACKTEST_CONFIG } from '../backtest/config/config.ts';
import { planOf, type LoadedStrategy, type RunConfig } from '../backtest/config/plan.ts';
import type { BacktestPlan } from '../backtest/plan.ts';
import { strategySource } from '../backtest/strategy-source.ts';
import { explainIssue } from '../config/explain.ts';
import { MillraceError } from '../model/errors.ts';
import { loadStrategy, strategyFile, strategySourceFile } from '../modules/strategy-files.ts';
import { isStrategy, strategyFault, type StrategyDefinition } from '../strategy/define.ts';

/** A decimal number: text keeps every digit. */
export type DecimalInput = string | number;

/**
 * A backtest as in the configuration file: the same keys, the same defaults. Paths are relative to
 * the working folder.
 */
export interface BacktestSettings {
  /** Recordings, one for each symbol, or folders of them. */
  readonly recordings: readonly string[];
  /** Initial balances of the account, by currency. */
  readonly balances: Readonly<Record<string, DecimalInput>>;
  /** Initial wallet and derivatives balances, by currency; not part of the equity. */
  readonly nonSpotBalances?: {
    readonly wallet?: Readonly<Record<string, DecimalInput>>;
    readonly derivatives?: Readonly<Record<string, DecimalInput>>;
  };
  /** Fee rates by symbol, instead of those of the recording. */
  readonly fees?: Readonly<Record<string, FeeSettings>>;
  /** Margin terms of symbols, as in the configuration file. */
  readonly margin?: Readonly<Record<string, unknown>>;
  /** Margin accounts that are replenished from spot automatically, as in the configuration file. */
  readonly replenish?: readonly Readonly<Record<string, unknown>>[];
  /** Holdings outside the account, as in the configuration file. */
  readonly portfolio?: Readonly<Record<string, unknown>>;
  /** Limits between strategy and venue, as in the configuration file. */
  readonly risk?: Readonly<Record<string, unknown>>;
  /** Durations such as `20ms`. */
  readonly latency?: { readonly order?: string; readonly report?: string };
  /** A duration such as `2h`, instead of the strategy's own warm-up. */
  readonly warmUp?: string;
  /** Seed of all random numbers; 1 if absent. */
  readonly seed?: number;
  /** Times such as `2024-03-04T06:30:00Z`: start of trading, end of the replay. */
  readonly from?: string;
  readonly till?: string;
  readonly equityCurrency?: string;
  /** Time between two samples of equity, such as `1m`. */
  readonly sampleEvery?: string;
}

export interface FeeSettings {
  readonly takeRate?: DecimalInput;
  readonly makeRate?: DecimalInput;
  readonly feeCurrency?: string;
}

const RUN_CONFIG = BACKTEST_CONFIG.omit({ strategy: true, out: true });

/** Checks settings of a program. Throws `config-invalid`, naming the member. */
export function readSettings(given: unknown): RunConfig {
  const read = RUN_CONFIG.safeParse(given, { reportInput: true });
  if (read.success) {
    return { ...read.data, recordings: read.data.recordings.map((path) => resolve(path)) };
  }
  const [issue] = read.error.issues;
  const { field, sentence } = explainIssue(issue, RUN_CONFIG);
  throw new MillraceError(
    'config-invalid',
    field === ''
      ? 'A backtest takes an object of settings, with recordings and balances.'
      : sentence,
    field === '' ? {} : { field },
  );
}

/**
 * Loads a strategy by its name, by the path of its file, or as an object, with its source: all runs
 * use the source of that time. Throws `strategy-unknown` and `strategy-invalid`.
 */
export async function loadedStrategy(given: string | StrategyDefinition): Promise<LoadedStrategy> {
  if (typeof given === 'string') {
    const strategy = await loadStrategy(given);
    const sourceFile = realpathSync(strategySourceFile(given));
    const source = strategySource(strategy, sourceFile);
    return { strategy, strategyFile: strategyFile(given), sourceFile, source };
  }
  if (isStrategy(given)) return { strategy: given, source: strategySource(given) };
  const { field, sentence } = strategyFault(given) ?? { field: 'strategy', sentence: '' };
  throw new MillraceError('strategy-invalid', sentence, { field });
}

/** The plan of settings and a strategy. Throws the errors of reading them. */
export const planFor = (given: unknown, loaded: LoadedStrategy): BacktestPlan =>
  planOf(readSettings(given), loaded);
