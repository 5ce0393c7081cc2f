import { Command } from 'commander';
import type { BacktestFlags } from '../actions/backtest.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace backtest`: a strategy on recordings, its result as numbers and as a page. */
export const backtestCommand = (terminal: Terminal): Command =>
  new Command('backtest')
    .description('Run a strategy on recorded market data and write a report.')
    .argument(
      '[config]',
      'configuration file (default: config/backtest.yaml, or the bundled example)',
    )
    .option('-s, --strategy <name>', 'name in strategies/, or path of a file')
    .option('-r, --recording <paths...>', 'recordings, or folders of them')
    .option('-p, --set <parameter=value...>', 'strategy parameters')
    .option('-b, --balance <currency=amount...>', 'starting balances')
    .option('--take-rate <fraction>', 'taker fee rate of every symbol; 0.001 is 0.1 %')
    .option('--make-rate <fraction>', 'maker fee rate of every symbol; negative is a rebate')
    .option(
      '--order-latency <span>',
      'delay from market event to order at the exchange, such as 20ms',
    )
    .option('--report-latency <span>', 'delay from the exchange to the strategy, such as 20ms')
    .option('--warm-up <span>', "warm-up that replaces the strategy's own, such as 2h")
    .option('--from <time>', 'start of trading (ISO 8601); earlier data warms up')
    .option('--till <time>', 'end of the replay (ISO 8601), exclusive')
    .option('--seed <number>', 'random seed')
    .option('-o, --out <folder>', 'folder for results (default: runs)')
    .option('--watch', 'run again when the configuration, the strategy or its imports change')
    .option('--json', 'print one JSON line with hash, metrics, warnings and file paths')
    .addHelpText(
      'after',
      `
Examples:
  millrace backtest
  millrace backtest my-run.yaml --seed 7
  millrace backtest -s strategies/trend.ts --watch
  millrace backtest -s ema-cross -p period=M1 fast=5 slow=20
  millrace backtest -s market-maker -r recordings/BTCUSDT.arrow --make-rate -0.0001`,
    )
    .action(async (configPath: string | undefined, flags: BacktestFlags) => {
      if (flags.watch === true) {
        const { watchBacktest } = await import('../actions/watch.ts');
        await watchBacktest(configPath, flags, terminal);
        return;
      }
      const { backtest } = await import('../actions/backtest.ts');
      await backtest(configPath, flags, terminal);
    });
