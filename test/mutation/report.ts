import type { Mutant } from './mutants.ts';
import type { Verdicts } from './verdicts.ts';

export type Verdict = 'killed' | 'alive' | 'not covered' | 'loading';

export interface JudgedMutant extends Mutant {
  readonly verdict: Verdict;
  /** The test that fails. */
  readonly test?: string;
}

/** Each mutant with what came of it. */
export function judged(mutants: readonly Mutant[], verdicts: Verdicts): JudgedMutant[] {
  return mutants.map((mutant) => {
    const test = verdicts.killed.get(mutant.id);
    if (test !== undefined) return { ...mutant, verdict: 'killed', test };
    if (verdicts.covered.has(mutant.id)) return { ...mutant, verdict: 'alive' };
    return { ...mutant, verdict: verdicts.loading.has(mutant.id) ? 'loading' : 'not covered' };
  });
}

/** Percent of the mutants that are killed; those that only run while modules load do not count. */
export function score(mutants: readonly JudgedMutant[]): number {
  const counted = mutants.filter(({ verdict }) => verdict !== 'loading');
  if (counted.length === 0) return 100;
  return (100 * counted.filter(({ verdict }) => verdict === 'killed').length) / counted.length;
}

/** A line for each file, then for each group of files, then for all. */
export function table(
  mutants: readonly JudgedMutant[],
  groups: readonly { readonly name: string; readonly files: readonly string[] }[],
): string {
  const files = Map.groupBy(mutants, ({ file }) => file);
  const lines = ['killed alive  not covered       %'];
  const add = (name: string, some: readonly JudgedMutant[]): void => {
    const count = (verdict: Verdict): string =>
      String(some.filter((mutant) => mutant.verdict === verdict).length);
    lines.push(
      [
        count('killed').padStart(6),
        count('alive').padStart(5),
        count('not covered').padStart(12),
        score(some).toFixed(1).padStart(7),
        ` ${name}`,
      ].join(' '),
    );
  };
  for (const { name, files: names } of groups) {
    for (const file of names) add(file, files.get(file) ?? []);
    if (names.length > 1)
      add(
        name,
        names.flatMap((file) => files.get(file) ?? []),
      );
  }
  if (groups.length > 1) add('all', mutants);
  return lines.join('\n');
}

/** What the figures leave out. */
export function remarks({ slow, failing, unrepeatable, restarts }: Verdicts): string {
  const lines = [
    [slow.size, 'tests are slow and were not tried'],
    [failing.size, 'tests fail without a mutant, or with few histories, and were not tried'],
    [unrepeatable.size, 'tests pass only once in a process and were not tried'],
    [restarts, 'mutants ended their process or left it broken'],
  ] as const;
  const counted = lines.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}.`);
  return counted.map((line) => `${line}\n`).join('');
}

/** A line for each mutant that no test kills. */
export function survivors(mutants: readonly JudgedMutant[]): string {
  return mutants
    .filter(({ verdict }) => verdict === 'alive' || verdict === 'not covered')
    .map(
      ({ file, line, column, verdict, original, replacement }) =>
        `${file}:${line}:${column} ${verdict}: ${oneLine(original)}  =>  ${oneLine(replacement)}`,
    )
    .join('\n');
}

const LONGEST = 100;

function oneLine(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
