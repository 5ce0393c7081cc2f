import type { JournalEntry } from './journal.ts';

/** What came of the mutants, by id. */
export class Verdicts {
  readonly covered = new Set<string>();
  readonly loading = new Set<string>();
  /** With the name of the test that fails. */
  readonly killed = new Map<string, string>();
  /** Files of tests that have tried all they run. */
  readonly done = new Set<string>();
  readonly slow = new Set<string>();
  readonly failing = new Set<string>();
  readonly unrepeatable = new Set<string>();
  /** The next process tries this one first. */
  first: string | undefined;
  restarts = 0;

  take(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.kind === 'coverage') {
        for (const mutant of entry.covered) this.covered.add(mutant);
        for (const mutant of entry.loading) this.loading.add(mutant);
        for (const kind of ['slow', 'failing', 'unrepeatable'] as const) {
          for (const name of entry[kind]) this[kind].add(`${entry.file}: ${name}`);
        }
      } else if (entry.kind === 'killed') this.killed.set(entry.mutant, entry.test);
      else if (entry.kind === 'done') this.done.add(entry.file);
    }
  }

  /** Judges the mutant during which the worker ended, if any; whether another process can go on. */
  takeEnd(entries: readonly JournalEntry[]): boolean {
    const last = entries.findLast(({ kind }) => kind !== 'tested');
    this.first = undefined;
    this.restarts += 1;
    if (last?.kind === 'trial')
      this.killed.set(last.mutant, 'the process ends, or a loop does not');
    else if (last?.kind !== 'spoiled') return false;
    else if (last.isFirst) this.killed.set(last.mutant, 'and what it breaks stays broken');
    else this.first = last.mutant;
    return true;
  }
}
