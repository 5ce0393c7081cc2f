import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ControlClient } from '../../../src/bot/control/client.ts';
import { readBotConfig } from '../../../src/cli/bot-config.ts';
import { checkRecording } from '../../../src/feeds/check.ts';
import { openRecording } from '../../../src/feeds/reader.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { urlsAt } from '../../gateways/ccxt/hitbtc.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { lastJson, millraceHere } from '../command.ts';
import { blocks } from '../pages.ts';
import { started } from '../process.ts';
import { openExample } from '../venue/example.ts';

/** The venue of the example, whose protocol is that of ccxt's class `hitbtc`. */
let simulation: Simulation;
const config = (): string =>
  JSON.stringify({ urls: urlsAt(`127.0.0.1:${simulation.venue.port}`), timeout: 20_000 });

beforeAll(async () => {
  simulation = await openExample();
});

afterAll(async () => {
  await simulation.close();
});

const clientOf = (port: number): TradingClient =>
  new TradingClient({
    url: `http://127.0.0.1:${port}`,
    credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
  });

const ENV = { CCXT_KEY: 'demo', CCXT_SECRET: 'demo-secret' };

/** A bot of the exchange in a folder of its own. */
function botIn(mode: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const venue = {
    ccxt: 'hitbtc',
    config: more.config ?? config(),
    secrets: '{ apiKey: { env: CCXT_KEY }, secret: { env: CCXT_SECRET } }',
    ...more,
  };
  const lines = Object.entries(venue).map(([name, value]) => `      ${name}: ${value}\n`);
  writeFileSync(
    join(folder, 'bot.yaml'),
    `mode: ${mode}
accounts:
  main:
    venue:
${lines.join('')}    paper: { balances: { USDT: 100000 } }
strategies:
  maker:
    strategy: market-maker
    parameters: { symbol: BTC/USDT, quantity: '0.001', most: '0.004', edge: '0', skew: '0.5', refreshMs: 300 }
    budget: { USDT: 20000 }
control: { port: 0 }
`,
  );
  return folder;
}

