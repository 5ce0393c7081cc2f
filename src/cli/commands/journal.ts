import { Command } from 'commander';
import type { JournalFlags } from '../actions/journal.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace journal`: reads a journal, also while its bot runs. */
export const journalCommand = (terminal: Terminal): Command =>
  new Command('journal')
    .description(
      'Show the journal of an account: orders, discrepancies, or the events of one order.',
    )
    .argument('<file>', 'journal file, such as runs/bot/local.sqlite')
    .option('-o, --order <id>', 'show the events of the order with this client order id')
    .option(
      '--since <when>',
      'show what ended or was found since then: a span such as 2h, or a time',
      '1d',
    )
    .option('--check', 'read the whole file, and fail where a page or a row is damaged')
    .option('--accept', 'confirm what the last start of the bot was refused for')
    .option('--json', 'print JSON lines')
    .action(async (path: string, flags: JournalFlags) => {
      const { showJournal } = await import('../actions/journal.ts');
      await showJournal(path, flags, terminal);
    });
