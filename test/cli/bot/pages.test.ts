import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ControlClient } from '../../../src/bot/control/client.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { startedHere } from '../command.ts';
import { lines } from '../pages.ts';
import { started } from '../process.ts';
import { PastingShell } from '../shell.ts';
import { openExample, urlOf } from '../venue/example.ts';

/** A bot that was started, as a process of its own or in this one. */
interface Running {
  readonly out: () => string;
  readonly err: () => string;
  says(text: string): Promise<void>;
  signal(name: 'SIGINT' | 'SIGKILL'): void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal?: string | null }>;
}

let work = '';
let venue: Simulation;
let shell: PastingShell;
let bot: Running | undefined;
const everything: string[] = [];

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'millrace-bot-pages-'));
  shell = new PastingShell(work);
  mkdirSync(join(work, 'config'));
  venue = await openExample();
  const config = readFileSync('config/bot.yaml', 'utf8')
    .replace('http://127.0.0.1:8330', urlOf(venue))
    .replace('port: 8340', 'port: 0')
    .replace('level: info', 'level: debug');
  writeFileSync(join(work, 'config', 'bot.yaml'), config);
});

afterAll(async () => {
  bot?.signal('SIGKILL');
  await venue.close();
  rmSync(work, { recursive: true, force: true });
});

/** As a process, to be killed. */
function process(): Running {
  const { child, ...running } = started(['run'], { cwd: work });
  return { ...running, signal: (name) => void child.kill(name) };
}

/** In this process, which is quicker. */
function here(): Running {
  const { signal, ...running } = startedHere(['run', join(work, 'config', 'bot.yaml')], shell.env);
  return { ...running, signal: (name) => signal(name === 'SIGKILL' ? 'SIGTERM' : name) };
}

/** Where the control API of the bot is. */
async function controlOf(running: Running): Promise<string> {
  await running.says(' trades (');
  const [, url = ''] = /"control":"([^"]+)"/.exec(running.out()) ?? [];
  return url;
}

/** Waits until a bot has traded. */
async function traded(running: Running): Promise<void> {
  const url = await controlOf(running);
  const token = readFileSync(join(work, 'runs', 'bot', 'control.token'), 'utf8').trim();
  const client = new ControlClient({ url, token });
  try {
    await vi.waitFor(async () => {
      const held = await client.positions();
      expect(held.filter(({ quantity }) => Number(quantity) > 0)).not.toEqual([]);
    }, PATIENCE);
  } finally {
    client.close();
  }
}

/** Ends the bot as Ctrl-C does and keeps what it logged. */
async function stop(): Promise<void> {
  if (bot === undefined) return;
  const { signal, ended, out, err } = bot;
  signal('SIGINT');
  const { code } = await ended;
  everything.push(out(), err());
  expect({ code, err: err() }).toEqual({ code: 0, err: '' });
  bot = undefined;
}

/** Runs one line of a page and gives what it wrote. */
async function pasted(line: string): Promise<string> {
  const { code, out, err } = await shell.paste(line);
  everything.push(out, err);
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
  return out;
}

describe('docs/running-a-bot.md', () => {
  test('leads from a configuration to a paper bot, over a kill and its journal, to a live bot', async () => {
    const shown = new Map<string, string[]>();
    let runs = 0;
    for (const line of lines('docs/running-a-bot.md')) {
      if (line.endsWith('millrace -- venue')) continue;
      if (line.endsWith('millrace -- run')) {
        bot = runs === 0 ? process() : here();
        await traded(bot);
        runs += 1;
        continue;
      }
      // Ctrl-C, as the page says, before the word is changed.
      if (line.startsWith('export ')) await stop();
      const out = await pasted(line);
      shown.set(line, [...(shown.get(line) ?? []), out]);
      if (!line.startsWith('kill -9')) continue;
      expect((await bot?.ended)?.signal).toBe('SIGKILL');
      everything.push(bot?.out() ?? '', bot?.err() ?? '');
    }
    expect(runs).toBe(3);
    expect(shell.env).toEqual({ VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' });
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
    const orders = await shell.paste(
      `curl -s -u demo:demo-secret ${urlOf(venue)}/api/3/spot/order`,
    );
    expect(orders.out).toBe('[]');
  });

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
  test('has commands that work when pasted', async () => {
    writeFileSync(
      join(work, 'config', 'bot.yaml'),
      readFileSync(join(work, 'config', 'bot.yaml'), 'utf8').replace('mode: live', 'mode: paper'),
    );
    bot = here();
    const control = await controlOf(bot);
    const answers: string[] = [];
    for (const line of lines('docs/operating-a-bot.md')) {
      answers.push(await pasted(line.replace('http://127.0.0.1:8340', control)));
    }
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
  });
});
