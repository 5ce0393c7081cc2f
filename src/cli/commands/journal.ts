import { Command } from 'commander';
import type { JournalFlags } from '../actions/journal.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace journal`: a look at a journal, which works while its bot runs. */
export const journalCommand = (terminal: Terminal): Command =>
  new Command('journal')
    .description(
      'Show what the journal of an account holds: orders, findings, the story of an order.',
    )
    .argument('<file>', 'the journal, such as data/main.sqlite')
    .option('-o, --order <id>', 'the story of the order with this client order id')
    .option(
      '--since <when>',
      'what ended or was found since: a span back such as 2h, or a time',
      '1d',
    )
    .option('--json', 'print JSON lines')
    .action(async (path: string, flags: JournalFlags) => {
      const { showJournal } = await import('../actions/journal.ts');
      showJournal(path, flags, terminal);
    });
