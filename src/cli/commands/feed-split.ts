import { Command } from 'commander';
import type { SplitFlags } from '../actions/feed-split.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed split`: a recording as one file for each day. */
export const splitCommand = (terminal: Terminal): Command =>
  new Command('split')
    .description('Write a recording as one file for each day of UTC, with a catalog of them.')
    .argument('<recording>', 'recording to split, NAME.arrow')
    .requiredOption('-o, --out <folder>', 'folder of the catalog; days go to <folder>/<symbol>')
    .option('-f, --force', 'overwrite days that are there')
    .option('--json', 'print one JSON line for each day')
    .action(async (recording: string, flags: SplitFlags) => {
      const { split } = await import('../actions/feed-split.ts');
      split(recording, flags, terminal);
    });
