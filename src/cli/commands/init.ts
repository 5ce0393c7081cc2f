import { Command } from 'commander';
import type { InitFlags } from '../actions/init.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace init`: the configuration of a bot that runs a strategy. */
export const initCommand = (terminal: Terminal): Command =>
  new Command('init')
    .description('Write the configuration of a paper bot that runs a strategy.')
    .argument('<strategy>', 'name in strategies/, or path of a file')
    .option(
      '-p, --set <parameter=value...>',
      'strategy parameters (default: those of the strategy)',
    )
    .option('--url <origin>', 'address of the venue (default: that of millrace venue)')
    .option('-o, --out <file>', 'configuration to write', 'config/bot.yaml')
    .option('--dry-run', 'print the configuration and write nothing')
    .option('--json', 'print one JSON line with the path')
    .addHelpText(
      'after',
      `
Examples:
  millrace init ema-cross
  millrace init strategies/trend.ts --set fast=20 slow=60 --out config/trend.yaml

Check the bot with millrace doctor and start it with millrace run, both with the path.`,
    )
    .action(async (strategy: string, flags: InitFlags) => {
      const { init } = await import('../actions/init.ts');
      await init(strategy, flags, terminal);
    });
