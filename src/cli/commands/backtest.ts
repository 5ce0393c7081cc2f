import { Command } from 'commander';
import type { BacktestFlags } from '../actions/backtest.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace backtest`: a strategy on recordings, its result as numbers and as a page. */
export const backtestCommand = (terminal: Terminal): Command =>
  new Command('backtest')
    .description('Run a strategy on recordings and report how it did.')
    .argument('[config]', 'YAML file (default: config/backtest.yaml here, else the example)')
    .option('-s, --strategy <name>', 'a name from strategies/, or the path of a file')
    .option('-r, --recording <paths...>', 'recordings, one for each symbol')
    .option('-p, --set <parameter=value...>', 'parameters of the strategy')
    .option('-b, --balance <currency=amount...>', 'what the account starts with')
    .option('--take-rate <fraction>', 'taker fee of all symbols, 0.001 is 0.1 %')
    .option('--make-rate <fraction>', 'maker fee of all symbols, negative for a rebate')
    .option('--order-latency <span>', 'from the event seen to the arrival of the order: 20ms')
    .option('--report-latency <span>', 'from the exchange back to the strategy: 20ms')
    .option('--warm-up <span>', "instead of the strategy's own warm-up: 2h")
    .option('--from <time>', 'trading starts here, ISO 8601')
    .option('--till <time>', 'the replay ends here, ISO 8601')
    .option('--seed <number>', 'seed of whatever is left to chance')
    .option('-o, --out <folder>', 'where results go (default: runs)')
    .option('--json', 'print one JSON line: hash, metrics and where the files are')
    .addHelpText(
      'after',
      `
Examples:
  millrace backtest
  millrace backtest my-run.yaml --seed 7
  millrace backtest -s ema-cross -p period=M1 fast=5 slow=20
  millrace backtest -s market-maker -r recordings/BTCUSDT.arrow --make-rate -0.0001`,
    )
    .action(async (configPath: string | undefined, flags: BacktestFlags) => {
      const { backtest } = await import('../actions/backtest.ts');
      await backtest(configPath, flags, terminal);
    });
