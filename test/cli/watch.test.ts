import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { differences } from '../../src/cli/watch/figures.ts';
import { WatchedFiles } from '../../src/cli/watch/files.ts';
import { pause } from '../../src/platform/pause.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { project } from '../kit/project.ts';
import { suiteFolder, temporaryFolder } from '../kit/recordings.ts';
import { millraceHere, startedHere, type RunningHere } from './command.ts';
import { started } from './process.ts';

const STRATEGY = `
import { map, take } from 'rxjs';
import { defineStrategy, target, z } from 'millrace';
import { SHARE } from './share.ts';

export default defineStrategy({
  name: 'watched',
  summary: 'Holds a share from its first candle on.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, parameters: p }) =>
    market.candles(p.symbol, 'M1').pipe(take(1), map(() => target(p.symbol, SHARE))),
});
`;
const ENDLESS = STRATEGY.replace('map(() =>', 'map(() => { for (;;); }), map(() =>');

const scheduler = new SystemScheduler();
const folder = suiteFolder();

/** Saves a file as editors do: all of it, at once. */
function save(name: string, text: string): void {
  writeFileSync(join(folder, `${name}~`), text);
  renameSync(join(folder, `${name}~`), join(folder, name));
}

const share = (value: number): void => {
  save('strategies/share.ts', `export const SHARE = ${value};\n`);
};

beforeAll(async () => {
  project(folder);
  mkdirSync(join(folder, 'strategies'));
  const recording = join(folder, 'BTCUSDT.arrow');
  await millraceHere(['feed', 'generate', '--bars', '60', '--out', recording]);
  writeFileSync(
    join(folder, 'backtest.yaml'),
    `strategy: ${join(folder, 'strategies/watched.ts')}\nrecordings: [BTCUSDT.arrow]\nbalances: { USDT: 1000 }\n`,
  );
});

const watched = (...more: readonly string[]): RunningHere =>
  startedHere([
    ...['backtest', join(folder, 'backtest.yaml'), '--watch'],
    ...['--out', join(folder, 'runs'), ...more],
  ]);

/** Waits until so many runs have ended. */
async function runs({ err, ended }: RunningHere, count: number): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (err().split('Ctrl-C ends').length - 1 < count) {
    if (isOver) throw new Error(`It ended before its run ${count}: ${err()}`);
    await pause(scheduler, 50_000);
  }
}

