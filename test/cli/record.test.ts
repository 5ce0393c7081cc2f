import { copyFileSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkRecording } from '../../src/feeds/check.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { recover } from '../../src/feeds/recovery.ts';
import { faultPlan } from '../../src/server/faults/plan.ts';
import type { Simulation } from '../../src/server/simulation/simulation.ts';

import { openPrefixed } from '../gateways/trading/kit/prefixed.ts';
import { frameLines } from '../kit/frame-lines.ts';
import { there } from '../kit/patience.ts';
import { readRecording, temporaryFolder } from '../kit/recordings.ts';
import { lastJson, millraceHere, startedHere } from './command.ts';
import { started } from './process.ts';
import { openExample, urlOf } from './venue/example.ts';

/** The venue of the example with its made-up markets, on real time and real sockets. */
let simulation: Simulation;
let url = '';

beforeAll(async () => {
  simulation = await openExample();
  url = urlOf(simulation);
});

afterAll(async () => {
  await simulation.close();
});

const recordOf = (folder: string, more: readonly string[], at = url): readonly string[] => [
  ...['record', '--url', at, '--symbols', 'BTCUSDT', '--out', folder],
  ...more,
];

const endingIn = (folder: string, suffix: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(suffix)) : [];

describe('what was recorded', () => {
  test('is a sound feed that backtests at once', async () => {
    const folder = temporaryFolder();
    const ended = await millraceHere([
      ...['record', '--url', url, '--symbols', 'BTCUSDT,ETHUSDT', '--out', folder],
      ...['--duration', '2s', '--raw', '--json'],
    ]);
    expect([ended.code, ended.err]).toEqual([0, '']);
    const { files, frames, rows } = lastJson(ended) as {
      files: string[];
      frames: number;
      rows: number;
    };
    expect(files.map((path) => path.replace(/^.*\/|-\d{8}T\d{6}Z/g, ''))).toEqual([
      ...['BTCUSDT.arrow', 'ETHUSDT.arrow'],
      'frames.ndjson.zst',
    ]);
    const [btc, eth, raw] = files;
    let counted = 0;
    for (const path of [btc, eth]) {
      const recording = openRecording(path);
      const { summary, meta } = recording;
      expect(checkRecording(recording).faults).toBe(0);
      recording.close();
      counted += summary.rows;
      expect(summary).toMatchObject({ resets: 1, gaps: 0 });
      expect(summary.levels).toBeGreaterThan(0);
      expect(meta.instrument).toMatchObject({ takeRate: '0.0025', feeCurrency: 'USDT' });
      for (const [receivedAt, stampedAt] of readRecording(path)) {
        expect(stampedAt).toBeLessThanOrEqual(receivedAt);
      }
    }
    expect(counted).toBe(rows);
    const lines = frameLines(raw);
    expect(lines).toHaveLength(frames);
    const channels = lines.map(({ frame }) => (JSON.parse(frame) as { ch?: string }).ch);
    expect(new Set(channels)).toEqual(new Set(['trades', 'orderbook/full']));
    const backtest = await millraceHere([
      ...['backtest', 'config/backtest.yaml', '-s', 'market-maker', '-r', btc, eth],
      ...['--warm-up', '1ms', '--out', temporaryFolder(), '--json'],
    ]);
    expect([backtest.code, backtest.err]).toEqual([0, '']);
    expect(lastJson(backtest)).toHaveProperty('metrics');
  });
});

test('of a perpetual holds mark and index prices, funding and open interest, and trades on margin alone', async () => {
  const folder = temporaryFolder();
  const ended = await millraceHere([
    ...['record', '--url', url, '--symbols', 'ETHUSDT_PERP', '--out', folder],
    ...['--duration', '3s', '--json'],
  ]);
  expect([ended.code, ended.err]).toEqual([0, '']);
  const { files } = lastJson(ended) as { files: string[] };
  const recording = openRecording(files[0] ?? '');
  const { meta, summary } = recording;
  const report = checkRecording(recording);
  recording.close();
  expect(report.faults).toBe(0);
  expect(meta.instrument).toMatchObject({
    symbol: 'ETHUSDT_PERP',
    type: 'futures',
    contractType: 'perpetual',
    baseCurrency: 'ETH',
  });
  const { marks = 0, indexes, fundings, openInterests } = summary.derivatives ?? {};
  expect(marks).toBeGreaterThan(0);
  expect([indexes, fundings, openInterests]).toEqual([marks, 1, 1]);
  expect(summary.levels).toBeGreaterThan(0);
  const backtest = await millraceHere([
    ...['backtest', 'config/backtest.yaml', '-s', 'market-maker', '-r', ...files],
    ...['--set', 'symbol=ETHUSDT_PERP', '--out', temporaryFolder()],
  ]);
  expect([backtest.code, backtest.err]).toEqual([0, '']);
  expect(backtest.out).toContain('No order was ever sent.');
});

