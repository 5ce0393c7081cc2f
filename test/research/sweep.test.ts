import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import {
  backtest,
  deflatedSharpe,
  sharpeMoments,
  sweep,
  sweepCsv,
  type SweepOptions,
} from '../../src/backtest.ts';
import { returnsOf } from '../../src/research/sweep/returns.ts';
import { TrialRunner } from '../../src/research/sweep/runner.ts';
import { writeRecording } from '../kit/recordings.ts';
import { laid, rows, strategy } from './swing.ts';

describe('a sweep', () => {
  test('gives the same rows with one, two and three threads, those of the same backtests alone', async () => {
    const { options } = laid();
    const texts: string[] = [];
    for (const workers of [0, 1, 2, 3]) {
      const { store: _, ...given } = options;
      const result = await sweep({ ...given, workers });
      expect(result.counts).toEqual({ done: 6, infeasible: 0, failed: 0, invalid: 0 });
      texts.push(sweepCsv(result) + JSON.stringify(result.rows));
    }
    expect(new Set(texts).size).toBe(1);
    const { rows: found } = JSON.parse(
      `{"rows":${texts[0].slice(texts[0].indexOf('\n[') + 1)}}`,
    ) as {
      rows: { parameters: Record<string, unknown>; hash: string; warnings: string[] }[];
    };
    for (const row of [found[0], found[5]]) {
      const alone = await backtest({ ...options.backtest, parameters: row.parameters });
      expect(row.hash).toBe(alone.hash);
      expect(row.warnings).toEqual(alone.result.warnings);
    }
    expect(new Set(found.map(({ hash }) => hash)).size).toBe(6);
  }, 120_000);

  test('ranks by any metric and any function, and sets aside what breaks a constraint', async () => {
    const { options } = laid();
    const high = await sweep({ ...options, objective: 'profit' });
    const low = await sweep({ ...options, objective: 'profit', direction: 'minimize' });
    expect(low.reused).toBe(6);
    expect(low.ranked[0].index).toBe(high.ranked.at(-1)?.index);
    const own = await sweep({
      ...options,
      objective: ({ parameters }) => -Number(parameters['at']),
    });
    expect(own.ranked[0].parameters).toMatchObject({ at: 5 });
    const limit = Number(high.ranked[2].objective);
    const some = await sweep({ ...options, constraints: [`profit >= ${limit}`] });
    expect(some.counts).toMatchObject({ done: 3, infeasible: 3 });
  });

  test('goes on where it was ended, and runs nothing twice', async () => {
    const { options } = laid();
    const controller = new AbortController();
    const ended = sweep({
      ...options,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 2) controller.abort(new Error('stopped'));
      },
    });
    await expect(ended).rejects.toThrow('stopped');
    const resumed = await sweep(options);
    expect(resumed.reused).toBe(2);
    const whole = await sweep({ ...options, store: `${options.store}-2` });
    expect(sweepCsv(resumed)).toBe(sweepCsv(whole));
    const database = new DatabaseSync(options.store, { readOnly: true });
    expect(database.prepare('SELECT count(*) AS n FROM run').get()).toEqual({ n: 6 });
    database.close();
  });

  test('refuses to go on when the strategy, a recording or a setting changed', async () => {
    const { file, options } = laid();
    await sweep(options);
    const changed = (field: string): object => ({ code: 'sweep-changed', field });
    const fees = { BTCUSDT: { takeRate: '0.002' } };
    const other = { ...options, backtest: { ...options.backtest, fees } };
    await expect(sweep(other)).rejects.toMatchObject(changed('the settings of the backtest'));
    writeRecording(options.backtest.recordings[0], rows(400));
    const recording = `the recording ${options.backtest.recordings[0]}`;
    await expect(sweep(options)).rejects.toMatchObject(changed(recording));
    writeRecording(options.backtest.recordings[0], rows());
    writeFileSync(file, strategy('/* changed */'));
    await expect(sweep(options)).rejects.toMatchObject(changed('the strategy swing'));
  });

  test('reads the text of a strategy once for all its runs, and not for each', async () => {
    const { file, options } = laid();
    const { recordings, strategy: _, ...settings } = options.backtest;
    const markets = [{ paths: recordings }];
    const runner = new TrialRunner({ settings, strategies: [file], markets });
    const job = { index: 0, strategy: 0, market: 0, parameters: {} };
    const first = await runner.run(job);
    // What runs is the module that was loaded, whatever its file says since.
    writeFileSync(file, strategy('/* changed */'));
    const second = await runner.run(job);
    runner.close();
    expect(second.figures?.hash).toBe(first.figures?.hash);
    expect(first.figures?.hash).toBeDefined();
  });

  test('reports a strategy that throws in one run, and a set that its schema rejects', async () => {
    const { options } = laid("if (p.at === 25) throw new Error('no idea');");
    const { rows: found, counts } = await sweep({ ...options, vary: { at: [5, 25, 500] } });
    expect(counts).toEqual({ done: 1, infeasible: 0, failed: 1, invalid: 1 });
    expect(found[1].fault).toMatchObject({ code: 'strategy-failed' });
    expect(found[1].fault?.message).toContain('no idea');
    expect(found[2].fault).toMatchObject({ code: 'parameter-invalid' });
    expect(found[2].fault?.message).toContain('at is 500');
  });

  test('starts a job again whose thread ended, gives it up the second time, and goes on', async () => {
    const { options } = laid('if (p.at === 25) process.exit(3);');
    const vary = { at: [5, 25, 45] };
    const { rows: found, counts } = await sweep({ ...options, vary, workers: 2 });
    expect(counts).toMatchObject({ done: 2, failed: 1 });
    expect(found[1].fault).toMatchObject({ code: 'worker-lost' });
    const again = await sweep({ ...options, vary, workers: 2 });
    expect(again.reused).toBe(2);
  }, 60_000);

  test('knows figures of margin, fees and rejections by name, also where a run had none', async () => {
    const { options } = laid();
    const hold = { ...options, vary: { hold: [10] } };
    for (const [objective, expected] of [
      ['margin.liquidations', 0],
      ['orders.rejections.funds-insufficient', 0],
      ['fees.byCurrency.EUR', 0],
    ] as const) {
      expect((await sweep({ ...hold, objective })).ranked[0].objective).toBe(expected);
    }
    const use = await sweep({ ...hold, objective: 'margin.maxUse' });
    expect(use.counts).toMatchObject({ infeasible: 1 });
  });

  test('gives an objective the margin accounts and the warnings of its run, and has them in its row', async () => {
    const { options } = laid(
      `if (n === p.at) {
        const where = { symbol: 'BTCUSDT', margin: 'isolated' } as const;
        return setMargin(where, { balance: amount(String(100 * p.at)), leverage: amount('2') });
      }`,
    );
    const margin = { BTCUSDT: { isolated: { maxInitialLeverage: '5' } } };
    const given = { ...options, backtest: { ...options.backtest, margin }, vary: { at: [5, 25] } };
    const result = await sweep({
      ...given,
      objective: ({ margin: record, warnings, balances }) =>
        warnings.length > 0 && balances.length > 0 ? Number(record?.maxFunds ?? 0) : null,
    });
    expect(result.rows.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(Number(result.rows[0].margin?.maxFunds)).toBeGreaterThan(0);
    expect(result.ranked[0].parameters).toEqual({ at: 25 });
    const named = await sweep({ ...given, objective: 'margin.maxFunds' });
    expect(named.rows.map(({ objective }) => objective)).toEqual(
      result.rows.map(({ objective }) => objective),
    );
  });

  test('says of a set whose orders were all rejected that they were', async () => {
    const { options } = laid("if (n === p.at) return { kind: 'place', symbol: 'BTCUSDT' };");
    const { ranked } = await sweep({ ...options, vary: { at: [5] } });
    expect(ranked[0].objective).toBe(0);
    expect(Object.values(ranked[0].orders?.rejections ?? {})).not.toEqual([]);
    expect(ranked[0].warnings.join(' ')).toContain('refused');
  });

  test('takes up the runs of a sweep that compared more strategies and markets', async () => {
    const { folder, file, options } = laid();
    const other = join(folder, 'swung.mts');
    writeFileSync(other, strategy().replace("'swing'", "'swung'"));
    const far = writeRecording(join(folder, 'FAR.arrow'), rows(900));
    const both = await sweep({
      ...options,
      strategies: [other, file],
      markets: [{ recordings: [far] }, { recordings: options.backtest.recordings }],
    });
    expect(both.counts.done).toBe(24);
    const one = await sweep(options);
    expect(one.reused).toBe(6);
    const hashes = both.rows.filter((row) => row.strategy === 'swing' && row.market === 1);
    expect(one.rows.map(({ hash }) => hash)).toEqual(hashes.map(({ hash }) => hash));
  });

  test('names an objective that there is not before anything runs', async () => {
    const { options } = laid();
    for (const change of [{ objective: 'sharp' }, { constraints: ['sharp > 1'] }]) {
      await expect(sweep({ ...options, ...change })).rejects.toMatchObject({
        code: 'objective-unknown',
        message: expect.stringContaining('"sharpe"') as string,
      });
    }
    expect(existsSync(options.store)).toBe(false);
  });

  test('reports an objective that is no number, and one that throws', async () => {
    const { options } = laid();
    const nan = await sweep({ ...options, objective: () => Number.NaN });
    expect(nan.counts).toMatchObject({ done: 0, infeasible: 6 });
    expect(nan.rows[0].fault).toMatchObject({ code: 'objective-invalid' });
    const thrown = await sweep({
      ...options,
      objective: () => {
        throw new TypeError('own mistake');
      },
    });
    expect(thrown.rows[0].fault).toEqual({ code: 'objective-invalid', message: 'own mistake' });
  });

  test('draws the same sets by the same seed, others by another, and none twice', async () => {
    const { options } = laid();
    const { store: _, ...rest } = options;
    const given = {
      ...rest,
      vary: { at: '1..200', hold: '1..100' },
      search: 'random' as const,
      trials: 5,
      where: ({ at, hold }: Readonly<Record<string, unknown>>) => Number(at) > Number(hold),
    };
    const sets = async (seed: number): Promise<string[]> =>
      (await sweep({ ...given, seed, workers: 0, backtest: { ...given.backtest } })).rows.map(
        ({ parameters }) => JSON.stringify(parameters),
      );
    const one = await sets(1);
    expect(new Set(one).size).toBe(5);
    expect(await sets(1)).toEqual(one);
    expect(await sets(2)).not.toEqual(one);
  });

  test('searches by what came before, with the same rows for 0 to 3 threads and after it was ended', async () => {
    const { options } = laid();
    const { store: _, ...rest } = options;
    const given = { ...rest, vary: { at: '1..200', hold: '1..100' }, lag: 4 };
    const searched = { ...given, search: 'tpe', trials: 32 } as const;
    const texts: string[] = [];
    for (const workers of [0, 1, 2, 3]) {
      texts.push(JSON.stringify((await sweep({ ...searched, workers })).rows));
    }
    expect(new Set(texts).size).toBe(1);
    const controller = new AbortController();
    const stored = { ...searched, store: options.store, workers: 2 };
    const ended = sweep({
      ...stored,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 27) controller.abort(new Error('stopped'));
      },
    });
    await expect(ended).rejects.toThrow('stopped');
    const resumed = await sweep(stored);
    expect(JSON.stringify(resumed.rows)).toBe(texts[0]);
    expect(resumed.reused).toBe(27);
    const spread = await sweep({ ...searched, search: 'halton' });
    const sets = ({ rows: found }: typeof spread): string[] =>
      found.map(({ parameters }) => JSON.stringify(parameters));
    expect(new Set(sets(spread)).size).toBe(32);
    // What guides begins with what is spread, and leaves it when it knows enough.
    expect(sets(resumed).slice(0, 23)).toEqual(sets(spread).slice(0, 23));
    expect(sets(resumed).slice(23)).not.toEqual(sets(spread).slice(23));
  }, 240_000);

  test('says how far its best may be owed to the number of sets', async () => {
    const { options } = laid();
    const { overfitting } = await sweep({ ...options, vary: { at: '5..95 step 10', hold: [10] } });
    expect(overfitting).toMatchObject({ trials: 10, periodUs: 1_000_000, blocks: 16 });
    expect(overfitting?.deflatedSharpe).toBeGreaterThan(0);
    expect(overfitting?.deflatedSharpe).toBeLessThan(1);
    expect(overfitting?.probability).toBeGreaterThanOrEqual(0);
    const one = await sweep({ ...options, vary: { at: [5] } });
    expect(one.overfitting).toMatchObject({ trials: 1, probability: null });
    expect((await sweep(options)).overfitting?.trials).toBe(6);
  }, 120_000);

  test('deflates by all sets that the store tried on the same data, each counted once', async () => {
    const { options } = laid();
    const wide = await sweep({ ...options, vary: { at: '5..95 step 10', hold: [10] } });
    expect(wide.overfitting?.inStore).toEqual({
      trials: 10,
      deflatedSharpe: wide.overfitting?.deflatedSharpe,
    });
    // Two of these five ran before; fewer sets in this sweep are not fewer that were tried.
    const near = { ...options, vary: { at: [15, 17, 19, 23, 25], hold: [10] } };
    const { overfitting, ranked, returns } = await sweep(near);
    expect(overfitting?.inStore?.trials).toBe(13);
    const again = await sweep({ ...options, vary: { at: '5..95 step 10', hold: [10] } });
    const series = new Map<number, number[]>();
    for (const result of [again, { ranked, returns }]) {
      for (const [index, { parameters }] of result.ranked.entries()) {
        const stored = result.returns[index];
        if (stored !== null) series.set(Number(parameters['at']), [...returnsOf(stored).values]);
      }
    }
    const ratios = [...series.values()].map((each) => sharpeMoments(each).sharpe);
    expect(ratios).toHaveLength(13);
    const mean = ratios.reduce((sum, each) => sum + each) / 13;
    const variance = ratios.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 12;
    const best = series.get(Number(ranked[0].parameters['at'])) ?? [];
    const expected = deflatedSharpe(sharpeMoments(best), { trials: 13, variance });
    // They are far below 1, so what counts is their ratio.
    expect((overfitting?.inStore?.deflatedSharpe ?? 0) / expected).toBeCloseTo(1, 6);
    expect((overfitting?.deflatedSharpe ?? 0) / expected).not.toBeCloseTo(1, 1);
    const { store: _, ...alone } = near;
    expect((await sweep(alone)).overfitting?.inStore).toBeNull();
    // Other recordings in the same store are other data.
    const other = writeRecording(join(options.backtest.recordings[0], '../other.arrow'), rows(300));
    const backtestOfOther = { ...options.backtest, recordings: [other] };
    const elsewhere = await sweep({ ...near, backtest: backtestOfOther });
    expect(elsewhere.overfitting?.inStore?.trials).toBe(5);
  }, 120_000);

  test('has another id with another number of trials, or another lag', async () => {
    const { options } = laid();
    const { store: _, ...given } = options;
    const idOf = async (change: Partial<SweepOptions>): Promise<string> => {
      const { definition } = await sweep({ ...given, workers: 0, search: 'tpe', ...change });
      return definition.id;
    };
    const ids = [
      await idOf({ trials: 2, lag: 1 }),
      await idOf({ trials: 3, lag: 1 }),
      await idOf({ trials: 2, lag: 2 }),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(await idOf({ trials: 2, lag: 1 })).toBe(ids[0]);
  });

  test('steps in exact decimals, as text where the schema takes text', async () => {
    const { options } = laid();
    const { rows: found } = await sweep({ ...options, vary: { share: '0.1..0.7 step 0.1' } });
    expect(found.map(({ parameters }) => parameters['share'])).toEqual([
      '0.1',
      '0.2',
      '0.3',
      '0.4',
      '0.5',
      '0.6',
      '0.7',
    ]);
  });

  test.each<[string, object, string]>([
    ['a parameter that there is not', { vary: { att: [1] } }, 'parameter-invalid'],
    ['sets of which the schema takes none', { vary: { at: [0, 900] } }, 'parameter-invalid'],
    ['a range that runs backwards', { vary: { at: '9..5' } }, 'usage'],
    ['a range without the step that it needs', { vary: { at: '0.5..2' } }, 'usage'],
    ['a grid without end', { vary: { at: '1..99999', hold: '1..99999' } }, 'usage'],
    ['a constraint that is none', { constraints: ['profit is good'] }, 'usage'],
    ['threads that are no number', { workers: 1.5 }, 'out-of-range'],
    ['no backtest', { backtest: undefined }, 'config-invalid'],
  ])('refuses %s', async (_, change, code) => {
    const { options } = laid();
    await expect(sweep({ ...options, ...change })).rejects.toMatchObject({ code });
  });

  test('says where it cannot keep its runs, and what is no store', async () => {
    const { folder, file, options } = laid();
    const under = { ...options, store: join(file, 'sweep.sqlite') };
    await expect(sweep(under)).rejects.toMatchObject({ code: 'file-unwritable' });
    const other = join(folder, 'text');
    writeFileSync(other, 'no database at all, but some text that is long enough '.repeat(9));
    await expect(sweep({ ...options, store: other })).rejects.toMatchObject({
      code: 'sweep-invalid',
    });
    expect(readFileSync(other, 'utf8')).toContain('no database');
  });
});
