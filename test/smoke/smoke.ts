import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import type { Launch } from './process.ts';
import { ArchiveServer } from '../kit/archive-server.ts';
import { Trial } from './trial.ts';

/** The examples whose addresses and ports are replaced by those of this run. */
const CONFIG = new URL('../../config/', import.meta.url);
const EXAMPLE_VENUE = 'http://127.0.0.1:8330';
const EXAMPLE_CONTROL = 'port: 8340';

/** Secrets of the example venue and of the example keys, all of play money. */
const SECRETS = {
  VENUE_KEY: 'demo',
  VENUE_SECRET: 'demo-secret',
  KEYS_PASSPHRASE: 'demo',
  MILLRACE_PASSPHRASE: 'a passphrase of this run',
};

/** Commands that have commands of their own. */
const GROUPS = ['feed', 'keys'];

export interface SmokeSettings extends Pick<Launch, 'node' | 'entry'> {
  readonly say: (line: string) => void;
}

/**
 * Runs every command of `millrace` for real, in a folder of its own, and gives how many steps passed
 * and failed. A command that this knows nothing of is a failure too.
 */
export async function smoke({ node, entry, say }: SmokeSettings): Promise<{
  readonly passed: number;
  readonly failed: number;
}> {
  const cwd = mkdtempSync(join(tmpdir(), 'millrace-smoke-'));
  // What one command compiled the next need not compile again, which halves the time.
  const env = { ...process.env, ...SECRETS, NODE_COMPILE_CACHE: join(cwd, 'compiled') };
  const launch = { node, entry, cwd, env };
  const trial = new Trial({ launch, scheduler: new SystemScheduler(), say });
  try {
    await trial.run(['--version'], /^\d+\.\d+\.\d+\n$/);
    await trial.run(['strategies'], /^ema-cross /m);
    // Its client is gone from the start.
    await trial.run(['mcp'], /^$/);
    await project(trial, launch);
    await recordings(trial);
    await trial.run(['keys', 'create', 'keys.json', '--keys', 'hot:evm,api:service']);
    await trial.run(['keys', 'show', 'keys.json'], /hot[^]*api/);
    await worker(trial);
    await venue(trial);
    await everyCommand(trial);
  } finally {
    await trial.close();
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
  return { passed: trial.passed, failed: trial.failed };
}

/** A project of one's own, whose tests and backtest run as it was made. */
async function project(trial: Trial, { entry, env }: Launch): Promise<void> {
  await trial.run(['new', 'project', 'own'], /npm run backtest/);
  const cwd = join(trial.cwd, 'own');
  if (!existsSync(cwd)) return;
  // As after `npm install`.
  const packages = join(cwd, 'node_modules');
  mkdirSync(packages);
  symlinkSync(resolve(entry.at(-1) ?? '', '../..'), join(packages, 'millrace'), 'junction');
  for (const name of ['rxjs', 'zod', 'decimal.js']) {
    symlinkSync(join(packages, 'millrace', 'node_modules', name), join(packages, name), 'junction');
  }
  for (const part of ['strategy', 'indicator', 'importer']) {
    await trial.run(['new', part, `a-${part}`], /npm test/, { cwd });
  }
  const conditions = entry.filter((one) => one.startsWith('--')).join(' ');
  await trial.run(['--test', 'test/**/*.test.ts'], /^ℹ fail 0$/m, {
    ...{ name: 'node', entry: [], cwd },
    env: { ...env, NODE_OPTIONS: conditions },
  });
  await trial.run(['backtest'], /report\.html/, { cwd });
  await trial.run(['init', 'a-strategy', '--out', 'config/a-strategy.yaml'], /doctor/, { cwd });
  await trial.run(['run', '--check', 'config/a-strategy.yaml'], /is sound/, { cwd });
  await trial.run(['completion', 'bash', '--', 'backtest', '--strat'], /^--strategy\t/, { cwd });
}

async function recordings(trial: Trial): Promise<void> {
  const path = join('recordings', 'BTCUSDT.arrow');
  await trial.run(['feed', 'generate', '--duration', '20m', '--out', path]);
  await trial.run(['feed', 'inspect', path], /BTCUSDT/);
  await trial.run(['feed', 'check', path]);
  await trial.run(['feed', 'split', path, '--out', 'days'], /catalog\.json/);
  await trial.run(['feed', 'inspect', join('days', 'BTCUSDT')], /BTCUSDT/);
  cutOff(join(trial.cwd, path), join(trial.cwd, 'cut.arrow.part'));
  await trial.run(['feed', 'recover', 'cut.arrow.part'], /cut\.arrow/);
  const candles = ['timestamp,open,high,low,close,volume', '1700000040000,10,12,9,11,5'];
  writeFileSync(join(trial.cwd, 'candles.csv'), `${candles.join('\n')}\n`);
  await trial.run([
    ...['feed', 'import', 'ohlcv-csv', 'candles.csv', '--symbol', 'ETHUSDT'],
    ...['--period', 'M1', '--out', 'imported'],
  ]);
  await downloads(trial);
  const ran = await trial.run(
    [
      ...['backtest', '--strategy', 'market-maker', '--recording', path],
      ...['--warm-up', '1ms', '--out', 'runs', '--json'],
    ],
    /"hash":"[\da-f]{64}"/,
  );
  const [, hash = 'none'] = /"hash":"([\da-f]{12})/.exec(ran?.out ?? '') ?? [];
  await trial.run(['export', join('runs', `market-maker-${hash}`), '--as', 'parquet'], /fills/);
  await trial.run([
    ...['sweep', '--strategy', 'ema-cross', '--recording', path, '--vary', 'fast=2,3'],
    ...['--objective', 'profit', '--workers', '2', '--out', 'swept'],
  ]);
  await trial.run([
    ...['walk-forward', '--strategy', 'ema-cross', '--recording', path, '--vary', 'fast=2,3'],
    ...['--train', '30s', '--test', '20s', '--objective', 'profit', '--out', 'walked'],
  ]);
}

/** A sweep on a worker over NATS, where there is a server; the help of it where there is none. */
async function worker(trial: Trial): Promise<void> {
  const help = await trial.run(['worker', '--help'], /--accept-strategies/);
  if (help === undefined) return;
  const port = String(await freePort());
  const server = spawn('nats-server', ['-js', '-sd', join(trial.cwd, 'nats'), '-p', port], {
    stdio: 'ignore',
  });
  const isThere = await new Promise((resolve) => {
    server.once('spawn', () => resolve(true));
    server.once('error', () => resolve(false));
  });
  if (isThere !== true) return;
  const nats = ['--nats', `nats://127.0.0.1:${port}`];
  await trial.step('nats-server', async () => {
    const answers = async (): Promise<boolean> => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'data');
      socket.destroy();
      return true;
    };
    await trial.until('nats-server', answers, { child: server });
  });
  const open = await trial.start(['worker', ...nats], () => Promise.resolve());
  await trial.run([
    ...['sweep', '--strategy', 'ema-cross', '--recording', join('recordings', 'BTCUSDT.arrow')],
    ...['--vary', 'fast=4,5', '--objective', 'profit', ...nats, '--out', 'swept-by-worker'],
  ]);
  if (open !== undefined) await trial.stop('worker', open.running);
  server.kill('SIGKILL');
}

