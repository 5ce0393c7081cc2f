import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readBacktestConfig } from '../../backtest/config/config.ts';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { loadStrategy } from '../../modules/strategy-files.ts';
import { interruptible } from '../../platform/interruption.ts';
import { parseSpanUs, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { sweepCsv } from '../../research/sweep/csv.ts';
import type { SweepOptions, SweepProgress, SweepResult } from '../../research/sweep/options.ts';
import { sweep } from '../../research/sweep/sweep.ts';
import type { BacktestSettings } from '../../research/settings.ts';
import { parametersFromText } from '../../strategy/parameters.ts';
import { keyValues, namedPath, wholeNumber, wrong } from '../arguments.ts';
import { internal } from '../failure.ts';
import { makeFolder } from '../out-folder.ts';
import { table } from '../table.ts';
import { statusLine, type Terminal } from '../terminal.ts';
import { usualConfig } from './backtest.ts';

/** What the command line of `millrace sweep` says. */
export interface SweepFlags {
  readonly strategy?: string;
  readonly recording?: readonly string[];
  readonly set?: readonly string[];
  readonly vary: readonly string[];
  readonly search: 'grid' | 'random';
  readonly trials?: string;
  readonly seed?: string;
  readonly objective: string;
  readonly minimize?: true;
  readonly constraint?: readonly string[];
  readonly workers?: string;
  readonly nats?: string;
  readonly sharedRecordings?: true;
  readonly ackWait: string;
  readonly out?: string;
  readonly top: string;
  readonly json?: true;
}

/** Runs a backtest with many sets of parameters, and writes every run and a table of all. */
export async function sweepParameters(
  configPath: string | undefined,
  flags: SweepFlags,
  terminal: Terminal,
): Promise<void> {
  const { options, name } = await optionsOf(configPath ?? usualConfig(), flags);
  const out = namedPath(flags.out ?? join('runs', `sweep-${name}`), '--out');
  const top = wholeNumber(flags.top, '--top');
  const removeEmpty = makeFolder(out);
  const store = join(out, 'sweep.sqlite');
  const csv = join(out, 'results.csv');
  const line = statusLine(terminal);
  try {
    const result = await interruptible(
      (signal) =>
        sweep({
          ...{ ...options, ...natsOf(flags, terminal, line), store, signal },
          onProgress: (progress) => {
            line.update(progressText(progress));
          },
        }),
      internal,
      terminal.signals,
      `what ran is kept in ${store}, and the same command goes on from there`,
    );
    line.end();
    write(csv, sweepCsv(result));
    const { counts, reused, ranked } = result;
    terminal.out.write(
      flags.json === true
        ? `${JSON.stringify({ counts, reused, best: ranked[0] ?? null, store, results: csv })}\n`
        : `${shown(result, flags.objective, top)}\n\n${csv}\n`,
    );
  } catch (error) {
    line.end();
    removeEmpty();
    throw error;
  }
}

/** Workers of a NATS server, where one is named; what they tell goes above the line of progress. */
function natsOf(
  { nats, sharedRecordings, ackWait }: SweepFlags,
  { env, err }: Terminal,
  line: { end(): void },
): Pick<SweepOptions, 'nats'> {
  if (nats === undefined) return {};
  const us = parseSpanUs(ackWait);
  if (us === undefined || us < US_PER_SECOND) throw wrong('--ack-wait', 'a span of 1s or more');
  return {
    nats: {
      ...{ url: nats, env, ackWaitMs: us / US_PER_MS },
      ...(sharedRecordings === undefined ? {} : { sharedRecordings }),
      onNotice: (text) => {
        line.end();
        err.write(`${text}\n`);
      },
    },
  };
}

async function optionsOf(
  path: string,
  flags: SweepFlags,
): Promise<{ readonly options: SweepOptions; readonly name: string }> {
  const config = readBacktestConfig(path);
  // Threads read the settings again, so that they get them as the file has them.
  const file = parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const { strategy: _, parameters: __, recordings: ___, out: ____, ...settings } = file;
  // Terms in the file are for the recordings in the file.
  if (flags.recording !== undefined) {
    delete settings['margin'];
    delete settings['fees'];
  }
  const named = flags.strategy ?? config.strategy;
  const strategy = await loadStrategy(named);
  // Parameters in the file are those of the strategy in the file.
  const configured =
    flags.strategy === undefined || flags.strategy === config.strategy ? config.parameters : {};
  const set = parametersFromText(strategy.parameters, keyValues(flags.set ?? [], '--set'));
  const number = (text: string | undefined, option: string): number | undefined =>
    text === undefined ? undefined : wholeNumber(text, option);
  const [trials, seed, workers] = [
    number(flags.trials, '--trials'),
    number(flags.seed, '--seed'),
    number(flags.workers, '--workers'),
  ];
  const options: SweepOptions = {
    backtest: {
      ...(settings as Omit<BacktestSettings, 'recordings'>),
      strategy: named,
      parameters: { ...configured, ...set },
      recordings: (flags.recording ?? config.recordings).map((each) => resolve(each)),
    },
    vary: keyValues(flags.vary, '--vary'),
    search: flags.search,
    objective: flags.objective,
    direction: flags.minimize === true ? 'minimize' : 'maximize',
    constraints: flags.constraint ?? [],
    ...(trials === undefined ? {} : { trials }),
    ...(seed === undefined ? {} : { seed }),
    ...(workers === undefined ? {} : { workers }),
  };
  return { options, name: strategy.name };
}

function progressText({ done, total, failed, runsPerSecond, secondsLeft }: SweepProgress): string {
  const faults = failed === 0 ? '' : `, ${failed} failed`;
  return `sweep ${done}/${total}${faults}, ${runsPerSecond.toFixed(1)} runs/s, ${Math.ceil(secondsLeft)} s left`;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new MillraceError(
      'file-unwritable',
      `The results could not be written to ${path} (${messageOf(cause)}). Free some space; the runs are kept, and the same command writes them again.`,
      { where: path, cause },
    );
  }
}

function shown(
  { ranked, rows, counts, reused }: SweepResult,
  objective: string,
  top: number,
): string {
  const names = [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))];
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const best = ranked
    .slice(0, top)
    .map((row) => [
      ...names.map((name) => text(row.parameters[name])),
      String(row.objective),
      row.metrics === null ? '' : row.metrics.profit,
      row.metrics === null ? '' : String(row.metrics.trades.count),
    ]);
  const [fault] = rows.flatMap((row) => (row.fault === undefined ? [] : [row.fault.message]));
  const summary = [
    ['sets', String(rows.length)],
    ['ranked', String(counts.done)],
    ['infeasible', String(counts.infeasible)],
    ['failed', String(counts.failed)],
    ['refused by the schema', String(counts.invalid)],
    ['reused', String(reused)],
    ...(fault === undefined ? [] : [['first fault', fault]]),
  ];
  return `${table([[...names, objective, 'profit', 'trades'], ...best])}\n\n${table(summary)}`;
}
