import { Argument, Command } from 'commander';
import type { NewFlags, NewKind } from '../actions/new.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace new`: a project, or a part of one, with its test. */
export const newCommand = (terminal: Terminal): Command =>
  new Command('new')
    .description('Create a project, or add a strategy, indicator or importer with its test.')
    .addArgument(
      new Argument('<kind>', 'what to create').choices([
        'project',
        'strategy',
        'indicator',
        'importer',
      ]),
    )
    .argument('<name>', 'name, such as mean-reversion')
    .option(
      '--millrace <version>',
      'with project: version of Millrace, or path of its package (default: this version)',
    )
    .option('--dry-run', 'list the files and write none')
    .option('--json', 'print one JSON line with the paths')
    .addHelpText(
      'after',
      `
Examples:
  millrace new project my-bot
  millrace new strategy mean-reversion
  millrace new indicator true-range --dry-run

A project is a new folder, or with the name "." the current one. The others belong to the project in
the current folder. No existing file is changed.`,
    )
    .action(async (kind: NewKind, name: string, flags: NewFlags) => {
      const { create } = await import('../actions/new.ts');
      await create(kind, name, flags, terminal);
    });
