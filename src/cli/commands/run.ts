import { Command } from 'commander';
import type { RunFlags } from '../actions/run.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace run`: a bot, until it is stopped. */
export const runCommand = (terminal: Terminal): Command =>
  new Command('run')
    .description('Run a bot, paper or live, until it is stopped.')
    .argument('[config]', 'configuration file (default: config/bot.yaml)')
    .option('--check', 'check the configuration and exit')
    .option('--json', 'with --check: print one JSON line')
    .addHelpText(
      'after',
      `
Examples:
  millrace run --check
  millrace run config/bot.yaml

Ctrl-C or SIGTERM stops the bot as shutdown in its configuration says; a second one stops it at
once. SIGHUP reloads the configuration. millrace status, pause and the other bot commands control
it while it runs.`,
    )
    .action(async (configPath: string | undefined, flags: RunFlags) => {
      const { run } = await import('../actions/run.ts');
      await run(configPath, flags, terminal);
    });
