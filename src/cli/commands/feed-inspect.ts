import { Command } from 'commander';
import type { InspectFlags } from '../actions/feed-inspect.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed inspect`: contents and origin of recordings. */
export const inspectCommand = (terminal: Terminal): Command =>
  new Command('inspect')
    .description('Show the instrument, rows, period and source of recordings.')
    .argument('<paths...>', 'recordings, or folders of recordings')
    .option('--json', 'print one JSON line per recording')
    .action(async (paths: string[], flags: InspectFlags) => {
      const { inspect } = await import('../actions/feed-inspect.ts');
      inspect(paths, flags, terminal);
    });
