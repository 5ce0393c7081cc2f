import type { Command } from 'commander';
import type { WalkForwardFlags } from '../actions/walk-forward.ts';
import type { Terminal } from '../terminal.ts';
import { searchCommand } from './sweep.ts';

/** `millrace walk-forward`: the best set of one window trades in the next. */
export const walkForwardCommand = (terminal: Terminal): Command =>
  searchCommand('walk-forward', 'Choose parameters in one window and trade them in the next.')
    .requiredOption('--train <span>', 'what is learned from, such as 30d')
    .requiredOption('--test <span>', 'what the best set is tried on, such as 7d')
    .option('--step <span>', 'from one fold to the next (default: as long as --test)')
    .option('--gap <span>', 'between training and test, as long as positions are held')
    .option('--anchored', 'let every training begin at the start')
    .addHelpText(
      'after',
      `
Every set runs in both windows. What was stopped goes on where it was: call it again with the same folder.

Examples:
  millrace walk-forward --train 30d --test 7d --vary fast=3..9 slow=12,24,48
  millrace walk-forward --train 90d --test 30d --anchored --gap 1d --vary fast=2..50 --search tpe`,
    )
    .action(async (configPath: string | undefined, flags: WalkForwardFlags) => {
      const { walkForwardParameters } = await import('../actions/walk-forward.ts');
      await walkForwardParameters(configPath, flags, terminal);
    });
