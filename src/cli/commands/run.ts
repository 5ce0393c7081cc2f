import { Command } from 'commander';
import type { RunFlags } from '../actions/run.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace run`: a bot, until it is told to end. */
export const runCommand = (terminal: Terminal): Command =>
  new Command('run')
    .description('Run a bot: strategies on accounts, live or paper, until it is told to end.')
    .argument('[config]', 'YAML file (default: config/bot.yaml here)')
    .option('--check', 'check the configuration, and run nothing')
    .option('--json', 'with --check: print one JSON line')
    .addHelpText(
      'after',
      `
Examples:
  millrace run --check
  millrace run config/bot.yaml

Ctrl-C or SIGTERM ends it as its configuration says; a second one at once. SIGHUP reads the
configuration anew. millrace status, pause, resume and their like talk to it while it runs.`,
    )
    .action(async (configPath: string | undefined, flags: RunFlags) => {
      const { run } = await import('../actions/run.ts');
      await run(configPath, flags, terminal);
    });
