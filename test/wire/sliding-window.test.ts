import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlidingWindow, SlidingWindows } from '../../src/wire/sliding-window.ts';

const SECOND = 1_000_000;

/** The same by a list of every pass there ever was. */
class ListOfTimes {
  readonly #limit: number;
  readonly #times: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  #inWindow(now: number): number[] {
    return this.#times.filter((time) => time > now - SECOND);
  }

  take(now: number): boolean {
    if (this.#inWindow(now).length >= this.#limit) return false;
    this.#times.push(now);
    return true;
  }

  waitUs(now: number): number {
    const inWindow = this.#inWindow(now);
    if (inWindow.length < this.#limit) return 0;
    return this.#limit === 0 ? Number.POSITIVE_INFINITY : inWindow[0] + SECOND - now;
  }
}

const gaps = fc.array(
  fc.oneof(
    fc.constantFrom(0, 1, SECOND - 1, SECOND, SECOND + 1),
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 3 * SECOND }),
  ),
  { maxLength: 300 },
);

describe('a sliding window', () => {
  test('answers rate plus burst in a second and refuses the next, until the first has left', () => {
    const window = new SlidingWindow({ rate: 20, burst: 30 });
    const answered = Array.from({ length: 51 }, (_, at) => window.take(at));
    expect(answered.filter(Boolean)).toHaveLength(50);
    expect(answered.at(-1)).toBe(false);
    expect(window.waitUs(50)).toBe(SECOND - 50);
    expect(window.take(SECOND - 1)).toBe(false);
    expect(window.take(SECOND)).toBe(true);
    expect(window.take(SECOND)).toBe(false);
    expect(window.take(SECOND + 1)).toBe(true);
  });

  test('does as a list of all times does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), gaps, (limit, spans) => {
        const window = new SlidingWindow({ rate: limit, burst: 0 });
        const naive = new ListOfTimes(limit);
        let now = 1_700_000_000 * SECOND;
        for (const span of spans) {
          now += span;
          expect(window.waitUs(now)).toBe(naive.waitUs(now));
          expect(window.take(now)).toBe(naive.take(now));
        }
      }),
      { seed: 20_261_121 },
    );
  });

  test('takes a time that went back for the latest', () => {
    const window = new SlidingWindow({ rate: 1, burst: 0 });
    expect(window.take(5)).toBe(true);
    expect(window.take(5 - 2 * SECOND)).toBe(false);
    expect(window.waitUs(0)).toBe(SECOND);
  });

  test('who waits as long as it says is answered', () => {
    fc.assert(
      fc.property(gaps, (spans) => {
        const window = new SlidingWindow({ rate: 5, burst: 2 });
        let now = 0;
        for (const span of spans) {
          now += span;
          now += window.waitUs(now);
          expect(window.take(now)).toBe(true);
        }
      }),
      { seed: 20_261_121 },
    );
  });

  test('may have another length than a second', () => {
    const window = new SlidingWindow({ rate: 1, burst: 0 }, 10);
    expect([window.take(0), window.take(9), window.take(10)]).toEqual([true, false, true]);
  });
});

describe('windows by key', () => {
  test('each key is counted alone, as by a list of all its times', () => {
    const calls = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ max: 2 * SECOND, min: 0 })),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 4 }), (given, limit) => {
        const windows = new SlidingWindows<string>({ rate: limit, burst: 0 });
        const naive = new Map(['a', 'b', 'c'].map((key) => [key, new ListOfTimes(limit)]));
        let now = 0;
        for (const [key, span] of given) {
          now += Math.floor(span / 7);
          expect(windows.waitUs(key, now)).toBe(naive.get(key)?.waitUs(now));
          expect(windows.take(key, now)).toBe(naive.get(key)?.take(now));
        }
      }),
      { seed: 20_261_121 },
    );
  });

  test('keys that fell silent are forgotten within two seconds', () => {
    const windows = new SlidingWindows<number>({ rate: 1, burst: 0 });
    for (let key = 0; key < 1_000; key += 1) windows.take(key, key);
    expect(windows.size).toBe(1_000);
    windows.take(-1, SECOND + 1_000);
    windows.take(-1, 2 * SECOND + 1_000);
    expect(windows.size).toBeLessThan(3);
    windows.take(-2, 9 * SECOND);
    expect(windows.size).toBe(1);
  });
});
