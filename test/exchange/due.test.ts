import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TIMER, TimerQueue } from '../../src/exchange/queues/timers.ts';

test('nothing is due at first', () => {
  expect(new TimerQueue().nextAt).toBe(Infinity);
});

/** What is due next, as text. */
const taken = (due: TimerQueue): string => {
  const { at, kind, number } = due.take();
  return `${at} ${kind} ${number}`;
};

test('at one time the lower kind comes first, and of a kind the lower number', () => {
  const due = new TimerQueue();
  const done: string[] = [];
  due.add(5, TIMER.LOCK, 1);
  due.add(5, TIMER.WITHDRAWAL, 9);
  due.add(5, TIMER.WITHDRAWAL, 2);
  due.add(4, TIMER.LOCK, 7);
  while (due.nextAt < Infinity) done.push(taken(due));
  expect(done).toEqual(['4 1 7', '5 0 2', '5 0 9', '5 1 1']);
});

test('what is done may add what is due at the same time', () => {
  const due = new TimerQueue();
  const done: number[] = [];
  due.add(1, TIMER.LOCK, 0);
  while (due.nextAt <= 1) {
    const { at, kind, number } = due.take();
    done.push(number);
    if (number < 3) due.add(at, kind, number + 1);
  }
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
      const list: { readonly text: string; readonly ticket: number }[] = [];
      const expected: string[] = [];
      steps.forEach((each, index) => {
        if (each.kind === 'add') {
          // All different, and neither rising nor falling.
          const number = 100 + ((index * 37) % 101);
          const ticket = due.add(each.at, each.of, number);
          list.push({ text: `${each.at} ${each.of} ${number}`, ticket });
          list.sort((a, b) => (a.text < b.text ? -1 : 1));
        } else if (list.length > 0 && each.kind === 'remove') {
          const [gone] = list.splice(each.pick % list.length, 1);
          due.remove(gone.ticket);
        } else if (list.length > 0) {
          expected.push(list[0].text);
          list.shift();
          done.push(taken(due));
        }
        expect(due.nextAt).toBe(list.length === 0 ? Infinity : Number(list[0].text.split(' ')[0]));
      });
      while (due.nextAt < Infinity) done.push(taken(due));
      expect(done).toEqual([...expected, ...list.map(({ text }) => text)]);
    }),
    { numRuns: 500, seed: 1 },
  );
});
