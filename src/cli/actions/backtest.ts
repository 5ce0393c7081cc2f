import { resolve } from 'node:path';
import { failureLocation } from '../../backtest/failure-location.ts';
import { writeRun, type RunFiles } from '../../backtest/output.ts';
import type { BacktestPlan, FeeOverride } from '../../backtest/plan.ts';
import type { BacktestResult } from '../../backtest/result.ts';
import { runBacktest } from '../../backtest/run.ts';
import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { openSeries } from '../../feeds/series.ts';
import { isoTime, parseIsoTime, parseSpanUs, type Micros } from '../../platform/time.ts';
import { parametersFromText } from '../../strategy/parameters.ts';
import { keyValues, requirePath, wholeNumber, usageError } from '../arguments.ts';
import { readBacktestConfig, type BacktestConfig } from '../../backtest/config/config.ts';
import { planOf } from '../../backtest/config/plan.ts';
import { messageOf } from '../../config/excerpt.ts';
import { withBar } from '../bar.ts';
import { makeFolder } from '../out-folder.ts';
import { exampleConfig } from '../own-config.ts';
import { loadedStrategy } from '../../research/settings.ts';
import type { Terminal } from '../terminal.ts';
import { verdict } from '../verdict.ts';

/** Flags of `millrace backtest`. */
export interface BacktestFlags {
  readonly strategy?: string;
  readonly recording?: readonly string[];
  readonly set?: readonly string[];
  readonly balance?: readonly string[];
  readonly takeRate?: string;
  readonly makeRate?: string;
  readonly orderLatency?: string;
  readonly reportLatency?: string;
  readonly warmUp?: string;
  readonly from?: string;
  readonly till?: string;
  readonly seed?: string;
  readonly out?: string;
  readonly watch?: true;
  readonly json?: true;
}

/** Runs a strategy on recordings, and writes its result as numbers and as a page. Returns the result. */
export async function backtest(
  configPath: string | undefined,
  flags: BacktestFlags,
  terminal: Terminal,
): Promise<BacktestResult> {
  const config = readBacktestConfig(configPath ?? exampleConfig('backtest'));
  const plan = await plannedRun(config, flags);
  const out = requirePath(flags.out ?? config.out, '--out');
  const removeEmpty = makeFolder(out);
  let result: BacktestResult;
  let files: RunFiles;
  try {
    result = await replay(plan, terminal);
    files = writeRun(result, out);
  } catch (error) {
    removeEmpty();
    throw error;
  }
  const { hash, strategy, metrics, orders, warnings, failure } = result;
  terminal.out.write(
    flags.json === true
      ? `${JSON.stringify({ hash, strategy, metrics, orders, warnings, failure, ...files })}\n`
      : `${verdict(result, files, terminal)}\n`,
  );
  if (failure !== undefined) {
    throw new MillraceError(
      'strategy-failed',
      `The strategy ${strategy.name} was stopped at ${failure.at}${failure.where === undefined ? '' : ` by ${failure.where}`}: ${failure.message}`,
      { ...(failure.where === undefined ? {} : { where: failure.where }) },
    );
  }
  return result;
}

async function replay(plan: BacktestPlan, terminal: Terminal): Promise<BacktestResult> {
  const { strategy, strategyFile } = plan;
  return withBar(
    terminal,
    `backtest ${strategy.name}`,
    (signal, update) =>
      runBacktest(plan, { signal, onProgress: ({ share, at }) => update(share, isoTime(at)) }),
    { explain: (error) => strayError(strategy.name, strategyFile, error) },
  );
}

/** Millrace itself leaves nothing floating while a strategy runs; its author did. */
function strayError(name: string, file: string | undefined, cause: unknown): MillraceError {
  const stack = cause instanceof Error ? cause.stack : undefined;
  const where = file === undefined ? undefined : failureLocation(stack, file);
  return new MillraceError(
    'strategy-failed',
    `The strategy ${name} was stopped${where === undefined ? '' : ` by ${where}`}: an error that nobody caught came out of a promise, a timer or a callback of its own: ${messageOf(cause)}`,
    { cause, ...(where === undefined ? {} : { where }) },
  );
}

/** The configuration with the flags applied. */
async function plannedRun(config: BacktestConfig, flags: BacktestFlags): Promise<BacktestPlan> {
  const named = flags.strategy ?? config.strategy;
  const loaded = await loadedStrategy(named);
  // Parameters in the file are those of the strategy in the file.
  const configured =
    flags.strategy === undefined || flags.strategy === config.strategy ? config.parameters : {};
  const set = parametersFromText(loaded.strategy.parameters, keyValues(flags.set ?? [], '--set'));
  const recordings = (flags.recording ?? config.recordings).map((path) => resolve(path));
  const fees = feesOf(config, flags, recordings);
  const order = span(flags.orderLatency, '--order-latency') ?? config.latency?.order;
  const report = span(flags.reportLatency, '--report-latency') ?? config.latency?.report;
  const warmUp = span(flags.warmUp, '--warm-up') ?? config.warmUp;
  const from = time(flags.from, '--from') ?? config.from;
  const till = time(flags.till, '--till') ?? config.till;
  return planOf(
    {
      ...config,
      recordings,
      fees,
      warmUp,
      from,
      till,
      parameters: { ...configured, ...set },
      balances:
        flags.balance === undefined ? config.balances : keyValues(flags.balance, '--balance'),
      latency: { order, report },
      seed: flags.seed === undefined ? config.seed : wholeNumber(flags.seed, '--seed'),
      // Margin terms in the file are for the recordings in the file.
      margin: flags.recording === undefined ? config.margin : undefined,
    },
    loaded,
  );
}

/** Fee rates from the flags hold for every symbol of the run. */
function feesOf(
  config: BacktestConfig,
  { takeRate, makeRate, recording }: BacktestFlags,
  recordings: readonly string[],
): Readonly<Record<string, FeeOverride>> | undefined {
  const over = {
    ...(takeRate === undefined ? {} : { takeRate }),
    ...(makeRate === undefined ? {} : { makeRate }),
  };
  // Fees in the file are for the recordings in the file.
  const configured = recording === undefined ? config.fees : undefined;
  if (Object.keys(over).length === 0) return configured;
  return Object.fromEntries(
    symbolsOf(recordings).map((symbol) => [symbol, { ...configured?.[symbol], ...over }]),
  );
}

function symbolsOf(paths: readonly string[]): readonly string[] {
  const series = openSeries(paths);
  for (const each of series) each.close();
  return series.map(({ meta }) => meta.instrument.symbol);
}

function span(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const us = parseSpanUs(text);
  if (us !== undefined) return us;
  throw usageError(option, `a span such as 20ms, 1.5s, 5m, 4h or 2d, not "${excerpt(text)}"`);
}

function time(text: string | undefined, option: string): Micros | undefined {
  if (text === undefined) return undefined;
  const at = parseIsoTime(text);
  if (at !== undefined) return at;
  throw usageError(option, `a time such as 2024-03-04T06:30:00Z, not "${excerpt(text)}"`);
}
