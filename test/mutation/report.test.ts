import { describe, expect, test } from 'vitest';
import type { JournalEntry } from './journal.ts';
import type { Mutant } from './mutants.ts';
import { judged, remarks, score, survivors, table } from './report.ts';
import { Verdicts } from './verdicts.ts';

const mutant = (id: string, file = 'a.ts'): Mutant => ({
  id,
  file,
  line: Number(id),
  column: 3,
  original: 'a >\n  b',
  replacement: 'a >= b',
});
const MUTANTS = ['1', '2', '3', '4'].map((id) => mutant(id)).concat(mutant('5', 'b.ts'));

const coverage = (more: object = {}): JournalEntry => ({
  kind: 'coverage',
  file: 'a.test.ts',
  ...{ covered: ['1', '2', '5'], loading: ['2', '3'], slow: [], failing: [], unrepeatable: [] },
  ...more,
});
const killed = (id: string): JournalEntry => ({ kind: 'killed', mutant: id, test: 'a test' });

function verdictsOf(...entries: readonly JournalEntry[]): Verdicts {
  const verdicts = new Verdicts();
  verdicts.take(entries);
  return verdicts;
}

describe('the report', () => {
  const verdicts = verdictsOf(coverage(), killed('1'));
  const all = judged(MUTANTS, verdicts);

  test('says of each mutant what came of it', () => {
    expect(all.map(({ verdict }) => verdict)).toEqual([
      'killed',
      'alive',
      'loading',
      'not covered',
      'alive',
    ]);
    expect(all[0].test).toBe('a test');
  });

  test('counts all but what only runs while modules load', () => {
    expect(score(all)).toBe(25);
    expect(score([])).toBe(100);
    const groups = [
      { name: 'src/x', files: ['a.ts', 'c.ts'] },
      { name: 'b.ts', files: ['b.ts'] },
    ];
    expect(table(all, groups).split('\n')).toEqual([
      'killed alive  not covered       %',
      '     1     1            1    33.3  a.ts',
      '     0     0            0   100.0  c.ts',
      '     1     1            1    33.3  src/x',
      '     0     1            0     0.0  b.ts',
      '     1     2            1    25.0  all',
    ]);
  });

  test('lists what no test kills, each on a line', () => {
    expect(survivors(all).split('\n')).toEqual([
      'a.ts:2:3 alive: a > b  =>  a >= b',
      'a.ts:4:3 not covered: a > b  =>  a >= b',
      'b.ts:5:3 alive: a > b  =>  a >= b',
    ]);
  });

  test('says what was not tried', () => {
    expect(remarks(verdicts)).toBe('');
    const some = verdictsOf(coverage({ slow: ['x', 'y'], unrepeatable: ['z'] }));
    expect(remarks(some)).toBe(
      '2 tests are slow and were not tried.\n1 tests pass only once in a process and were not tried.\n',
    );
  });
});

describe('a worker that ends', () => {
  const trial: JournalEntry = { kind: 'trial', mutant: '2' };
  const tested: JournalEntry = { kind: 'tested' };
  const spoiled = (isFirst: boolean): JournalEntry => ({ kind: 'spoiled', mutant: '2', isFirst });

  test('during a trial was ended by its mutant', () => {
    const verdicts = new Verdicts();
    expect(verdicts.takeEnd([killed('1'), trial, tested])).toBe(true);
    expect([...verdicts.killed.keys()]).toEqual(['2']);
    expect(verdicts.restarts).toBe(1);
  });

  test('for a mutant that broke its modules has that tried first in the next process', () => {
    const verdicts = new Verdicts();
    expect(verdicts.takeEnd([killed('1'), trial, tested, spoiled(false)])).toBe(true);
    expect([verdicts.first, verdicts.killed.size]).toEqual(['2', 0]);
    // Nothing came before it there, so that it was the one.
    expect(verdicts.takeEnd([tested, trial, spoiled(true)])).toBe(true);
    expect([verdicts.first, [...verdicts.killed.keys()]]).toEqual([undefined, ['2']]);
  });

  test('for no mutant cannot be followed by another', () => {
    for (const entries of [[], [tested], [trial, killed('2')], [coverage()]]) {
      expect(new Verdicts().takeEnd(entries)).toBe(false);
    }
  });
});
