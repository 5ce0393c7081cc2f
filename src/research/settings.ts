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
 * A backtest as the configuration file has it: the same keys, the same defaults. Paths are relative to the
 * working folder.
 */
export interface BacktestSettings {
  /** Recordings, one for each symbol, or folders of them. */
  readonly recordings: readonly string[];
  /** What the account starts with, by currency. */
  readonly balances: Readonly<Record<string, DecimalInput>>;
  /** What its wallet and its derivatives balance have at the start, by currency; no part of the equity. */
  readonly nonSpotBalances?: {
    readonly wallet?: Readonly<Record<string, DecimalInput>>;
    readonly derivatives?: Readonly<Record<string, DecimalInput>>;
  };
  /** Fee rates by symbol, instead of those of the recording. */
  readonly fees?: Readonly<Record<string, FeeSettings>>;
  /** On what terms symbols are traded on margin, as in the configuration file. */
  readonly margin?: Readonly<Record<string, unknown>>;
  /** Margin accounts that are filled up from spot by themselves, as in the configuration file. */
  readonly replenish?: readonly Readonly<Record<string, unknown>>[];
  /** Inventory beside the account, as in the configuration file. */
  readonly portfolio?: Readonly<Record<string, unknown>>;
  /** Limits between strategy and venue, as in the configuration file. */
  readonly risk?: Readonly<Record<string, unknown>>;
  /** Spans such as `20ms`. */
  readonly latency?: { readonly order?: string; readonly report?: string };
  /** A span such as `2h`, instead of the strategy's own warm-up. */
  readonly warmUp?: string;
  /** Seed of whatever is left to chance; 1 if absent. */
  readonly seed?: number;
  /** Times such as `2024-03-04T06:30:00Z`: trading starts, the replay ends. */
  readonly from?: string;
  readonly till?: string;
  readonly equityCurrency?: string;
  /** A span such as `1m` between two samples of equity. */
  readonly sampleEvery?: string;
}

export interface FeeSettings {
  readonly takeRate?: DecimalInput;
  readonly makeRate?: DecimalInput;
  readonly feeCurrency?: string;
}

const RUN_CONFIG = BACKTEST_CONFIG.omit({ strategy: true, out: true });

/** Checks settings that a program gives. Throws `config-invalid`, naming the member. */
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
 * A strategy by its name, by the path of its file, or as it is, with its text: all runs of one that was
 * loaded once have the text of that time. Throws `strategy-unknown` and
 * `strategy-invalid`.
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

/** The plan of settings and a strategy. Throws what reading them throws. */
export const planFor = (given: unknown, loaded: LoadedStrategy): BacktestPlan =>
  planOf(readSettings(given), loaded);
