import { Command } from 'commander';
import type { InspectFlags } from '../actions/feed-inspect.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed inspect`: what recordings hold and where they come from. */
export const inspectCommand = (terminal: Terminal): Command =>
  new Command('inspect')
    .description('Tell what recordings hold and where they come from.')
    .argument('<paths...>', 'recordings, or folders of them')
    .option('--json', 'print one JSON line for each recording')
    .action(async (paths: string[], flags: InspectFlags) => {
      const { inspect } = await import('../actions/feed-inspect.ts');
      inspect(paths, flags, terminal);
    });
