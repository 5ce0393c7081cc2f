import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlClient } from '../../../src/bot/control/client.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import { addressesOf, startVenue, type VenueProcess } from '../venue/venue-process.ts';
import { inShell, started, type Running } from './process.ts';

/** The lines that a page tells to paste into a shell, in order. */
const lines = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );

const CREDENTIALS = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };

let work = '';
let venue: VenueProcess;
let control = 0;
const everything: string[] = [];

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => {
        resolve(port);
      });
    });
  });

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-bot-pages-'));
  mkdirSync(join(work, 'config'));
  venue = startVenue(['--port', '0', '--json']);
  await venue.started;
  control = await freePort();
  const config = readFileSync('config/bot.yaml', 'utf8')
    .replace('http://127.0.0.1:8330', `http://127.0.0.1:${addressesOf(venue).port}`)
    .replace('port: 8340', `port: ${control}`)
    .replace('level: info', 'level: debug');
  writeFileSync(join(work, 'config', 'bot.yaml'), config);
}, 60_000);

afterAll(async () => {
  bot?.child.kill('SIGKILL');
  venue.child.kill('SIGTERM');
  await venue.ended;
  rmSync(work, { recursive: true, force: true });
});

let bot: Running | undefined;
let isLive = false;

const passed = (us: number): Promise<void> => {
  const scheduler = new SystemScheduler();
  return new Promise((resolve) => {
    scheduler.at(micros(scheduler.now() + us), resolve);
  });
};

/** Starts the bot and waits until it has traded. */
async function run(): Promise<void> {
  bot = started(['run'], { cwd: work, env: isLive ? CREDENTIALS : {} });
  await bot.says(' trades (');
  const scheduler = new SystemScheduler();
  const until = scheduler.now() + 20_000_000;
  const token = readFileSync(join(work, 'runs', 'bot', 'control.token'), 'utf8').trim();
  const client = new ControlClient({ url: `http://127.0.0.1:${control}`, token });
  try {
    while (scheduler.now() < until) {
      const held = await client.positions();
      if (held.some(({ quantity }) => Number(quantity) > 0)) return;
      await passed(100_000);
    }
  } finally {
    client.close();
  }
  throw new Error(`the bot did not trade: ${bot.out()}`);
}

/** Ends the bot as Ctrl-C does and keeps what it logged. */
async function stop(): Promise<void> {
  if (bot === undefined) return;
  bot.child.kill('SIGINT');
  const { code } = await bot.ended;
  everything.push(bot.out(), bot.err());
  expect({ code, err: bot.err() }).toEqual({ code: 0, err: '' });
}

/** Runs one line of a page and gives what it wrote. */
function pasted(line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', inShell(line)], {
    cwd: work,
    encoding: 'utf8',
    env: { ...process.env, ...(isLive ? CREDENTIALS : {}) },
  });
  everything.push(stdout, stderr);
  expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
  return stdout;
}

describe('docs/running-a-bot.md', () => {
  test('leads from a configuration to a paper bot, over a kill and its journal, to a live bot', async () => {
    const shown = new Map<string, string[]>();
    let runs = 0;
    for (const line of lines('docs/running-a-bot.md')) {
      if (line.endsWith('millrace -- venue')) continue;
      if (line.endsWith('millrace -- run')) {
        if (isLive) await stop();
        await run();
        runs += 1;
      } else if (line.startsWith('export ')) {
        expect(line).toBe('export VENUE_KEY=demo VENUE_SECRET=demo-secret');
        isLive = true;
        // Ctrl-C, as the page says, before the word is changed.
        await stop();
        bot = undefined;
      } else {
        const out = pasted(line);
        shown.set(line, [...(shown.get(line) ?? []), out]);
        if (!line.startsWith('kill -9')) continue;
        expect((await bot?.ended)?.signal).toBe('SIGKILL');
        everything.push(bot?.out() ?? '', bot?.err() ?? '');
      }
    }
    expect(runs).toBe(3);
    const [first, second, third] = shown.get('npm run -s millrace -- status') ?? [];
    expect(first).toMatch(/^example \(paper\) is running, ready; /);
    expect(second).toMatch(/\nleaner +halted /);
    expect(third).toMatch(/^example \(live\) is running, ready; /);
    const [before, after] = shown.get('npm run -s millrace -- positions') ?? [];
    expect(before).toMatch(/maker +BTCUSDT/);
    expect(after).toMatch(/maker +BTCUSDT/);
    const [journal] = shown.get('npm run -s millrace -- journal runs/bot/local.paper.sqlite') ?? [];
    expect(journal).toMatch(/maker-/);
    expect(shown.get('npm run -s millrace -- flatten --yes')?.at(0)).toMatch(
      /^Done: flatten all\./,
    );
    await stop();
    bot = undefined;
    const orders = spawnSync(
      'curl',
      [
        '-s',
        '-u',
        'demo:demo-secret',
        `http://127.0.0.1:${addressesOf(venue).port}/api/3/spot/order`,
      ],
      { encoding: 'utf8' },
    );
    expect(orders.stdout).toBe('[]');
  }, 180_000);

  test('leaves no secret, token, signature or Authorization header in anything that was written', () => {
    const token = readFileSync(join(work, 'runs', 'bot', 'control.token'), 'utf8').trim();
    const written = everything.join('\n');
    expect(written.length).toBeGreaterThan(10_000);
    expect(written).not.toContain('demo-secret');
    expect(written).not.toContain(token);
    expect(written).not.toContain(Buffer.from('demo:demo-secret').toString('base64'));
    expect(written).not.toMatch(/authorization|signature|HS256/i);
    // A SHA-256 in hex is what signatures look like.
    expect(written).not.toMatch(/[0-9a-f]{64}/);
  });
});

describe('docs/operating-a-bot.md', () => {
  test('tells commands that work when pasted', async () => {
    writeFileSync(
      join(work, 'config', 'bot.yaml'),
      readFileSync(join(work, 'config', 'bot.yaml'), 'utf8').replace('mode: live', 'mode: paper'),
    );
    isLive = false;
    bot = started(['run'], { cwd: work });
    await bot.says(' trades (');
    const told = lines('docs/operating-a-bot.md');
    const answers = told.map((line) =>
      pasted(line.replace('127.0.0.1:8340', `127.0.0.1:${control}`)),
    );
    expect(answers[0]).toContain('is sound: example, paper');
    expect(answers[1]).toBe('{"ready":true}');
    expect(JSON.parse(answers[2])).toMatchObject({ name: 'example', mode: 'paper' });
    const states = (answer: string): readonly string[] =>
      (JSON.parse(answer) as { strategies: { state: string }[] }).strategies.map(
        ({ state }) => state,
      );
    expect(states(answers[3])[0]).toBe('halted');
    expect(states(answers[4])[0]).toBe('running');
    await stop();
    bot = undefined;
  }, 60_000);
});
