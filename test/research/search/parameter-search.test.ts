import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MillraceError, parameterSearch, sweep, type SearchSet } from '../../../src/backtest.ts';
import { loadedStrategy } from '../../../src/research/settings.ts';
import { runs } from '../../kit/size.ts';

const BACKTEST = {
  strategy: 'ema-cross',
  recordings: ['config/sample/BTCUSDT.arrow'],
  balances: { USDT: '10000' },
  till: '2024-03-04T00:30:00Z',
};
const VARY = { fast: '2..40', slow: [50, 60, 80, 120] };
const OPTIONS = { vary: VARY, search: 'tpe', trials: 26, seed: 3, lag: 2 } as const;

/** A bowl: the best is fast 12 with slow 80. */
const bowl = ({ parameters }: SearchSet): number =>
  -((Number(parameters['fast']) - 12) ** 2) - (Number(parameters['slow']) - 80) ** 2 / 100;

const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof MillraceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'nothing';
};

describe('a search that a program drives', () => {
  test('proposes the sets that a sweep tries', async () => {
    const found = await sweep({ backtest: BACKTEST, ...OPTIONS, objective: 'profit', workers: 0 });
    const { strategy } = await loadedStrategy('ema-cross');
    const search = parameterSearch({ ...OPTIONS, schema: strategy.parameters });
    expect(search.total).toBe(26);
    const sets: SearchSet['parameters'][] = [];
    for (let set = search.ask(); set !== undefined; set = search.ask()) {
      sets.push(set.parameters);
      search.report(set.index, found.rows[set.index].objective);
    }
    expect(sets).toEqual(found.rows.map(({ parameters }) => parameters));
  }, 120_000);

  test('proposes the same in whichever order the sets under way finish', () => {
    const lag = 4;
    const alone = parameterSearch({ ...OPTIONS, trials: 40, lag });
    const expected: SearchSet[] = [];
    for (let set = alone.ask(); set !== undefined; set = alone.ask()) {
      expected.push(set);
      alone.report(set.index, bowl(set));
    }
    fc.assert(
      fc.property(fc.array(fc.nat(lag - 1), { maxLength: 80 }), (order) => {
        const search = parameterSearch({ ...OPTIONS, trials: 40, lag });
        const asked: SearchSet[] = [];
        const underWay: SearchSet[] = [];
        const emitOne = (index: number): void => {
          const [set] = underWay.splice(index % underWay.length, 1);
          search.report(set.index, bowl(set));
        };
        for (const index of [...order, ...Array.from({ length: 120 }, () => 0)]) {
          // The one that the next proposal needs is told when no other is left to ask for.
          const isDue = (underWay[0]?.index ?? Infinity) <= asked.length - lag;
          const set = isDue ? undefined : search.ask();
          if (set !== undefined) {
            asked.push(set);
            underWay.push(set);
          } else if (underWay.length > 0) emitOne(isDue ? 0 : index);
        }
        expect(asked).toEqual(expected);
      }),
      { numRuns: runs(50) },
    );
  });

  test('comes nearer to the best than chance does', () => {
    const best = (search: 'tpe' | 'random', seed: number): number => {
      const asked = parameterSearch({ ...OPTIONS, search, seed, trials: 60 });
      let high = Number.NEGATIVE_INFINITY;
      for (let set = asked.ask(); set !== undefined; set = asked.ask()) {
        const value = bowl(set);
        asked.report(set.index, value);
        high = Math.max(high, value);
      }
      return high;
    };
    const seeds = Array.from({ length: 15 }, (_, seed) => seed);
    const mean = (search: 'tpe' | 'random'): number =>
      seeds.reduce((sum, seed) => sum + best(search, seed), 0) / seeds.length;
    expect(mean('tpe')).toBeGreaterThan(mean('random'));
  });

  test('reads text by the schema, and without one as numbers and truth values where it is such', () => {
    const vary = { size: '0.1..0.3 step 0.1', kind: 'M1, M5', isOpen: 'true' };
    const first = (schema?: z.ZodObject): unknown =>
      parameterSearch({ vary, search: 'grid', schema }).ask();
    expect(first()).toEqual({ index: 0, parameters: { size: 0.1, kind: 'M1', isOpen: true } });
    const schema = z.object({ size: z.string(), kind: z.string(), isOpen: z.boolean() });
    expect(first(schema)).toMatchObject({ parameters: { size: '0.1', isOpen: true } });
  });

  test('counts what cannot be ranked as the worst, and leaves out what is not wanted', () => {
    const where = ({ fast }: Readonly<Record<string, unknown>>): boolean => Number(fast) % 2 === 0;
    const search = parameterSearch({ ...OPTIONS, where });
    for (let set = search.ask(); set !== undefined; set = search.ask()) {
      expect(Number(set.parameters['fast']) % 2).toBe(0);
      search.report(set.index, [null, Number.NaN, 1][set.index % 3]);
    }
  });

  test('says what is wrong with a call', () => {
    const search = parameterSearch(OPTIONS);
    search.ask();
    search.ask();
    expect(refused(() => search.ask())).toMatch(/^usage: The result of set 0 is missing/);
    search.report(1, 5);
    expect(refused(() => search.ask())).toMatch(/^usage: The result of set 0 is missing/);
    search.report(0, 5);
    expect(search.ask()).toMatchObject({ index: 2 });
    expect(refused(() => search.report(0, 5))).toBe(
      'usage: The result of set 0 was given already.',
    );
    for (const index of [3, -1, 0.5, Number.NaN]) {
      expect(refused(() => search.report(index, 5))).toMatch(/^usage: Set .* was not proposed/);
    }
    const search2 = (options: object): string =>
      refused(() => parameterSearch({ ...OPTIONS, ...options }));
    expect(search2({ trials: 0 })).toMatch(/^out-of-range: trials is 0/);
    expect(search2({ search: 'luck' })).toMatch(/^usage: The search is "luck"; give one of grid/);
    expect(search2({ vary: { fast: '9..2' } })).toMatch(
      /^usage: What varies fast goes from 9 to 2/,
    );
  });
});
