import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { FUNDING, LAST, MARK, QUOTE, TRADE } from '../../src/model/events.ts';
import { lastJson, millrace, millraceHere } from './command.ts';
import { Companion } from './companion.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { writeRecording } from '../kit/recordings.ts';

/** Six processes that each replay the session. */
const RUNS_MS = 180_000;

const SAMPLE = resolve('config/sample/BTCUSDT.arrow');

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-commands-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (name: string): string => join(folder, name);

describe('millrace', () => {
  test('prints its version, which is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await millrace(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test.each([
    [[]],
    [['backtest']],
    [['feed']],
    [['feed', 'import']],
    [['feed', 'inspect']],
    [['feed', 'check']],
    [['feed', 'generate']],
    [['strategies']],
  ])('helps with %j', async (command) => {
    const { code, out, err } = await millraceHere([...command, '--help']);
    expect(out).toContain(`Usage: ${['millrace', ...command].join(' ')}`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('millrace strategies', () => {
  test('lists the examples', async () => {
    const { code, out } = await millraceHere(['strategies']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^algo-orders .+\nbook-imbalance .+\nbreakout-bracket .+\nema-cross .+\nfunding-carry .+\ninventory-rebalancer .+\nmarket-maker .+\npairs .+\nrsi-reversal .+\ntrend-trail .+\n$/,
    );
  });

  test('lists the parameters of one, as a table and as JSON', async () => {
    const { out } = await millraceHere(['strategies', 'ema-cross']);
    expect(out).toMatch(/^fast +\d+ +whole number, 2 to 500 +candles$/m);
    const json = lastJson(await millraceHere(['strategies', 'ema-cross', '--json']));
    expect(json).toMatchObject({ name: 'ema-cross' });
    expect(json['parameters']).toContainEqual(
      expect.objectContaining({ name: 'fast', type: 'whole number', range: '2 to 500' }),
    );
  });

  test('finds those of the folder it runs in, and shows what is wrong with one beside the others', async () => {
    const work = mkdtempSync(here('own-'));
    const strategies = join(work, 'strategies');
    mkdirSync(strategies);
    writeFileSync(
      join(strategies, 'mine.ts'),
      `import { NEVER } from 'rxjs';
       import { defineStrategy, z } from 'millrace';
       export default defineStrategy({
         name: 'mine', summary: 'Does nothing.', parameters: z.object({}), run: () => NEVER,
       });`,
    );
    writeFileSync(join(strategies, 'broken.ts'), 'export const a = 1;');
    const { code, out } = await millraceHere(['strategies'], { cwd: work });
    expect(code).toBe(0);
    expect(out).toMatch(/^mine +Does nothing\.$/m);
    expect(out).toMatch(/^broken +.*has no strategy to run/m);
    expect(out).toMatch(/^ema-cross /m);
  });
});

describe('millrace feed', () => {
  test('generates the same recording from the same seed, another from another', async () => {
    const make = async (name: string, seed: string): Promise<Buffer> => {
      const made = await millraceHere([
        'feed',
        'generate',
        '-o',
        here(name),
        '--seed',
        seed,
        '--duration',
        '10m',
      ]);
      expect(made).toMatchObject({ code: 0, err: '' });
      return readFileSync(here(name));
    };
    const [one, again, other] = await Promise.all([
      make('one.arrow', '7'),
      make('again.arrow', '7'),
      make('other.arrow', '8'),
    ]);
    expect(one.equals(again)).toBe(true);
    expect(one.equals(other)).toBe(false);
  });

  test('generates a perpetual, with parameters of its own and of its market', async () => {
    const path = here('made-perpetual.arrow');
    const args = ['feed', 'generate', '-o', path, '--perpetual', '--duration', '10m', '--json'];
    const made = await millraceHere([...args, '--set', 'markSeconds=60', 'levels=3']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(lastJson(made)).toMatchObject({
      derivatives: { marks: 9, indexes: 9, fundings: 1, openInterests: 9 },
    });
    const inspected = lastJson(await millraceHere(['feed', 'inspect', path, '--json']));
    expect(inspected).toMatchObject({
      instrument: { type: 'futures', contractType: 'perpetual' },
      provenance: { parameters: { levels: 3, perpetual: { markSeconds: 60, fundingHours: 8 } } },
    });
    const bars = await millraceHere([...args, '--bars', '10', '--force']);
    expect(bars.err).toContain('--perpetual is of an order book with trades');
  });

  test('generates candles, which backtest', async () => {
    const path = here('bars.arrow');
    const made = await millraceHere(['feed', 'generate', '-o', path, '--bars', '500', '--json']);
    expect(lastJson(made)).toMatchObject({ recording: path, rows: 500, candles: 500 });
    const run = await millraceHere(['backtest', '-r', path, '-o', here('bars'), '--json']);
    expect(run).toMatchObject({ code: 0, err: '' });
  });

  test('inspects a recording, and a folder of them, as text and as JSON', async () => {
    const { out } = await millraceHere(['feed', 'inspect', SAMPLE]);
    expect(out).toMatch(/^origin +synthetic \(generator, seed 20240304\)$/m);
    const json = lastJson(
      await millraceHere(['feed', 'inspect', resolve('config/sample'), '--json']),
    );
    expect(json).toMatchObject({
      recording: SAMPLE,
      layout: 'events',
      instrument: { symbol: 'BTCUSDT' },
    });
  });

  test('shows what a recording of a perpetual has beside its market', async () => {
    const path = writeRecording(
      here('perpetual.arrow'),
      [
        [1, 1, MARK, LAST, 0, 100, 5, 0, 0, 0],
        [2, 2, MARK, LAST, 0, 101, 0, 0, 0, 0],
        [3, 3, FUNDING, LAST, 0, 100_000, 0, 9, 0, 0],
      ],
      derivativesMeta(),
    );
    const { out } = await millraceHere(['feed', 'inspect', path]);
    expect(out).toMatch(/^contract +1 BTC, linear, perpetual$/m);
    expect(out).toMatch(/^mark prices +2$/m);
    expect(out).toMatch(/^funding rates +1$/m);
    expect(out).not.toContain('open interests');
    const json = lastJson(await millraceHere(['feed', 'inspect', path, '--json']));
    expect(json).toMatchObject({ derivatives: { marks: 2, indexes: 0, fundings: 1 } });
  });

  test('checks a recording, and with --strict ends with 1 when it has faults', async () => {
    const clean = await millraceHere(['feed', 'check', SAMPLE, '--strict']);
    expect(clean).toMatchObject({ code: 0, err: '' });
    expect(clean.out).toContain('nothing found');
    // A quote whose bid is above its ask.
    const path = writeRecording(here('crossed.arrow'), [
      [1_000, 1_000, QUOTE, LAST, 1, 101, 5, 100, 5, 0],
    ]);
    const odd = await millraceHere(['feed', 'check', path, '--strict']);
    expect(odd.code).toBe(1);
    expect(odd.err).toContain('[feed-faulty]');
    expect(odd.out).toMatch(/crossed-quote +1 /);
  });

  test('recovers what a writer that was killed left behind', async () => {
    const path = here('killed.arrow');
    const writer = RecordingWriter.create(path, eventsMeta());
    for (let row = 1; row <= 10; row += 1) {
      writer.row(row * 1_000, row * 1_000, TRADE, LAST, row, 100, 5, 0, 0, 0);
    }
    writer.flush();
    const ended = await millraceHere(['feed', 'recover', `${path}.part`, '--json']);
    expect(lastJson(ended)).toMatchObject({ recording: path, rows: 10, trades: 10, bytesLost: 0 });
    expect(await millraceHere(['feed', 'inspect', path])).toMatchObject({ code: 0, err: '' });
    expect((await millraceHere(['feed', 'recover', `${path}.part`])).err).toContain(
      '[file-missing]',
    );
  });

  test('does not replace a recording without --force', async () => {
    const path = here('kept.arrow');
    const args = ['feed', 'generate', '-o', path, '--bars', '10'];
    expect((await millraceHere(args)).code).toBe(0);
    expect((await millraceHere(args)).code).toBe(2);
    expect((await millraceHere([...args, '--force'])).code).toBe(0);
  });
});

describe('millrace backtest', () => {
  test('prints the figures a person asks for first, and where the page lies', async () => {
    const out = here('verdict');
    const run = await millraceHere(['backtest', '-o', out]);
    expect(run).toMatchObject({ code: 0, err: '' });
    for (const line of [
      /^ema-cross$/m,
      /^profit +[+\u2212]?[\d,]+\.\d\d USDT \(/m,
      /^hash +[0-9a-f]{64}$/m,
    ]) {
      expect(run.out).toMatch(line);
    }
    const report = /^report +(.+)$/m.exec(run.out)?.[1] ?? '';
    expect(readFileSync(report, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  test('has no colours and no bar where the output is not a terminal', async () => {
    // As a process, whose output is a pipe.
    const run = await millrace(['backtest', '-o', here('plain')]);
    // eslint's rule against control characters holds for regular expressions only.
    expect((run.out + run.err).includes(String.fromCharCode(27))).toBe(false);
  });

  test('takes its configuration, with paths relative to the file', async () => {
    const work = mkdtempSync(here('config-'));
    const recording = relative(work, SAMPLE);
    writeFileSync(
      join(work, 'run.yaml'),
      `strategy: market-maker
recordings: [${recording}]
balances: { USDT: 5000.5 }
fees: { BTCUSDT: { makeRate: -0.0001 } }
latency: { order: 5ms, report: 7ms }
till: 2024-03-04T01:00:00Z
seed: 9
`,
    );
    const run = await millraceHere([
      'backtest',
      join(work, 'run.yaml'),
      '-o',
      join(work, 'runs'),
      '--json',
    ]);
    const json = lastJson(run);
    const result = JSON.parse(readFileSync(String(json['result']), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(result).toMatchObject({
      strategy: { name: 'market-maker' },
      instruments: [{ makeRate: '-0.0001', takeRate: '0.0025' }],
      plan: { orderLatencyUs: 5000, reportLatencyUs: 7000, seed: 9, balances: { USDT: '5000.5' } },
    });
  });

  test('runs a strategy file from anywhere', async () => {
    const work = mkdtempSync(here('file-'));
    const path = join(work, 'once.ts');
    writeFileSync(
      path,
      `import { map, take } from 'rxjs';
       import { defineStrategy, target, z } from 'millrace';
       export default defineStrategy({
         name: 'once',
         summary: 'Buys with the first trade.',
         parameters: z.object({ share: z.number().default(0.5) }),
         run: ({ market, parameters: p }) =>
           market.trades('BTCUSDT').pipe(take(1), map(() => target('BTCUSDT', p.share))),
       });`,
    );
    const run = await millraceHere(
      ['backtest', '-s', path, '-p', 'share=0.25', '-o', join(work, 'runs'), '--json'],
      { cwd: work },
    );
    expect(lastJson(run)).toMatchObject({
      strategy: { name: 'once', parameters: { share: 0.25 } },
      orders: { sent: 1, filled: 1 },
    });
  });

  test('a strategy that throws ends with 1, its sentence, and the results up to there', async () => {
    const work = mkdtempSync(here('throws-'));
    const path = join(work, 'throws.ts');
    writeFileSync(
      path,
      `import { map } from 'rxjs';
       import { defineStrategy, z } from 'millrace';
       export default defineStrategy({
         name: 'throws', summary: 'Throws.', parameters: z.object({}),
         run: ({ market }) => market.trades('BTCUSDT').pipe(map(() => { throw new Error('no idea'); })),
       });`,
    );
    const run = await millraceHere(['backtest', '-s', path, '-o', join(work, 'runs')]);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(
      /\[strategy-failed\] The strategy throws was stopped at \S+ by throws\.ts:5: no idea/,
    );
    const [folder, ...others] = readdirSync(join(work, 'runs'));
    expect(others).toEqual([]);
    const result = readFileSync(join(work, 'runs', folder, 'result.json'), 'utf8');
    expect(JSON.parse(result)).toMatchObject({
      failure: { message: 'no idea', where: 'throws.ts:5' },
    });
    expect(result).not.toContain(work);
  });
});

const data = resolve('../shared/data');
const captures = ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'].map((name) =>
  join(data, name),
);
const there = captures.every((path) => existsSync(path));
if (!there) process.stdout.write(`skipped: nothing runs on real data, there is no ${data}\n`);

describe.skipIf(!there)('on the captured session of BTCUSDT', () => {
  let recording = '';
  let companion: Companion;

  beforeAll(async () => {
    companion = new Companion(process.cwd());
    const ended = await companion.run([
      'feed',
      'import',
      'binance-raw',
      ...captures,
      '--out',
      here('real'),
      '--json',
    ]);
    expect(ended.err).toBe('');
    const json = lastJson(ended);
    expect(json).toMatchObject({ trades: 19_904, quotes: 73_174, levelChanges: 298_111, gaps: [] });
    recording = String(json['recording']);
  });

  afterAll(() => companion.close());

  const hashOf = async (...args: readonly string[]): Promise<string> => {
    const run = await companion.run([
      'backtest',
      '-r',
      recording,
      '-o',
      here('real-runs'),
      '--json',
      ...args,
    ]);
    expect(run).toMatchObject({ code: 0, err: '' });
    return String(lastJson(run)['hash']);
  };

  test.each([
    ['ema-cross', 'share=0.4'],
    ['book-imbalance', 'threshold=0.7'],
    ['market-maker', 'edge=0.60'],
    ['breakout-bracket', 'quantity=0.02'],
  ])(
    '%s gives the same hash twice, and another for any other parameter, fee or seed',
    async (strategy, parameter) => {
      const first = await hashOf('-s', strategy);
      expect(await hashOf('-s', strategy)).toBe(first);
      const others = [
        await hashOf('-s', strategy, '-p', parameter),
        await hashOf('-s', strategy, '--take-rate', '0.0011'),
        await hashOf('-s', strategy, '--make-rate', '0.0009'),
        await hashOf('-s', strategy, '--seed', '2'),
      ];
      expect(new Set([first, ...others]).size).toBe(5);
    },
    RUNS_MS,
  );

  // Eleven minutes are short: ranges of one candle are broken in them, and one of the breaks is lost.
  test('breakout-bracket enters and leaves by its brackets', async () => {
    const range = ['-p', 'period=M1', '-p', 'length=1', '-p', 'atrLength=2'];
    const out = here('real-brackets');
    const run = await companion.run([
      'backtest',
      '-s',
      'breakout-bracket',
      '-r',
      recording,
      '-o',
      out,
      '--json',
      ...range,
    ]);
    expect(run).toMatchObject({ code: 0, err: '' });
    const { orderHistory, fills } = JSON.parse(
      readFileSync(String(lastJson(run)['result']), 'utf8'),
    ) as BacktestResult;
    const orders = new Map(orderHistory.rows.map((row) => [row.order, row]));
    expect(fills.rows.length).toBeGreaterThan(2);
    for (const { order, side } of fills.rows) {
      expect(orders.get(order)).toMatchObject({
        contingencyType: 'oneTriggerOneCancelOther',
        listIndex: side === 'buy' ? 0 : 2,
      });
    }
  });
});
