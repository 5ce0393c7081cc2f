import { existsSync } from 'node:fs';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { EXPORT_FORMS } from '../../research/export/forms.ts';
import { answered } from './answers.ts';
import type { JobContext } from './jobs.ts';
import type { McpParts } from './settings.ts';

/** Progress is sent in steps of at least this share, so that a long search is not a flood. */
const STEP = 1 / 100;
const READS = { readOnlyHint: true, openWorldHint: false } as const;
/** Runs write their own files and delete nothing. */
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;

const VALUES = z.record(
  z.string().regex(/^[^=]+$/),
  z.union([z.string(), z.number(), z.boolean()]),
);

/** Parameters of both backtest and sweep. */
const RUN = {
  config: z
    .string()
    .optional()
    .describe('Configuration of a backtest (default: config/backtest.yaml, or the example).'),
  strategy: z.string().optional().describe('Name in strategies/, or path of a file.'),
  recordings: z.array(z.string()).min(1).max(100).optional().describe('Recordings, or folders.'),
  parameters: VALUES.optional().describe('Strategy parameters by name; see list_strategies.'),
  seed: z.int().optional().describe('Seed of chance.'),
  out: z.string().optional().describe('Folder for results.'),
};

const BACKTEST = z.strictObject({
  ...RUN,
  balances: VALUES.optional().describe('Starting balances by currency, as decimal text.'),
  takeRate: z.string().optional().describe('Taker fee rate; 0.001 is 0.1 %.'),
  makeRate: z.string().optional().describe('Maker fee rate; negative is a rebate.'),
  orderLatency: z.string().optional().describe('Such as 20ms.'),
  reportLatency: z.string().optional().describe('Such as 20ms.'),
  warmUp: z.string().optional().describe('A span such as 2h.'),
  from: z.string().optional().describe('Start of trading, ISO 8601.'),
  till: z.string().optional().describe('End of the replay, ISO 8601, exclusive.'),
});

const SWEEP = z.strictObject({
  ...RUN,
  vary: z
    .record(z.string().regex(/^[^=]+$/), z.string())
    .describe('Values by parameter: a list "3,5,8" or a range "5..50 step 5".'),
  search: z.enum(['grid', 'random', 'halton', 'tpe']).optional(),
  trials: z.int().positive().optional().describe('Sets to try where not all are tried.'),
  objective: z.string().optional().describe('Metric to rank by (default: sharpe).'),
  minimize: z.boolean().optional().describe('Rank the smallest first.'),
  constraints: z.array(z.string()).max(20).optional().describe('Such as "trades.count >= 10".'),
  workers: z.int().positive().optional().describe('Threads (default: the number of cores).'),
});

