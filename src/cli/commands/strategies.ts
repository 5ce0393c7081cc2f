import { Command } from 'commander';
import type { StrategiesFlags } from '../actions/strategies.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace strategies`: the strategies that can be run by name, or one with its parameters. */
export const strategiesCommand = (terminal: Terminal): Command =>
  new Command('strategies')
    .description('List the strategies, or show one with its parameters.')
    .argument('[strategy]', 'name in strategies/, or path of a file')
    .option('--json', 'print one JSON line per strategy')
    .action(async (name: string | undefined, flags: StrategiesFlags) => {
      const { showStrategies } = await import('../actions/strategies.ts');
      await showStrategies(name, flags, terminal);
    });
