import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimerQueue } from '../../src/exchange/queues/timers.ts';

test('nothing is due at first', () => {
  expect(new TimerQueue().nextAt).toBe(Infinity);
});

test('at one time the kind declared first comes first, and of a kind the lower number', () => {
  const due = new TimerQueue();
  const done: string[] = [];
  const late = due.kind((number, at) => done.push(`first ${number} ${at}`));
  const later = due.kind((number, at) => done.push(`second ${number} ${at}`));
  due.add(5, later, 1);
  due.add(5, late, 9);
  due.add(5, late, 2);
  due.add(4, later, 7);
  while (due.nextAt < Infinity) due.run();
  expect(done).toEqual(['second 7 4', 'first 2 5', 'first 9 5', 'second 1 5']);
});

test('what is done may add what is due at the same time', () => {
  const due = new TimerQueue();
  const done: number[] = [];
  const kind = due.kind((number, at) => {
    done.push(number);
    if (number < 3) due.add(at, kind, number + 1);
  });
  due.add(1, kind, 0);
  while (due.nextAt <= 1) due.run();
  expect(done).toEqual([0, 1, 2, 3]);
});

test('it gives back in order what a sorted list would', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add'), at: fc.nat({ max: 9 }), of: fc.nat({ max: 2 }) }),
    fc.record({ kind: fc.constant('remove'), pick: fc.nat() }),
    fc.record({ kind: fc.constant('run') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
      const due = new TimerQueue();
      const done: string[] = [];
      const kinds = [0, 1, 2].map((of) =>
        due.kind((number, at) => done.push(`${at} ${of} ${number}`)),
      );
      const list: { readonly text: string; readonly ticket: number }[] = [];
      const expected: string[] = [];
      steps.forEach((each, index) => {
        if (each.kind === 'add') {
          // All different, and neither rising nor falling.
          const number = 100 + ((index * 37) % 101);
          const ticket = due.add(each.at, kinds[each.of], number);
          list.push({ text: `${each.at} ${each.of} ${number}`, ticket });
          list.sort((a, b) => (a.text < b.text ? -1 : 1));
        } else if (list.length > 0 && each.kind === 'remove') {
          const [gone] = list.splice(each.pick % list.length, 1);
          due.remove(gone.ticket);
        } else if (list.length > 0) {
          expected.push(list[0].text);
          list.shift();
          due.run();
        }
        expect(due.nextAt).toBe(list.length === 0 ? Infinity : Number(list[0].text.split(' ')[0]));
      });
      while (due.nextAt < Infinity) due.run();
      expect(done).toEqual([...expected, ...list.map(({ text }) => text)]);
    }),
    { numRuns: 500, seed: 1 },
  );
});
