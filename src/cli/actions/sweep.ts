import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readBacktestConfig } from '../../backtest/config/config.ts';
import { MillraceError } from '../../model/errors.ts';
import { loadStrategy } from '../../modules/strategy-files.ts';
import { interruptible } from '../../platform/interruption.ts';
import { parseSpanUs, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import { rowFigures } from '../../research/sweep/objective.ts';
import type {
  SweepOptions,
  SweepProgress,
  SweepResult,
  SweepRow,
} from '../../research/sweep/options.ts';
import { exportTables } from '../../research/export/tables.ts';
import { report } from '../../research/report.ts';
import { sweep } from '../../research/sweep/sweep.ts';
import type { BacktestSettings } from '../../research/settings.ts';
import { parametersFromText } from '../../strategy/parameters.ts';
import { keyValues, requirePath, wholeNumber, usageError } from '../arguments.ts';
import { internalError } from '../failure.ts';
import { makeFolder } from '../out-folder.ts';
import { exampleConfig } from '../own-config.ts';
import { table } from '../table.ts';
import { statusLine, type Terminal } from '../terminal.ts';

/** Flags of a search. */
export interface SearchFlags {
  readonly strategy?: string;
  readonly recording?: readonly string[];
  readonly set?: readonly string[];
  readonly vary: readonly string[];
  readonly search: NonNullable<SweepOptions['search']>;
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
  readonly json?: true;
}

/** Flags of `millrace sweep`. */
export interface SweepFlags extends SearchFlags {
  readonly top: string;
}

/** Runs a backtest with many sets of parameters, and writes every run and a table of all. */
export async function sweepParameters(
  configPath: string | undefined,
  flags: SweepFlags,
  terminal: Terminal,
): Promise<void> {
  const top = wholeNumber(flags.top, '--top');
  const { result, store, written } = await searched(configPath, flags, terminal, {
    name: 'sweep',
    run: (options) => sweep(options),
    write: async (found, out) => {
      const page = report(found, join(out, 'sweep.html'));
      return { ...writtenTables(await exportTables(found, out)), report: page };
    },
  });
  const { counts, reused, ranked, overfitting } = result;
  const best = ranked[0] ?? null;
  terminal.out.write(
    flags.json === true
      ? `${JSON.stringify({ counts, reused, overfitting, best, store, ...written })}\n`
      : `${shown(result, flags.objective, top)}\n\n${Object.values(written).join('\n')}\n`,
  );
  throwFailed(result.rows);
}

/** How a command searches, and how it writes down what it found. */
export interface Searching<T, W> {
  readonly name: string;
  readonly run: (options: SweepOptions & { readonly signal: AbortSignal }) => Promise<T>;
  /** Writes files into the folder, and returns what they are. */
  readonly write: (result: T, out: string) => Promise<W>;
}

/** The tables of a search by what they are, for programs that read the JSON line. */
export const writtenTables = ([
  results,
  equity,
  parquet,
  equityParquet,
]: readonly string[]): Readonly<Record<string, string>> => ({
  results,
  equity,
  parquet,
  equityParquet,
});

/** Searches in a folder that keeps all runs; Ctrl-C ends it, and the same command continues. */
export async function searched<T, W>(
  configPath: string | undefined,
  flags: SearchFlags,
  terminal: Terminal,
  { name, run, write }: Searching<T, W>,
): Promise<{ readonly result: T; readonly store: string; readonly written: W }> {
  const { options, strategy } = await optionsOf(configPath ?? exampleConfig('backtest'), flags);
  const out = requirePath(flags.out ?? join('runs', `${name}-${strategy}`), '--out');
  const removeEmpty = makeFolder(out);
  const store = join(out, 'sweep.sqlite');
  const line = statusLine(terminal);
  try {
    const result = await interruptible(
      (signal) =>
        run({
          ...options,
          ...natsOf(flags, terminal, line),
          store,
          signal,
          onProgress: (progress) => {
            line.update(`${name} ${progressText(progress)}`, progress.done / progress.total);
          },
        }),
      internalError,
      terminal.signals,
      `what ran is kept in ${store}, and the same command goes on from there`,
    );
    line.end();
    const written = await write(result, out);
    return { result, store, written };
  } catch (error) {
    line.end();
    removeEmpty();
    throw error;
  }
}

/** Workers of a NATS server, if one is given; their messages go above the progress line. */
function natsOf(
  { nats, sharedRecordings, ackWait }: SearchFlags,
  { env, err }: Terminal,
  line: { end(): void },
): Pick<SweepOptions, 'nats'> {
  if (nats === undefined) return {};
  const us = parseSpanUs(ackWait);
  if (us === undefined || us < US_PER_SECOND)
    throw usageError('--ack-wait', 'a span of 1s or more');
  return {
    nats: {
      url: nats,
      env,
      ackWaitMs: us / US_PER_MS,
      sharedRecordings,
      onNotice: (text) => {
        line.end();
        err.write(`${text}\n`);
      },
    },
  };
}

async function optionsOf(
  path: string,
  flags: SearchFlags,
): Promise<{ readonly options: SweepOptions; readonly strategy: string }> {
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
    trials,
    seed,
    workers,
  };
  return { options, strategy: strategy.name };
}