test('a service with its REST calls and its sockets at two addresses is recorded from both', async () => {
  const rest = await openPrefixed(url, '/rest/of/it', '/api/3');
  const streams = await openPrefixed(url, '/streams', '/api/3/ws');
  const baseUrl = `http://${rest.host}/rest/of/it`;
  const ended = await millraceHere([
    ...['record', '--base-url', baseUrl, '--ws-url', `ws://${streams.host}/streams/`],
    ...['--symbols', 'BTCUSDT', '--out', temporaryFolder(), '--duration', '1s', '--json'],
  ]);
  expect([ended.code, ended.err]).toEqual([0, '']);
  const { files, gaps, rows } = lastJson(ended) as { files: string[]; gaps: number; rows: number };
  expect(gaps).toBe(0);
  expect(rows).toBeGreaterThan(2);
  expect(rest.targets[0]).toMatch(/^\/rest\/of\/it\/public\/symbol/);
  expect(rest.targets.filter((target) => !target.startsWith('/rest/of/it/'))).toEqual([]);
  expect(streams.targets).toEqual(['/streams/public']);
  const recording = openRecording(files[0]);
  expect(JSON.stringify(recording.meta.provenance)).toContain(baseUrl);
  recording.close();
});

test('a connection that breaks leaves a gap, and a snapshot behind it', async () => {
  const faults = faultPlan.parse({
    streams: [
      {
        socket: '/api/3/ws/public',
        topic: 'orderbook/full',
        skip: 20,
        count: 1,
        fault: { kind: 'close', code: 1011 },
      },
    ],
  });
  const breaking = await openExample({ faults });
  onTestFinished(() => breaking.close());
  const folder = temporaryFolder();
  const recorder = startedHere(recordOf(folder, [], urlOf(breaking)));
  await there(() => recorder.err().split('BTCUSDT is live.').length === 3);
  recorder.signal('SIGTERM');
  expect((await recorder.ended).code).toBe(0);
  const [name] = endingIn(folder, '.arrow');
  const recording = openRecording(join(folder, name));
  expect(recording.summary).toMatchObject({ resets: 2, gaps: 1 });
  const found = checkRecording(recording).checks.filter(
    ({ severity, count }) => severity === 'fault' && count > 0,
  );
  expect(found.map(({ name: check, count }) => [check, count])).toEqual([['gap', 1]]);
  recording.close();
  expect(recorder.err()).toContain('warning: BTCUSDT is disconnected');
});

describe('a recorder that is ended from outside', () => {
  test('finishes its files on Ctrl-C', async () => {
    const folder = temporaryFolder();
    const recorder = startedHere(recordOf(folder, []));
    await recorder.says('BTCUSDT is live.');
    recorder.signal('SIGINT');
    expect((await recorder.ended).code).toBe(0);
    expect(endingIn(folder, '.part')).toEqual([]);
    const [name] = endingIn(folder, '.arrow');
    expect(readRecording(join(folder, name)).length).toBeGreaterThan(2);
    expect(recorder.out()).toContain(name);
  });

  test('by kill -9 loses nothing from before its last flush', async () => {
    const folder = temporaryFolder();
    const recorder = started(recordOf(folder, ['--flush', '200ms']));
    onTestFinished(async () => {
      recorder.child.kill('SIGKILL');
      await recorder.ended;
    });
    const size = (): number => {
      const [part] = endingIn(folder, '.part');
      return part === undefined ? 0 : statSync(join(folder, part)).size;
    };
    await recorder.says('BTCUSDT is live.');
    const before = size();
    await there(() => size() > before);
    // As it stands after a flush: no later crash may take any of it.
    const [part] = endingIn(folder, '.part');
    const copy = join(temporaryFolder(), part);
    copyFileSync(join(folder, part), copy);
    const grown = size();
    await there(() => size() > grown);
    recorder.child.kill('SIGKILL');
    await recorder.ended;
    const durable = readRecording(recover(copy).path);
    expect(durable.length).toBeGreaterThan(0);
    const next = await millraceHere(recordOf(folder, ['--duration', '1s']));
    expect(next.code).toBe(0);
    expect(next.err).toContain(`Recovered ${join(folder, part.slice(0, -5))}`);
    expect(endingIn(folder, '.part')).toEqual([]);
    const recovered = readRecording(join(folder, part.slice(0, -5)));
    expect(recovered.length).toBeGreaterThan(durable.length);
    expect(recovered.slice(0, durable.length)).toEqual(durable);
    expect(endingIn(folder, '.arrow')).toHaveLength(2);
  });
});

