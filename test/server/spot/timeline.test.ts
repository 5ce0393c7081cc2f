import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  OrderedHistory,
  type HistoryIterator,
} from '../../../src/server/trading/orders/timeline.ts';

interface Item {
  readonly id: number;
  readonly key: number;
}

const byKey = ({ key }: Item): number => key;

const all = (walk: HistoryIterator<Item>): readonly Item[] => {
  const found: Item[] = [];
  for (let item = walk.peek(); item !== undefined; item = walk.peek()) {
    found.push(item);
    walk.skip(1);
  }
  return found;
};

const EVERYTHING = { from: -Infinity, till: Infinity, sort: 'ASC' } as const;

type Step =
  | { readonly kind: 'add'; readonly back: number; readonly count: number }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number };

const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    // How far before the newest key, mostly not at all.
    back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3_000)),
    count: fc.nat(700),
  }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(5_000), count: fc.nat(400) }),
);

/** A timeline of chunks beside a plain list that is sorted again each time. */
function played(steps: readonly Step[]): { timeline: OrderedHistory<Item>; list: readonly Item[] } {
  const timeline = new OrderedHistory<Item>(byKey);
  let list: Item[] = [];
  let id = 0;
  for (const one of steps) {
    if (one.kind === 'add') {
      for (let n = 0; n < one.count; n += 1) {
        id += 1;
        const item = { id, key: Math.floor(id / 3) - one.back };
        timeline.add(item);
        list.push(item);
      }
      list = list.toSorted((a, b) => a.key - b.key || a.id - b.id);
    } else {
      for (const item of list.splice(one.at % (list.length + 1), one.count)) timeline.remove(item);
    }
  }
  return { timeline, list };
}

describe('a timeline', () => {
  test('has what a plain sorted list has, however things come and go', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { timeline, list } = played(steps);
        expect(all(timeline.between(EVERYTHING))).toEqual(list);
        expect(timeline.length).toBe(list.length);
        expect(timeline.first).toBe(list[0]);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('is walked between bounds, from either end and past any number, as a plain list is', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: -3_100, max: 2_000 }),
        fc.nat(1_500),
        fc.nat(2_500),
        fc.constantFrom('ASC' as const, 'DESC' as const),
        (steps, from, length, offset, sort) => {
          const { timeline, list } = played(steps);
          const till = from + length - 10;
          const fitting = list.filter(({ key }) => key >= from && key <= till);
          const expected = (sort === 'ASC' ? fitting : fitting.toReversed()).slice(offset);
          const walk = timeline.between({ from, till, sort });
          walk.skip(offset);
          expect(all(walk)).toEqual(expected);
        },
      ),
      { seed: 12, numRuns: 150 },
    );
  });

  test('takes out the very item that is meant where several look alike', () => {
    const timeline = new OrderedHistory<Item>(byKey);
    const twins = Array.from({ length: 1_100 }, () => ({ id: 7, key: 1 }));
    for (const twin of twins) timeline.add(twin);
    for (const twin of twins.slice(1).toReversed()) timeline.remove(twin);
    expect(timeline.first).toBe(twins[0]);
    expect(timeline.length).toBe(1);
  });

  test('is walked by another key that never falls along it', () => {
    const timeline = new OrderedHistory<Item>(({ id }) => id);
    for (let id = 0; id < 1_000; id += 1) timeline.add({ id, key: Math.floor(id / 10) });
    const bounds = { from: 42, till: 43, sort: 'DESC' } as const;
    const found = all(timeline.between(bounds, byKey)).map(({ id }) => id);
    expect(found).toEqual(Array.from({ length: 20 }, (_, n) => 439 - n));
  });
});