function progressText({ done, total, failed, runsPerSecond, secondsLeft }: SweepProgress): string {
  const faults = failed === 0 ? '' : `, ${failed} failed`;
  return `${done}/${total}${faults}, ${runsPerSecond.toFixed(1)} runs/s, ${Math.ceil(secondsLeft)} s left`;
}

/** Columns besides the objective in the table of the best runs. */
const COLUMNS = ['profit', 'trades.count', 'orders.rejected'];

function shown(
  { ranked, rows, counts, reused, overfitting }: SweepResult,
  objective: string,
  top: number,
): string {
  const names = [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))];
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const columns = COLUMNS.filter((name) => name !== objective);
  const best = ranked.slice(0, top).map((row) => {
    const figures = rowFigures(row);
    return [
      ...names.map((name) => text(row.parameters[name])),
      ...[String(row.objective), ...columns.map((name) => String(figures.get(name)))],
    ];
  });
  const [fault] = rows.flatMap((row) => (row.fault === undefined ? [] : [row.fault.message]));
  const rejecting = ranked.filter(({ orders }) => rejectedOf(orders) > 0).length;
  const summary = [
    ['sets', String(rows.length)],
    ['ranked', String(counts.done)],
    ['infeasible', String(counts.infeasible)],
    ['failed', String(counts.failed)],
    ['refused by the schema', String(counts.invalid)],
    ['reused', String(reused)],
    ...(rejecting === 0 ? [] : [['ranked with rejections', String(rejecting)]]),
    ...(fault === undefined ? [] : [['first fault', fault]]),
    ...(overfitting === null ? [] : overfittingRows(overfitting)),
    ...(ranked[0]?.warnings ?? []).map((warning) => ['note on the best', warning]),
  ];
  return `${table([[...names, objective, ...columns], ...best])}\n\n${table(summary)}`;
}

/** How much of the best result may come from the number of sets, with an explanation. */
function overfittingRows(found: NonNullable<SweepResult['overfitting']>): string[][] {
  const { deflatedSharpe, inStore, probability, blocks, trials } = found;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    ...(deflatedSharpe === null
      ? []
      : [
          [
            'deflated Sharpe',
            `${percent(deflatedSharpe)} that the best of ${trials} sets is better than the best by chance`,
          ],
        ]),
    ...(inStore === null || inStore.deflatedSharpe === null
      ? []
      : [
          [
            'over all sweeps of the store',
            `${percent(inStore.deflatedSharpe)} that it is better than the best by chance of ${inStore.trials} sets on these recordings`,
          ],
        ]),
    ...(probability === null
      ? []
      : [
          [
            'over-fitting',
            `${percent(probability)} of all halves of ${String(blocks)} blocks of time have a best that is no better than the middle in the other half`,
          ],
        ]),
    [
      'read it so',
      'The best of many sets is lucky too: only data that no sweep has seen show its value.',
    ],
  ];
}

/** Rejections of the strategy's requests. */
const rejectedOf = (orders: SweepRow['orders']): number =>
  Object.values(orders?.rejections ?? {}).reduce((sum, count) => sum + count, 0);

/** Throws `runs-failed` if runs failed; the results of the others are written and shown already. */
export function throwFailed(rows: readonly SweepRow[]): void {
  const failed = rows.filter(({ state }) => state === 'failed');
  const [first] = failed;
  if (first === undefined) return;
  throw new MillraceError(
    'runs-failed',
    `${failed.length} of ${rows.length} sets failed, the first: ${first.fault?.message ?? ''} The others are kept and ranked.`,
  );
}
