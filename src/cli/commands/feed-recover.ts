import { Command } from 'commander';
import type { RecoverFlags } from '../actions/feed-recover.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed recover`: a recording out of what a crash left behind. */
export const recoverCommand = (terminal: Terminal): Command =>
  new Command('recover')
    .description(
      'Turn the unfinished file of a crash into a recording, up to its last complete batch.',
    )
    .argument('<part>', 'unfinished file, NAME.arrow.part')
    .option('--json', 'print one JSON line')
    .action(async (part: string, flags: RecoverFlags) => {
      const { recoverRecording } = await import('../actions/feed-recover.ts');
      recoverRecording(part, flags, terminal);
    });
