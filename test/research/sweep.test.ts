import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { backtest, sweep, sweepCsv, type SweepOptions } from '../../src/backtest.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** Trades of four minutes, a second apart, on a price that swings. */
const rows = (height = 500): readonly Row[] =>
  Array.from({ length: 240 }, (_, second) => {
    const at = START + second * 1_000_000;
    const price = 6_000_000 + Math.round(height * Math.sin(second / 9));
    return [at, at, TRADE, LAST, second + 1, price, 1_000, 0, 0, 0];
  });

/** Buys at the trade `at`, sells at `hold` trades later; does what `then` says in between. */
const strategy = (then = ''): string => `
import { map, filter } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';
let runs = 0;
export default defineStrategy({
  name: 'swing',
  summary: 'Holds half of its equity between two trades.',
  parameters: z.object({
    at: z.int().min(1).max(200).default(5),
    hold: z.int().min(1).max(100).default(10),
    share: z.string().regex(/^0\\.\\d+$/).default('0.5'),
  }),
  run: ({ market, parameters: p }) => {
    let seen = 0;
    runs += 1;
    return market.trades('BTCUSDT').pipe(
      map(() => (seen += 1)),
      filter((n) => n === p.at || n === p.at + p.hold),
      map((n) => { ${then} return target('BTCUSDT', n === p.at ? Number(p.share) : 0); }),
    );
  },
});
`;

interface Laid {
  readonly folder: string;
  readonly file: string;
  readonly options: SweepOptions & { readonly store: string };
}

function laid(then?: string): Laid {
  const folder = temporaryFolder();
  const file = join(folder, 'swing.mts');
  writeFileSync(file, strategy(then));
  const recording = writeRecording(join(folder, 'BTCUSDT.arrow'), rows());
  return {
    ...{ folder, file },
    options: {
      backtest: {
        ...{ strategy: file, recordings: [recording], balances: { USDT: '10000' } },
        sampleEvery: '1s',
      },
      vary: { at: '5..45 step 20', hold: [10, 20] },
      objective: 'profit',
      workers: 1,
      store: join(folder, 'sweep.sqlite'),
    },
  };
}

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
      rows: { parameters: Record<string, unknown>; hash: string }[];
    };
    for (const row of [found[0], found[5]]) {
      const alone = await backtest({ ...options.backtest, parameters: row.parameters });
      expect(row.hash).toBe(alone.hash);
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

  test('tells of a strategy that throws in one run, and of a set that its schema refuses', async () => {
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

  test('names an objective that there is not, one that is no number, and one that throws', async () => {
    const { options } = laid();
    await expect(sweep({ ...options, objective: 'sharp' })).rejects.toMatchObject({
      code: 'objective-unknown',
      message: expect.stringContaining('"sharpe"') as string,
    });
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
      ...{ ...rest, vary: { at: '1..200', hold: '1..100' }, search: 'random' as const },
      ...{
        trials: 5,
        where: ({ at, hold }: Readonly<Record<string, unknown>>) => Number(at) > Number(hold),
      },
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