test('a recorder that cannot write any more says so and ends', async () => {
  const folder = join(temporaryFolder(), 'recordings');
  const recorder = startedHere(recordOf(folder, ['--rotate', '1KB', '--flush', '100ms']));
  await recorder.says('BTCUSDT is live.');
  // At one stroke: what it writes meanwhile would be in the way of removing the folder.
  renameSync(folder, `${folder}-gone`);
  writeFileSync(folder, 'no folder');
  expect((await recorder.ended).code).toBe(1);
  expect(recorder.err()).toContain('error [file-unwritable]');
});

describe('mistakes are reported', () => {
  const record = (...args: string[]) =>
    millraceHere(['record', '--url', url, '--out', temporaryFolder(), ...args]);

  test.each([
    [['--symbols', 'BTCUSD'], 2, 'Did you mean "BTCUSDT"?'],
    [['--symbols', ','], 2, '--symbols'],
    [['--symbols', 'BTCUSDT', '--rotate', '7m'], 2, 'a part of a day such as 15m'],
    [['--symbols', 'BTCUSDT', '--flush', 'never'], 2, '--flush'],
    [['--symbols', 'BTCUSDT', '--duration', '0s'], 2, '--duration'],
  ])('%s', async (args, code, message) => {
    const ended = await record(...args);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(message);
  });

  const REST = 'https://api.example.com/api/3';
  const SOCKETS = 'wss://stream.example.com/api/3/ws';
  test.each([
    [[], '--url is missing; say where the service is'],
    [['--url', REST], '--url takes the address without a path: https://api.example.com.'],
    [['--url', 'venue'], '--url takes the address of the service, such as http://127.0.0.1:8330.'],
    [['--url', url, '--ws-url', SOCKETS], '--url stands beside --base-url or --ws-url'],
    [['--base-url', REST], `--ws-url is missing beside --base-url, such as wss://`],
    [['--ws-url', SOCKETS], `--base-url is missing beside --ws-url, such as https://`],
    [['--base-url', SOCKETS, '--ws-url', SOCKETS], `--base-url takes the address of the service`],
    [['--base-url', REST, '--ws-url', REST], `--ws-url takes the address of the service`],
    [['--base-url', `${REST}?a=b`, '--ws-url', SOCKETS], '--base-url ends with its path; nothing'],
    [
      ['--base-url', REST, '--ws-url', 'wss://me:hidden@stream.example.com/ws'],
      '--ws-url holds a password or a user name; leave them out, as market data needs none.',
    ],
  ])('an address of no use: %j', async (args, message) => {
    const ended = await millraceHere([
      ...['record', '--symbols', 'BTCUSDT', '--out', temporaryFolder(), ...args],
    ]);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain('error [usage]');
    expect(ended.err).toContain(message);
    expect(ended.err).not.toContain('hidden');
  });

  test('a folder that cannot be made', async () => {
    const file = join(temporaryFolder(), 'taken');
    copyFileSync('package.json', file);
    const ended = await millraceHere([
      ...['record', '--url', url, '--symbols', 'BTCUSDT', '--out', join(file, 'x')],
    ]);
    expect([ended.code, ended.err.includes('[file-unwritable]')]).toEqual([1, true]);
  });
});
