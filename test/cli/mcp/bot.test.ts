import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { BotMetrics } from '../../../src/bot/control/metrics/metrics.ts';
import { ControlServer } from '../../../src/bot/control/server.ts';
import { openLog } from '../../../src/bot/logs/log.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BEGAN, SmallBot } from '../../bot/control/small-bot.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { connected } from './client.ts';

/** A bot that listens, and the folder with its configuration. */
async function listeningBot(): Promise<{
  readonly folder: string;
  readonly bot: SmallBot;
  readonly token: string;
}> {
  const folder = temporaryFolder();
  const bot = new SmallBot();
  const out = new PassThrough().resume();
  const log = openLog({
    ...{ bot: 'small', scheduler: new VirtualScheduler(BEGAN), secrets: [], level: 'info', out },
  });
  const server = await ControlServer.open({
    name: 'small',
    pid: 4711,
    settings: { host: '127.0.0.1', port: 0, hosts: [], data: join(folder, 'data') },
    metrics: new BotMetrics({ bot: 'small', mode: 'paper', version: '1' }),
    log,
  });
  onTestFinished(() => server.close());
  server.attach(bot);
  writeFileSync(
    join(folder, 'bot.yaml'),
    'mode: paper\naccounts: { main: { url: "http://127.0.0.1:1" } }\nstrategies: { one: { strategy: none } }\ncontrol: { port: 0 }\n',
  );
  return { folder, bot, token: server.token };
}

test('a bot can be read, and not acted on, where no scope was given', async () => {
  const { folder, token } = await listeningBot();
  const { client, call } = await connected(folder, ['--bot', 'bot.yaml']);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('bot_status');
  expect(tools.map(({ name }) => name)).not.toContain('bot_operate');
  const read = await Promise.all(
    ['status', 'orders', 'positions', 'balances'].map((what) => call('bot_status', { what })),
  );
  expect(read.map(({ isError }) => isError)).toEqual([false, false, false, false]);
  expect(read[0]?.data).toMatchObject({ mode: 'paper' });
  expect(JSON.stringify(read)).not.toContain(token);
  await expect(
    client.callTool({ name: 'bot_operate', arguments: { operation: 'halt' } }),
  ).rejects.toThrow('bot_operate');
});

test('with the scope of its mode a bot is halted, and never resumed', async () => {
  const { folder, bot } = await listeningBot();
  const { client, call } = await connected(folder, ['--bot', 'bot.yaml', '--allow', 'paper']);
  expect(await call('bot_operate', { operation: 'halt' })).toMatchObject({ isError: false });
  expect(bot.status().strategies.map(({ state }) => state)).not.toContain('running');
  for (const operation of ['resume', 'reset-loss', 'reload']) {
    const answer = await client.callTool({ name: 'bot_operate', arguments: { operation } });
    expect(answer.isError, operation).toBe(true);
  }
  expect(bot.status().strategies.map(({ state }) => state)).not.toContain('running');
});

test('the bot itself refuses a scope of the other mode', async () => {
  const { folder, bot } = await listeningBot();
  const { call } = await connected(folder, ['--bot', 'bot.yaml', '--allow', 'live']);
  const before = JSON.stringify(bot.status());
  expect(await call('bot_operate', { operation: 'flatten' })).toMatchObject({
    isError: true,
    data: { error: { code: 'control-refused' } },
  });
  expect(JSON.stringify(bot.status())).toBe(before);
});

test('a bot that does not run is an error with its code', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'bot.yaml'),
    'mode: paper\naccounts: { main: { url: "http://127.0.0.1:1" } }\nstrategies: { one: { strategy: none } }\ncontrol: { port: 0 }\n',
  );
  const { call } = await connected(folder, ['--bot', 'bot.yaml']);
  expect(await call('bot_status')).toMatchObject({
    isError: true,
    data: { error: { code: 'bot-unreachable' } },
  });
});
