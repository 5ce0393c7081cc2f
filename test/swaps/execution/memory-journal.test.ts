import { MemoryJournal } from '../../../src/swaps/execution/memory-journal.ts';
import { journalContract } from './journal-contract.ts';

journalContract('a journal in memory', () => {
  const journal = new MemoryJournal();
  return { journal, reopen: () => journal };
});
