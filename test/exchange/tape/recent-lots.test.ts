import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentLots } from '../../../src/exchange/recorded/trade-depth-matcher.ts';
import { runs, seed } from '../../kit/size.ts';

const SPAN_US = 10;

/** The naive memory: a list that is gone through whenever it is asked. */
class Listed {
  readonly #entries: { low: number; high: number; lots: number; at: number }[] = [];

  add(low: number, high: number, lots: number, at: number): void {
    this.#entries.push({ low, high, lots, at });
  }

  use(low: number, high: number, lots: number, at: number): number {
    let used = 0;
    for (const entry of this.#recent(low, high, at)) {
      const part = Math.min(lots - used, entry.lots);
      entry.lots -= part;
      used += part;
    }
    return used;
  }

  sum(key: number, at: number): number {
    return this.#recent(key, key, at).reduce((sum, { lots }) => sum + lots, 0);
  }

  #recent(low: number, high: number, at: number) {
    return this.#entries.filter(
      (entry) => entry.at >= at - SPAN_US && entry.low <= high && entry.high >= low,
    );
  }
}

// Keys of both signs, of which some end with the same bits.
const key = fc.constantFrom(-258, -257, -2, -1, 1, 2, 257, 258, 1_025);
const action = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'use', 'use', 'sum', 'use-range'),
  key,
  // Now and then an entry is of a range, as when a whole side was not known.
  width: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 3, 600),
  lots: fc.integer({ min: 1, max: 9 }),
  us: fc.constantFrom(0, 0, 0, 1, 4, 11),
});

test('what is remembered of lots is what a list of the last ones says, whatever was asked before', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400, size: 'max' }), (actions) => {
      const recent = new RecentLots(SPAN_US);
      const listed = new Listed();
      let at = 0;
      for (const { kind, key: low, width, lots, us } of actions) {
        at += us;
        if (kind === 'add') {
          recent.add(low, low + width, lots, at);
          listed.add(low, low + width, lots, at);
        } else if (kind === 'sum') expect(recent.sum(low, at)).toBe(listed.sum(low, at));
        else {
          const high = kind === 'use' ? low : low + 300;
          expect(recent.use(low, high, lots, at)).toBe(listed.use(low, high, lots, at));
        }
      }
    }),
    { numRuns: runs(1_000), seed: seed(9) },
  );
});
