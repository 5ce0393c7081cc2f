import { appendFileSync, readFileSync } from 'node:fs';

/** What the worker writes while it works, so that nothing is lost when a mutant hangs or ends it. */
export type JournalEntry =
  | { readonly kind: 'worker'; readonly pid: number }
  | { readonly kind: 'tested' }
  | {
      readonly kind: 'coverage';
      readonly file: string;
      /** Mutants that a test runs which is quick, passes and can be repeated. */
      readonly covered: readonly string[];
      /** Mutants that run outside of tests, while modules load. */
      readonly loading: readonly string[];
      readonly slow: readonly string[];
      readonly failing: readonly string[];
      readonly unrepeatable: readonly string[];
    }
  | { readonly kind: 'trial'; readonly mutant: string }
  | { readonly kind: 'killed'; readonly mutant: string; readonly test: string }
  /** Killed, but the test fails without the mutant now; `isFirst` where no other can have done it. */
  | { readonly kind: 'spoiled'; readonly mutant: string; readonly isFirst: boolean }
  | { readonly kind: 'done'; readonly file: string };

export function append(path: string, entry: JournalEntry): void {
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}

export function entriesOf(path: string): JournalEntry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalEntry);
}
