import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { RateWindow } from '../../src/risk/rate-window.ts';
import { runs, seed } from '../kit/size.ts';

/** A window with these times, counted at another. */
function countOf(times: readonly number[], now: number, spanUs?: number): number {
  const window = new RateWindow(spanUs);
  for (const at of times) window.add(micros(at));
  return window.count(micros(now));
}

describe('a window', () => {
  test('is a second long, and what happened exactly a second ago is out of it', () => {
    expect(countOf([0], US_PER_SECOND - 1)).toBe(1);
    expect(countOf([0], US_PER_SECOND)).toBe(0);
  });

  test('may be of another length', () => {
    expect(countOf([0], US_PER_MINUTE - 1, US_PER_MINUTE)).toBe(1);
    expect(countOf([0], US_PER_MINUTE, US_PER_MINUTE)).toBe(0);
  });

  test('counts what happened at one time as often as it happened', () => {
    expect(countOf([5, 5, 5], 5)).toBe(3);
    expect(countOf([0, 0, 1], US_PER_SECOND)).toBe(1);
  });

  test('is empty at first, and once it was cleared, and counts on after that', () => {
    const window = new RateWindow();
    expect(window.count(micros(0))).toBe(0);
    for (const at of [0, 1, 2]) window.add(micros(at));
    // One of three is out of it, so that the rest begins in the middle.
    expect(window.count(micros(US_PER_SECOND))).toBe(2);
    window.clear();
    expect(window.count(micros(US_PER_SECOND))).toBe(0);
    window.add(micros(US_PER_SECOND));
    expect(window.count(micros(US_PER_SECOND))).toBe(1);
  });
});

test('whatever happens when, a window counts what a list of all times has after its start', () => {
  const drawn = fc.array(
    fc.record({ waits: fc.integer({ min: 0, max: 8 }), adds: fc.integer({ min: 0, max: 3 }) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 12 }), (steps, spanUs) => {
      const window = new RateWindow(spanUs);
      const all: number[] = [];
      let now = 0;
      for (const { waits, adds } of steps) {
        now += waits;
        for (let added = 0; added < adds; added += 1) {
          window.add(micros(now));
          all.push(now);
        }
        const counted = all.filter((at) => now - at < spanUs).length;
        expect(window.count(micros(now))).toBe(counted);
      }
    }),
    { numRuns: runs(500), seed: seed(421) },
  );
});