describe('a bot on an exchange of ccxt', () => {
  test.each(['paper', 'live'])(
    'is checked by doctor, quotes and fills, %s, and ends without open orders',
    async (mode) => {
      const cwd = botIn(mode);
      const doctor = started(['doctor', 'bot.yaml'], { cwd, env: ENV });
      expect({ ...(await doctor.ended), err: doctor.err() }).toMatchObject({ code: 0, err: '' });
      expect(doctor.out()).toMatch(/ok +gateway \(main\): ccxt hitbtc makes a gateway/);
      expect(doctor.out()).toContain('symbols (maker): BTC/USDT: there.');
      const bot = started(['run', 'bot.yaml'], { cwd, env: ENV });
      try {
        await bot.says(' trades (');
        const [, url = ''] = /"control":"([^"]+)"/.exec(bot.out()) ?? [];
        const token = readFileSync(join(cwd, 'data', 'control.token'), 'utf8').trim();
        const client = new ControlClient({ url, token });
        const held = async (): Promise<number> => {
          const positions = await client.positions();
          return Number(positions.find((one) => one.symbol === 'BTC/USDT')?.quantity ?? 0);
        };
        await vi.waitUntil(async () => (await held()) > 0, PATIENCE);
        client.close();
        bot.child.kill('SIGINT');
        expect(await bot.ended).toEqual({ code: 0, signal: null });
      } finally {
        bot.child.kill('SIGKILL');
      }
      const journal = mode === 'live' ? 'data/main.sqlite' : 'data/main.paper.sqlite';
      const shown = await millraceHere(['journal', join(cwd, journal)]);
      expect(shown.out).toMatch(/maker +BTC\/USDT +buy .* filled/);
      expect(shown.out).not.toMatch(/order-lost|foreign|balance/);
      expect(bot.out()).not.toContain('demo-secret');
      if (mode === 'live') {
        const client = clientOf(simulation.venue.port);
        expect(await client.rest.getSpotOrders()).toEqual([]);
        await client.close();
      }
    },
    240_000,
  );

  test('is what docs/ccxt.md shows, on paper and live', async () => {
    const [paper = '', venue = '', perpetuals = ''] = blocks('docs/ccxt.md', 'yaml');
    const folder = temporaryFolder();
    const path = join(folder, 'binance.yaml');
    writeFileSync(path, paper);
    const { settings } = await readBotConfig(path, {});
    expect(settings).toMatchObject({
      mode: 'paper',
      accounts: [{ gateway: { path: 'ccxt binance' } }],
    });
    const live = paper
      .replace('mode: paper', 'mode: live')
      .replace(/ {4}venue:\n(?: {6}.*\n)+/, venue.replace(/^/gm, '    ').trimEnd().concat('\n'));
    writeFileSync(path, live);
    const keys = { BINANCE_KEY: 'key', BINANCE_SECRET: 'word' };
    const { settings: more, secrets } = await readBotConfig(path, keys);
    expect(more.accounts[0].gateway?.secrets).toEqual({ apiKey: 'key', secret: 'word' });
    expect(secrets).toEqual(['key', 'word']);
    const onMargin = paper
      .replace('mode: paper', 'mode: live')
      .replaceAll('BTC/USDT', 'BTC/USDT:USDT')
      .replace(
        / {4}venue:\n(?: {6}.*\n)+/,
        perpetuals.replace(/^/gm, '    ').trimEnd().concat('\n'),
      );
    writeFileSync(path, onMargin);
    const { settings: margin } = await readBotConfig(path, keys);
    expect(margin.accounts[0].gateway?.path).toBe('ccxt binance');
    writeFileSync(path, onMargin.replace('leverage: 5', 'leverage: 0.5'));
    await expect(readBotConfig(path, keys)).rejects.toMatchObject({
      message: expect.stringContaining('a number of 1 or more'),
    });
    // What it shows of paper runs on the local venue as it stands, by the class that speaks its protocol.
    writeFileSync(path, paper.replace('ccxt: binance', 'ccxt: hitbtc').replace(/config: .*/, `config: ${config()}`)); // prettier-ignore
    const doctor = await millraceHere(['doctor', path]);
    expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining('BTC/USDT: there.') });
  });

  test.each([
    [{ ccxt: 'hitbct' }, 'ccxt has no exchange "hitbct". Did you mean "hitbtc"?'],
    [{ config: '{ urls: 1 }' }, 'ccxt cannot load the markets of hitbtc'],
  ])('is refused where ccxt cannot make the exchange (%o)', async (more, sentence) => {
    const doctor = await millraceHere(['doctor', join(botIn('paper', more), 'bot.yaml')], {
      env: ENV,
    });
    expect(doctor.out).toContain(sentence);
    expect(doctor.code).not.toBe(0);
  });

  test.each([
    [{ sandbox: 'yes please' }, 'sandbox'],
    [{ clientOrderIds: 'uuid' }, 'clientOrderIds'],
    [{ pollEvery: '0s' }, 'pollEvery'],
    [{ module: 'x.ts' }, 'module: PATH, or ccxt: EXCHANGE'],
  ])('has a configuration that is refused with its line (%o)', async (more, field) => {
    const reading = readBotConfig(join(botIn('paper', more), 'bot.yaml'), ENV);
    await expect(reading).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(field) as string,
    });
  });
});

describe('millrace record', () => {
  test('records an exchange of ccxt as a sound feed', async () => {
    const folder = temporaryFolder();
    const ended = await millraceHere([
      ...['record', '--ccxt', 'hitbtc', '--ccxt-config', config(), '--symbols', 'BTC/USDT'],
      ...['--out', folder, '--duration', '4s', '--json'],
    ]);
    expect([ended.code, ended.err]).toEqual([0, '']);
    const { files } = lastJson(ended) as { files: string[] };
    expect(files.map((path) => path.replace(/^.*\/|-\d{8}T\d{6}Z/g, ''))).toEqual([
      'BTC-USDT.arrow',
    ]);
    const recording = openRecording(files[0]);
    const { summary, meta } = recording;
    expect(checkRecording(recording).faults).toBe(0);
    recording.close();
    expect(summary).toMatchObject({ resets: 1, gaps: 0 });
    expect(summary.levels).toBeGreaterThan(0);
    expect(summary.trades).toBeGreaterThan(0);
    expect(meta.instrument).toMatchObject({ symbol: 'BTC/USDT', tickSize: '0.01' });
  }, 60_000);

  test.each([
    [['--ccxt', 'hitbtc', '--raw'], '--raw'],
    [['--ccxt', 'hitbtc', '--url', 'http://127.0.0.1:1'], '--ccxt'],
    [['--ccxt-config', '{}'], '--ccxt-config'],
    [['--ccxt', 'hitbtc', '--ccxt-config', '[]'], '--ccxt-config'],
  ])('refuses what does not fit an exchange of ccxt (%j)', async (args, option) => {
    const out = temporaryFolder();
    const ended = await millraceHere(['record', ...args, '--symbols', 'BTC/USDT', '--out', out]);
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(`${option} takes`)]);
  });
});
