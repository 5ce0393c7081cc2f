import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { backtest, walkForward, type WalkForwardOptions } from '../../../src/backtest.ts';
import { windowsOf } from '../../../src/research/walk-forward/windows.ts';
import { laid } from '../swing.ts';

describe('the windows of a walk-forward', () => {
  const cut = { trainUs: 40, testUs: 15, stepUs: 15, gapUs: 5, isAnchored: false };
  const shown = (isAnchored: boolean): readonly string[] =>
    windowsOf({ fromUs: 0, tillUs: 100 }, { ...cut, isAnchored }).folds.map(
      ({ train, test: tested }) =>
        `${train.fromUs},${train.tillUs} | ${tested.fromUs},${tested.tillUs}`,
    );

  test('roll, or begin at the start, and what is left over is known', () => {
    expect(shown(false)).toEqual(['0,40 | 45,60', '15,55 | 60,75', '30,70 | 75,90']);
    expect(shown(true)).toEqual(['0,40 | 45,60', '0,55 | 60,75', '0,70 | 75,90']);
    expect(windowsOf({ fromUs: 0, tillUs: 100 }, cut).leftUs).toBe(10);
    expect(windowsOf({ fromUs: 7, tillUs: 67 }, cut)).toMatchObject({ leftUs: 0 });
  });

  test.each<[string, object]>([
    ['that do not fit', { trainUs: 90 }],
    ['without length', { testUs: 0, stepUs: 0 }],
    ['that test a time twice', { stepUs: 10 }],
    ['that overlap', { gapUs: -1 }],
    ['without number', { trainUs: 1e-3, testUs: 1e-3, stepUs: 1e-3, gapUs: 0 }],
  ])('are refused %s', (_, change) => {
    expect(() => windowsOf({ fromUs: 0, tillUs: 100 }, { ...cut, ...change })).toThrow(
      expect.objectContaining({ code: 'out-of-range' }),
    );
  });
});

/** Waits for 50 trades, whatever their window, and then holds half of each round of so many trades. */
const TURNS = `
import { filter, map } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';
export default defineStrategy({
  name: 'turns',
  summary: 'Holds half of each round.',
  parameters: z.object({ round: z.int().min(2).max(100).default(10), share: z.number().default(0.5) }),
  warmUpMs: () => 50_000,
  run: ({ market, parameters: p }) => {
    let seen = 0;
    return market.trades('BTCUSDT').pipe(
      map(() => (seen += 1)),
      filter((n) => n > 50 && n % p.round === 0),
      map((n) => target('BTCUSDT', n % (2 * p.round) === 0 ? p.share : 0)),
    );
  },
});
`;

function walked(): WalkForwardOptions & { readonly store: string } {
  const { folder, options } = laid();
  const file = join(folder, 'turns.mts');
  writeFileSync(file, TURNS);
  return {
    ...options,
    backtest: { ...options.backtest, strategy: file },
    vary: { round: [4, 9, 14] },
    train: '60s',
    test: '40s',
    gap: '5s',
  };
}

describe('a walk-forward', () => {
  test('trades in each test what was best in its training, warm from before the window', async () => {
    const options = walked();
    const result = await walkForward(options);
    expect(result.folds).toHaveLength(3);
    expect(result.leftUs).toBe(4_000_001);
    for (const { trained, tested, chosen, outcome, test: window, rank, ranked } of result.folds) {
      const best = Math.max(...trained.map(({ objective }) => objective ?? Number.NaN));
      expect(chosen?.objective).toBe(best);
      expect(outcome?.parameters).toEqual(chosen?.parameters);
      expect(outcome?.metrics?.turnover.ratio).toBeGreaterThan(0);
      const better = tested.filter((row) => Number(row.objective) > Number(outcome?.objective));
      expect([rank, ranked]).toEqual([better.length + 1, 3]);
      const alone = await backtest({
        ...options.backtest,
        ...window,
        parameters: outcome?.parameters ?? {},
      });
      expect(outcome?.hash).toBe(alone.hash);
    }
    const { stitched, stability } = result;
    const product = result.folds.reduce(
      (level, { outcome }) => level * (1 + (outcome?.metrics?.totalReturn ?? Number.NaN)),
      1,
    );
    expect(stitched.totalReturn).toBeCloseTo(product - 1, 12);
    expect(stitched.equity.at(-1)).toBeCloseTo(product, 12);
    expect(stitched.at.every((at, row) => row === 0 || at >= stitched.at[row - 1])).toBe(true);
    expect(stitched.maxDrawdown).toBeGreaterThan(0);
    const values = result.folds.map(({ chosen }) => chosen?.parameters['round']);
    const numbers = values.map(Number);
    expect(stability).toEqual([
      {
        name: 'round',
        values,
        distinct: new Set(values).size,
        spread: (Math.max(...numbers) - Math.min(...numbers)) / 10,
      },
    ]);
  }, 240_000);

  test('goes on where it was ended, and keeps fold and part of every run', async () => {
    const options = walked();
    const controller = new AbortController();
    const ended = walkForward({
      ...options,
      signal: controller.signal,
      workers: 2,
      onProgress: ({ done, total }) => {
        expect(total).toBe(18);
        if (done === 7) controller.abort(new Error('stopped'));
      },
    });
    await expect(ended).rejects.toThrow('stopped');
    const resumed = await walkForward({ ...options, workers: 2 });
    expect(resumed.reused).toBe(7);
    const whole = await walkForward({ ...options, store: `${options.store}-2`, workers: 1 });
    expect({ ...resumed, reused: 0 }).toEqual({ ...whole, reused: 0 });
    const database = new DatabaseSync(options.store, { readOnly: true });
    const counted = database
      .prepare('SELECT fold, part, count(*) AS n FROM run GROUP BY fold, part')
      .all();
    database.close();
    expect(counted).toHaveLength(6);
    expect(counted[0]).toEqual({ fold: 0, part: 'test', n: 3 });
  }, 240_000);

  test('is anchored, and searched by what came before, with the same rows for any threads', async () => {
    const { store: _, ...options } = walked();
    const given = { ...options, vary: { round: '2..100', share: '0.1..0.9 step 0.1' } };
    const tpe = { ...given, search: 'tpe', trials: 26, lag: 2, anchored: true } as const;
    const [one, other] = [
      await walkForward({ ...tpe, test: '90s', workers: 0 }),
      await walkForward({ ...tpe, test: '90s', workers: 2 }),
    ];
    expect(one).toEqual(other);
    expect(one.folds.map(({ train }) => train.from)).toEqual(['2024-01-01T00:00:50.000Z']);
  }, 240_000);

  test('stands still in a fold that chose nothing', async () => {
    const { store: _, ...options } = walked();
    const { folds, stitched } = await walkForward({ ...options, constraints: ['profit > 1e9'] });
    expect(folds.map(({ chosen, outcome, rank }) => [chosen, outcome, rank])).toEqual(
      folds.map(() => [null, null, null]),
    );
    expect(stitched.totalReturn).toBe(0);
    expect(new Set(stitched.equity)).toEqual(new Set([1]));
  }, 120_000);

  test.each<[string, object, string]>([
    ['a span that is none', { train: 'long' }, 'usage'],
    ['windows that do not fit', { train: '1d' }, 'out-of-range'],
    ['an objective that there is not', { objective: 'sharp' }, 'objective-unknown'],
  ])('refuses %s', async (_, change, code) => {
    await expect(walkForward({ ...walked(), ...change })).rejects.toMatchObject({ code });
  });
});