/** Tools that read recordings and strategies, and run backtests. */
export function addResearchTools(server: McpServer, { bounds, jobs }: McpParts): void {
  const common = (given: z.output<typeof BACKTEST> | z.output<typeof SWEEP>): readonly string[] => [
    ...(given.config === undefined ? defaultConfig() : [bounds.backtestConfig(given.config)]),
    ...option('strategy', given.strategy && bounds.strategy(given.strategy)),
    ...(given.recordings ?? []).map((path) => `--recording=${bounds.within(path, 'recordings')}`),
    ...pairs('set', given.parameters),
    ...option('seed', given.seed),
  ];
  /** The command's default configuration; the paths in it are checked too. */
  const defaultConfig = (): readonly string[] => {
    const here = bounds.within('config/backtest.yaml', 'config');
    return existsSync(here) ? [bounds.backtestConfig(here)] : [];
  };
  server.registerTool(
    'list_strategies',
    {
      description:
        'List the strategies that can be run, or describe one with its parameters. Loads their files, which runs their code.',
      inputSchema: z.strictObject({ name: z.string().optional() }),
      annotations: READS,
    },
    ({ name }, context) =>
      answered(async () => {
        const one = name === undefined ? [] : [bounds.strategy(name, 'name')];
        return jobs.run('look', ['strategies', '--json', ...named(one)], listening(context));
      }),
  );
  server.registerTool(
    'inspect_recording',
    {
      description:
        'Describe recordings: instrument, layout, time, rows, origin; with check, what is wrong in them.',
      inputSchema: z.strictObject({
        paths: z.array(z.string()).min(1).max(100),
        check: z.boolean().optional(),
      }),
      annotations: READS,
    },
    ({ paths, check }, context) =>
      answered(async () => {
        const inside = paths.map((path) => bounds.within(path, 'paths'));
        const verb = check === true ? 'check' : 'inspect';
        return jobs.run('look', ['feed', verb, '--json', ...named(inside)], listening(context));
      }),
  );
  server.registerTool(
    'run_backtest',
    {
      description:
        'Run a strategy on recorded market data. Gives metrics, order statistics, warnings, and paths of the report, result and tables. Runs the code of the strategy.',
      inputSchema: BACKTEST,
      annotations: WRITES,
    },
    (given, context) =>
      answered(async () => {
        const args = [
          ...['backtest', '--json', ...common(given)],
          ...pairs('balance', given.balances),
          ...option('take-rate', given.takeRate),
          ...option('make-rate', given.makeRate),
          ...option('order-latency', given.orderLatency),
          ...option('report-latency', given.reportLatency),
          ...option('warm-up', given.warmUp),
          ...option('from', given.from),
          ...option('till', given.till),
          `--out=${bounds.within(given.out ?? 'runs', 'out')}`,
        ];
        return (await jobs.run('run', args, listening(context))).at(-1);
      }),
  );
  server.registerTool(
    'run_sweep',
    {
      description:
        'Run a backtest with many sets of parameters. Gives the best set, counts, how likely the best is over-fitted, and paths of tables and report. The same call goes on where a canceled one was.',
      inputSchema: SWEEP,
      annotations: WRITES,
    },
    (given, context) =>
      answered(async () => {
        const out = bounds.within(given.out ?? 'runs', 'out');
        const args = [
          ...['sweep', '--json', ...common(given)],
          ...pairs('vary', given.vary),
          ...option('search', given.search),
          ...option('trials', given.trials),
          ...option('objective', given.objective),
          ...(given.minimize === true ? ['--minimize'] : []),
          ...(given.constraints ?? []).map((each) => `--constraint=${each}`),
          ...option('workers', given.workers),
          // The default is runs/sweep-STRATEGY, so that each strategy has its own.
          ...(given.out === undefined ? [] : [`--out=${out}`]),
        ];
        return (await jobs.run('run', args, listening(context))).at(-1);
      }),
  );
  addExportTool(server, { bounds, jobs });
}

function addExportTool(
  server: McpServer,
  { bounds, jobs }: Pick<McpParts, 'bounds' | 'jobs'>,
): void {
  server.registerTool(
    'export_result',
    {
      description:
        'Write a result for other tools: parquet or csv, and of a backtest also freqtrade or quantstats. Gives paths, and notes on what has no counterpart. Replaces no file.',
      inputSchema: z.strictObject({
        result: z.string().describe('Folder of a backtest or a sweep, or journal of a bot.'),
        as: z.enum(EXPORT_FORMS),
        out: z.string().optional().describe('Folder for the files (default: RESULT-FORM).'),
      }),
      annotations: WRITES,
    },
    ({ result, as, out }, context) =>
      answered(async () => {
        const source = bounds.within(result, 'result');
        const target = `--out=${bounds.within(out ?? `${source}-${as}`, 'out')}`;
        const args = ['export', '--json', `--as=${as}`, target, ...named([source])];
        return (await jobs.run('run', args, listening(context))).at(-1);
      }),
  );
}

/** Every value is one word with its option, so that none can be read as another option. */
const option = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}=${value}`];

const pairs = (
  name: string,
  values: Readonly<Record<string, string | number | boolean>> = {},
): readonly string[] =>
  Object.entries(values).map(([key, value]) => `--${name}=${key}=${String(value)}`);

/** Arguments that are no options, whatever they begin with. */
const named = (values: readonly string[]): readonly string[] => ['--', ...values];

/** Progress goes to the caller that requested it, and only grows. */
function listening({ mcpReq }: ServerContext): JobContext {
  const token = mcpReq._meta?.progressToken;
  let last = Number.NEGATIVE_INFINITY;
  return {
    signal: mcpReq.signal,
    onProgress: (progress, message) => {
      if (token === undefined || progress < last + STEP) return;
      last = progress;
      const params = { progressToken: token, progress, total: 1, message };
      // A caller that is gone does not receive it.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
