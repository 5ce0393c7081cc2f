import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { linkPackages } from '../kit/project.ts';
import { suiteFolder } from '../kit/recordings.ts';
import { blocksIn, linesOf } from './pages.ts';

const PAGE = 'docs/a-project-of-your-own.md';
const TEXT = readFileSync(PAGE, 'utf8');

/** The lines of the page that have a heading above them. */
function section(heading: string): readonly string[] {
  const part = TEXT.split('\n## ').find((one) => one.startsWith(heading)) ?? '';
  return blocksIn(part, 'sh').flatMap(linesOf);
}

const work = suiteFolder();
const project = join(work, 'my-bot');
let env: NodeJS.ProcessEnv = {};

interface Shell {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly ended: Promise<number | null>;
}

/** A line in a shell of the project, as it is pasted; it gets a group of its own, to end all that it started. */
function pasted(line: string, cwd = project): Shell {
  const child = spawn('bash', ['-c', line], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  return { child, out: () => out, ended };
}

async function paste(line: string, cwd?: string): Promise<string> {
  const { out, ended } = pasted(line, cwd);
  const code = await ended;
  expect({ line, code, out: code === 0 ? '' : out() }).toEqual({ line, code: 0, out: '' });
  return out();
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

beforeAll(() => {
  linkPackages(work);
  // As npm installs what a package is created by, and its commands.
  cpSync('create-millrace', join(work, 'node_modules/create-millrace'), { recursive: true });
  mkdirSync(join(work, 'node_modules/.bin'));
  symlinkSync(resolve('bin/millrace.js'), join(work, 'node_modules/.bin/millrace'));
  env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    NODE_OPTIONS: '--conditions=millrace-source',
    npm_config_update_notifier: 'false',
  };
});

describe(PAGE, () => {
  test('creates a project by npm create', async () => {
    const [create = '', enter, install, ...more] = linesOf(blocksIn(TEXT, 'sh')[0] ?? '');
    expect([enter, install, ...more]).toEqual(['cd my-bot', 'npm install']);
    // From the registry it would be the published one.
    const out = await paste(
      create.replace(
        /^npm create millrace/,
        'node node_modules/create-millrace/bin/create-millrace.js',
      ),
      work,
    );
    expect(out).toContain('created my-bot/strategies/trend.ts');
    const listed = [...TEXT.matchAll(/^- `(\S+)`: /gm)].map(([, path = '']) => path);
    expect(listed).toContain('strategies/trend.ts');
    expect(listed.filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });

  test('tests and backtests it', async () => {
    const lines = section('Test and backtest');
    expect(lines).toEqual(['npm test', 'npm run backtest', 'npm run types', 'npm run watch']);
    expect(await paste('npm test')).toMatch(/^# pass 3$|^ℹ pass 3$/m);
    expect(await paste('npm run backtest')).toContain('report.html');
    expect(readFileSync(join(project, 'strategies/trend.ts'), 'utf8')).toContain(
      "above('fast', 'slow')",
    );
  });

  test('adds a strategy, an indicator and an importer', async () => {
    for (const line of section('Your own strategy'))
      await paste(line.replace(/^npx /, 'npx --no '));
    expect(existsSync(join(project, 'recordings/ETHUSDT.arrow'))).toBe(true);
  });

  test('runs a paper bot on the local venue', async () => {
    const [venue = '', doctor = '', start = '', ...looks] = section('A paper bot');
    const market = pasted(`${venue} -- --port 0 --json`);
    await expect.poll(market.out, { timeout: 60_000 }).toContain('"port"');
    const port = /"port":(\d+)/.exec(market.out())?.[1] ?? '';
    const path = join(project, 'config/bot.yaml');
    const text = readFileSync(path, 'utf8');
    const here = text
      .replace('http://127.0.0.1:8330', `http://127.0.0.1:${port}`)
      .replace('port: 8340', `port: ${await freePort()}`);
    expect(here).not.toBe(text);
    writeFileSync(path, here);
    await paste(doctor);
    const bot = pasted(start);
    await expect.poll(bot.out, { timeout: 60_000 }).toMatch(/trades|is ready|running/i);
    for (const line of looks) await paste(line.replace(/^npx /, 'npx --no '));
    if (bot.child.pid !== undefined) process.kill(-bot.child.pid, 'SIGINT');
    await bot.ended;
    expect(bot.out()).toContain('The bot has ended.');
  });

  test('says how a project is created before anything is published', () => {
    const [lines = ''] = blocksIn(TEXT, 'bash');
    expect(linesOf(lines)[1]).toBe(
      'node millrace/bin/millrace.js new project my-bot --millrace millrace/millrace-*.tgz',
    );
  });

  test('has fewer than 700 words', () => {
    expect(TEXT.split(/\s+/).length).toBeLessThan(700);
  });
});
