import { Command, Option } from 'commander';
import type { SweepFlags } from '../actions/sweep.ts';
import type { Terminal } from '../terminal.ts';

/** Options of every search over sets of parameters. */
export const searchCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .argument(
      '[config]',
      'configuration of the backtest (default: config/backtest.yaml, or the bundled example)',
    )
    .option('-s, --strategy <name>', 'name in strategies/, or path of a file')
    .option('-r, --recording <paths...>', 'recordings, or folders of them')
    .option('-p, --set <parameter=value...>', 'strategy parameters that do not vary')
    .requiredOption(
      '--vary <parameter=values...>',
      'a list a,b,c or a range 5..50 or "5..50 step 5"',
    )
    .addOption(
      new Option(
        '--search <how>',
        'every set, some by chance, some spread evenly, or some by the results before',
      )
        .choices(['grid', 'random', 'halton', 'tpe'])
        .default('grid'),
    )
    .option('--trials <number>', 'sets to try where not all are tried (default: 100)')
    .option('--seed <number>', 'seed of that chance (default: 1)')
    .option(
      '--objective <metric>',
      'metric to rank by, such as calmar or trades.profitFactor',
      'sharpe',
    )
    .option('--minimize', 'rank the smallest first')
    .option(
      '-c, --constraint <conditions...>',
      'what a run has to meet, such as "trades.count >= 10"',
    )
    .option('--workers <number>', 'threads (default: the number of cores)')
    .option('--nats <url>', 'run on the workers of this NATS server (see millrace worker)')
    .option('--shared-recordings', 'with --nats: workers see the recordings under the same paths')
    .option(
      '--ack-wait <span>',
      'with --nats: a job of a worker that died runs elsewhere then',
      '30s',
    )
    .option('-o, --out <folder>', `folder for results (default: runs/${name}-STRATEGY)`)
    .option('--json', 'print one JSON line with the figures and file paths');

/** `millrace sweep`: one backtest with many sets of parameters. */
export const sweepCommand = (terminal: Terminal): Command =>
  searchCommand('sweep', 'Run a backtest with many sets of parameters, on all cores.')
    .option('--top <number>', 'rows to show', '10')
    .addHelpText(
      'after',
      `
A sweep that was stopped goes on where it was: call it again with the same folder.

Examples:
  millrace sweep --vary fast=3..9 slow=12,24,48
  millrace sweep --vary fast=2..200 "slow=10..500 step 5" --search tpe --trials 50
  millrace sweep --vary fast=3..99 --nats nats://10.0.0.5:4222
  millrace sweep --vary fast=3,5 slow=10,20 --objective calmar -c "trades.count >= 5"`,
    )
    .action(async (configPath: string | undefined, flags: SweepFlags) => {
      const { sweepParameters } = await import('../actions/sweep.ts');
      await sweepParameters(configPath, flags, terminal);
    });
