import { Command } from 'commander';
import type { StrategiesFlags } from '../actions/strategies.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace strategies`: what can be run by name, or one strategy with its parameters. */
export const strategiesCommand = (terminal: Terminal): Command =>
  new Command('strategies')
    .description('List the strategies here, or tell what one does and takes.')
    .argument('[strategy]', 'a name, or the path of a file')
    .option('--json', 'print one JSON line for each strategy')
    .action(async (name: string | undefined, flags: StrategiesFlags) => {
      const { showStrategies } = await import('../actions/strategies.ts');
      await showStrategies(name, flags, terminal);
    });