describe('backtest --watch', () => {
  test('runs again when the strategy or an import changes, and compares the figures', async () => {
    save('strategies/watched.ts', STRATEGY);
    share(0.5);
    const running = watched();
    await runs(running, 1);
    expect(running.out()).not.toContain('compared');
    share(0.25);
    await runs(running, 2);
    expect(running.err()).toMatch(/share\.ts changed\n/);
    expect(running.out()).toMatch(/^compared +before +now +change$/m);
    expect(running.out()).toMatch(/^fees +[\d.]+ +[\d.]+ +−[\d.]+$/m);
    save('strategies/watched.ts', `${STRATEGY}\n// A remark.\n`);
    await runs(running, 3);
    expect(running.err()).toMatch(/watched\.ts changed\n/);
    expect(running.out()).toContain(
      'The key figures are those of the run before; the hash differs.\n',
    );
    save('strategies/watched.ts', `${STRATEGY}\n// A remark.\n`);
    await runs(running, 4);
    expect(running.out()).toContain('The result is that of the run before, with the same hash.\n');
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  test('shows an error and goes on when the file is mended', async () => {
    save('strategies/watched.ts', STRATEGY);
    rmSync(join(folder, 'strategies/share.ts'));
    const running = watched('--json');
    await runs(running, 1);
    expect(running.err()).toContain('[strategy-invalid]');
    // It was looked for in vain, so that its coming is a change too.
    share(0.5);
    await runs(running, 2);
    save('strategies/watched.ts', STRATEGY.replace('export', 'exprot'));
    await runs(running, 3);
    save('strategies/watched.ts', STRATEGY);
    await runs(running, 4);
    running.signal('SIGTERM');
    const { code, out } = await running.ended;
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line) as object)[0]);
    expect({ code, lines }).toEqual({ code: 0, lines: ['error', 'hash', 'error', 'hash'] });
  });

  test('stops a run whose files change, by force where it does not yield', async () => {
    share(0.5);
    save('strategies/watched.ts', ENDLESS);
    const running = watched();
    // The strategy is loaded once its file is watched.
    await pause(scheduler, 3_000_000);
    expect(running.out()).toBe('');
    save('strategies/watched.ts', STRATEGY);
    await runs(running, 1);
    expect(running.out()).toContain('report.html');
    save(
      'strategies/watched.ts',
      STRATEGY.replace('map(() =>', 'map(() => process.exit(3)), map(() =>'),
    );
    await runs(running, 2);
    expect(running.err()).toContain('[worker-lost]');
    running.signal('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  test('ends at once where the call is wrong', async () => {
    const { code, err } = await watched('--seed', 'many').ended;
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^error \[usage\] --seed takes a whole number/),
    });
  });

  test('waits for a configuration that is not there yet', async () => {
    save('strategies/watched.ts', STRATEGY);
    share(0.5);
    const path = join(folder, 'later.yaml');
    const running = startedHere(['backtest', path, '--watch', '--out', join(folder, 'runs')]);
    await runs(running, 1);
    expect(running.err()).toContain('[config-missing]');
    writeFileSync(
      path,
      `strategy: ${join(folder, 'strategies/watched.ts')}\nrecordings: [BTCUSDT.arrow]\nbalances: { USDT: 1000 }\n`,
    );
    await runs(running, 2);
    expect(running.out()).toContain('report.html');
  });

  test.skipIf(process.platform === 'win32')('ends with 0 on Ctrl-C, as a process too', async () => {
    save('strategies/watched.ts', STRATEGY);
    share(0.5);
    const running = started(['backtest', 'backtest.yaml', '--watch', '--json'], { cwd: folder });
    await running.says('Ctrl-C ends');
    running.child.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 0, signal: null });
    expect(running.out().split('\n')).toHaveLength(2);
    expect(running.out() + running.err()).not.toContain('\u001b');
  });
});

describe('watched files', () => {
  const open = (): { files: WatchedFiles; path: string } => {
    const path = join(temporaryFolder(), 'a.ts');
    writeFileSync(path, 'one');
    return { files: new WatchedFiles(scheduler), path };
  };
  const soon = async (files: WatchedFiles): Promise<readonly string[]> => {
    const waiting = new AbortController();
    const late = pause(scheduler, 700_000).then(() => {
      waiting.abort();
    });
    const changed = await files.changed(waiting.signal);
    await late;
    return changed;
  };

  test('that nobody touches have not changed', async () => {
    const { files, path } = open();
    utimesSync(path, 1, 1);
    files.begin();
    files.add(path);
    files.add(path);
    expect(files.count).toBe(1);
    expect(await soon(files)).toEqual([]);
  });

  test('that were written after the run began have, however late they are known', async () => {
    const { files, path } = open();
    files.begin();
    await pause(scheduler, 20_000);
    writeFileSync(path, 'two');
    files.add(path);
    expect(await soon(files)).toEqual([path]);
    files.begin();
    expect(await soon(files)).toEqual([]);
  });

  test('that go away or come have', async () => {
    const { files, path } = open();
    utimesSync(path, 1, 1);
    files.add(path);
    rmSync(path);
    expect(await soon(files)).toEqual([path]);
    files.begin();
    writeFileSync(path, 'again');
    expect(await soon(files)).toEqual([path]);
  });
});

describe('differences', () => {
  const money = (value: string | null) => ({ kind: 'money', value }) as const;
  const part = (value: number | null) => ({ kind: 'share', value }) as const;
  const number = (value: number | null) => ({ kind: 'number', value }) as const;

  test('are exact for money, in points for shares, and none for what is not defined', () => {
    const before = {
      hash: 'a',
      figures: { profit: money('0.1'), won: part(0.25), factor: number(null), fills: number(4) },
    };
    const now = {
      hash: 'b',
      figures: { profit: money('0.3'), won: part(0.5), factor: number(2), fills: number(4) },
    };
    expect(differences(before, now)).toEqual([
      ['profit', '0.1', '0.3', '+0.2'],
      ['won', '25.00%', '50.00%', '+25.00%'],
      ['factor', '–', '2.00', '–'],
    ]);
    expect(differences(now, now)).toEqual([]);
  });
});