/** Leaves of a recording what a crash leaves. */
function cutOff(path: string, part: string): void {
  if (!existsSync(path)) return;
  writeFileSync(part, readFileSync(path).subarray(0, -64));
}

/** All that needs a venue: calls, the recorder, a bot and its operators, a portfolio. */
async function venue(trial: Trial): Promise<void> {
  const open = await trial.start(['venue', '--port', '0', '--json'], async ({ firstLine }) => {
    const line = await firstLine;
    // Where it fails, it says that as JSON too.
    const { port } = JSON.parse(line) as { readonly port?: number };
    if (port === undefined) throw new Error(line);
    return `http://127.0.0.1:${port}`;
  });
  if (open === undefined) return;
  const { running, reported: url } = open;
  const symbols = ['BTCUSDT', 'BTCUSDC', 'SOLUSDC'];
  await trial.step('GET /api/3/public/ticker', async () =>
    // Prices come with the first trades of the market, which has just opened.
    trial.until(
      'prices',
      async () => {
        const answer = await fetch(`${url}/api/3/public/ticker?symbols=${symbols.join()}`);
        const tickers = (await answer.json()) as Record<string, { readonly last: string | null }>;
        return symbols.every((symbol) => typeof tickers[symbol]?.last === 'string');
      },
      running,
    ),
  );
  await trial.run([
    ...['record', '--url', url, '--symbols', 'BTCUSDT', '--out', 'recorded'],
    ...['--duration', '1s'],
  ]);
  await trial.run(['feed', 'publish', '--help'], /--venue/);
  await trial.run(['feed', 'download', 'ccxt', '--help'], /--period/);
  await bot(trial, url);
  example('rebalancing.yaml', trial, [[EXAMPLE_VENUE, url]]);
  copyFileSync(new URL('demo-keys.json', CONFIG), join(trial.cwd, 'config', 'demo-keys.json'));
  await trial.run(['rebalance', '--plan'], /USDC@ethereum/);
  await trial.stop('venue', running);
}

