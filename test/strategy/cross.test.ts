import { from, NEVER, type Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { above, crosses, crossesAbove, crossesBelow } from '../../src/index.ts';

const run = (body: Parameters<TestScheduler['run']>[0]): void => {
  new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected);
  }).run(body);
};

const LEVELS = {
  l: { fast: 1, slow: 2 },
  t: { fast: 2, slow: 2 },
  h: { fast: 3, slow: 2 },
  n: { fast: Number.NaN, slow: 2 },
};
const SIDES = { u: true, d: false };

describe('above', () => {
  test('is emitted as soon as it is decided, then once per cross', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<(typeof LEVELS)['l']>('lhhlh|', LEVELS);
      expectObservable(source.pipe(above('fast', 'slow'))).toBe('du-du|', SIDES);
      expectSubscriptions(source.subscriptions).toBe('^----!');
    });
  });

  test('a tie decides nothing: not at first, and not by touching', () => {
    run(({ cold, expectObservable }) => {
      const source = cold<(typeof LEVELS)['l']>('tththlntlth|', LEVELS);
      expectObservable(source.pipe(above('fast', 'slow'))).toBe('--u--d----u|', SIDES);
    });
  });

  test('starts fresh for every subscription', () => {
    run(({ cold, expectObservable }) => {
      const result = cold<(typeof LEVELS)['l']>('h|', LEVELS).pipe(above('fast', 'slow'));
      expectObservable(result).toBe('u|', SIDES);
      expectObservable(result).toBe('u|', SIDES);
    });
  });
});

describe('crosses', () => {
  test('the first side is no cross, nor is a touch; through a tie the cross is emitted after it', () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<(typeof LEVELS)['l']>('thhthnltlth|', LEVELS);
      expectObservable(source.pipe(crosses('fast', 'slow'))).toBe('------d---u|', {
        d: { fast: 1, slow: 2, cross: 'down' },
        u: { fast: 3, slow: 2, cross: 'up' },
      });
      expectSubscriptions(source.subscriptions).toBe('^----------!');
    });
  });

  test('starts fresh for every subscription', () => {
    run(({ cold, expectObservable }) => {
      const result = cold<(typeof LEVELS)['l']>('hl|', LEVELS).pipe(crosses('fast', 'slow'));
      const values = { d: { fast: 1, slow: 2, cross: 'down' } };
      expectObservable(result).toBe('-d|', values);
      expectObservable(result).toBe('-d|', values);
    });
  });

  test('large numbers that differ by one are distinguished', () => {
    const big = Number.MAX_SAFE_INTEGER;
    const seen: string[] = [];
    from([
      { a: -big, b: big },
      { a: big, b: big - 1 },
      { a: big - 1, b: big },
    ])
      .pipe(crosses('a', 'b'))
      .subscribe(({ cross }) => seen.push(cross));
    expect(seen).toEqual(['up', 'down']);
  });
});

/** Never run: the compiler is the test. */
export function whatDoesNotCompile(): Observable<unknown>[] {
  const values: Observable<{ fast: number; name: string }> = NEVER;
  return [
    // @ts-expect-error there is no such value
    values.pipe(above('fast', 'slow')),
    // @ts-expect-error text is not compared
    values.pipe(crosses('fast', 'name')),
  ];
}

describe('crossesAbove and crossesBelow', () => {
  test('are the crosses of one direction', () => {
    run(({ cold, expectObservable }) => {
      const up = { h: { ...LEVELS.h, cross: 'up' } };
      const down = { l: { ...LEVELS.l, cross: 'down' } };
      const source = cold<(typeof LEVELS)['l']>('hltlhhl|', LEVELS);
      expectObservable(source.pipe(crossesAbove('fast', 'slow'))).toBe('----h--|', up);
      expectObservable(source.pipe(crossesBelow('fast', 'slow'))).toBe('-l----l|', down);
    });
  });

  test('compare with a level too', () => {
    run(({ cold, expectObservable }) => {
      const source = cold<(typeof LEVELS)['l']>('lhthl|', LEVELS);
      expectObservable(source.pipe(above('fast', 2))).toBe('du--d|', SIDES);
      expectObservable(source.pipe(crossesAbove('fast', 2))).toBe('-h---|', {
        h: { ...LEVELS.h, cross: 'up' },
      });
      expectObservable(source.pipe(crossesBelow('fast', 2))).toBe('----l|', {
        l: { ...LEVELS.l, cross: 'down' },
      });
    });
    expect(() => crossesAbove('fast', Number.NaN)).toThrow('or a name and a number');
  });
});