async function bot(trial: Trial, url: string): Promise<void> {
  const port = await freePort();
  example('bot.yaml', trial, [
    [EXAMPLE_VENUE, url],
    [EXAMPLE_CONTROL, `port: ${port}`],
  ]);
  await trial.run(['doctor']);
  const open = await trial.start(['run'], async (running) => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await trial.until('the bot', isReady, running);
  });
  if (open === undefined) return;
  await trial.step('GET /metrics', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    const text = await answer.text();
    if (!/^millrace_\S+ \d/m.test(text)) throw new Error(`it has no metrics: ${text}`);
  });
  await trial.run(['status'], /maker[^]*leaner/);
  for (const command of ['orders', 'positions', 'balances']) await trial.run([command]);
  for (const command of ['pause', 'resume', 'reduce', 'reload']) await trial.run([command]);
  await trial.run(['halt', 'maker'], /maker +halted/);
  await trial.run(['reset-loss', '--yes']);
  await trial.run(['flatten', '--yes']);
  await trial.run(['kill', '--yes'], / is killed /);
  await trial.stop('run', open.running);
  await trial.run(['journal', join('runs', 'bot', 'local.paper.sqlite')], /killed/);
}

/** Holds what ran against what the help of `millrace` lists. */
async function everyCommand(trial: Trial): Promise<void> {
  const known: string[] = [];
  for (const group of ['', ...GROUPS]) {
    const help = await trial.run(
      [...(group === '' ? [] : [group]), '--help'],
      /^\S.*:\n {2}[a-z]/m,
    );
    const names = commandsOf(help?.out ?? '').filter((name) => !GROUPS.includes(name));
    known.push(...names.map((name) => `${group} ${name}`.trim()));
  }
  const ran = new Set(trial.ran.flatMap(([one = '', two = '']) => [one, `${one} ${two}`]));
  await trial.step('every command was run', async () => {
    const left = known.filter((name) => !ran.has(name));
    if (left.length > 0) throw new Error(`not run: ${left.join(', ')}`);
    return Promise.resolve();
  });
}

/** The names that a help lists in its groups of commands, but for help itself. */
export const commandsOf = (help: string): readonly string[] =>
  help
    .split('\n\n')
    .filter((group) => !/^(Usage|Arguments|Options|Examples):/.test(group.trimStart()))
    .flatMap((group) => group.split('\n'))
    .flatMap((line) => /^ {2}([a-z-]+)(?: |$)/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'help');

/** Puts an example configuration where commands look for it, with other addresses. */
function example(name: string, { cwd }: Trial, changes: readonly (readonly [string, string])[]) {
  let text = readFileSync(new URL(name, CONFIG), 'utf8');
  for (const [from, to] of changes) text = text.replaceAll(from, to);
  mkdirSync(join(cwd, 'config'), { recursive: true });
  writeFileSync(join(cwd, 'config', name), text);
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

/** A download from a server of this machine, and its import. */
async function downloads(trial: Trial): Promise<void> {
  const server = new ArchiveServer();
  const url = await server.start();
  const name = 'data/spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-2024-01-01.zip';
  server.put(name, '1704067200000,10,12,9,11,5,1704070799999,50,3,1,10,0\n');
  await trial.run(
    [
      ...['feed', 'download', 'binance', '--symbol', 'BTCUSDT', '--interval', '1h'],
      ...['--from', '2024-01-01', '--till', '2024-01-02', '--base-url', url],
      ...['--import', '--out', 'imported'],
    ],
    /candles +1$/m,
  );
  await server.stop();
}
