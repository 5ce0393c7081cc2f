import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BotMetrics } from '../../../src/bot/control/metrics/metrics.ts';
import { ControlServer } from '../../../src/bot/control/server.ts';
import { openLog } from '../../../src/bot/logs/log.ts';
import { confirm } from '../../../src/cli/bot/question.ts';
import { spanText } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { MARGIN_ACCOUNTS, MARGIN_POSITIONS } from '../../bot/control/margin-lines.ts';
import { BEGAN, SmallBot } from '../../bot/control/small-bot.ts';
import { lastJson, millraceHere } from '../command.ts';

let folder = '';
let config = '';
let server: ControlServer;
const bot = new SmallBot();

const nowhere = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-operate-'));
  config = join(folder, 'bot.yaml');
  const scheduler = new VirtualScheduler(BEGAN);
  const log = openLog({
    bot: 'b',
    scheduler,
    secrets: [],
    level: 'info',
    out: nowhere(),
  });
  server = await ControlServer.open({
    name: 'small',
    pid: 4711,
    settings: { host: '127.0.0.1', port: 0, hosts: [], data: join(folder, 'data') },
    metrics: new BotMetrics({ bot: 'small', mode: 'paper', version: '1' }),
    log,
  });
  server.attach(bot);
  writeFileSync(
    config,
    'mode: paper\naccounts: { main: { url: "http://127.0.0.1:1" } }\nstrategies: { one: { strategy: not-even-there } }\ncontrol: { port: 0 }\n',
  );
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const reported = (...args: readonly string[]) => millraceHere([...args, '--config', config]);

test('commands find a bot by its configuration, whose strategies they do not load', async () => {
  const { code, out } = await reported('status');
  expect(code).toBe(0);
  expect(out).toContain(
    'small (paper) is running, ready; process 4711, since 2026-11-21 10:00:00Z (1h)',
  );
  expect(out).toMatch(/^one +running +running +2 +0 +-12\.5 USDT$/m);
  expect(out).toMatch(/^main +running +live +1h ago +2$/m);
  expect(out).toMatch(/^ETHUSDT +main +lost +never$/m);
});

test('lists are those of all strategies or of one, as tables or as JSON', async () => {
  expect((await reported('orders', 'two')).out).toMatch(
    /^two-0000003 +two +main +BTCUSDT +buy +limit +new +0\.50000 +0\.10000 +62000\.01 +1h ago$/m,
  );
  expect((await reported('orders', 'two')).out).not.toContain('one-');
  expect(lastJson(await reported('orders', '--json'))).toHaveLength(3);
  expect((await reported('positions')).out).toMatch(/^one +BTCUSDT +0\.3 +61000\.5 +18600\.003$/m);
  expect((await reported('balances')).out).toMatch(
    /^main +USDT +99000\.000000000000000001 +1000$/m,
  );
  expect(await reported('positions', 'three')).toMatchObject({
    code: 2,
    err: 'error [usage] This bot has no strategy "three"; it has one, two.\n',
  });
});

test('balances of wallet and derivatives stand beneath those on spot, with why others are not known', async () => {
  const derivatives = { accountType: 'derivatives', currency: 'USDT', available: '7', reserved: '0' } as const; // prettier-ignore
  bot.others = [{ account: 'main', ...derivatives, reservedMargin: '400.5' }];
  bot.unknown = [{ account: 'main', accountType: 'wallet', why: 'The key may not.' }];
  const { out } = await reported('balances');
  expect(out).toMatch(/^account +account type +currency +available +reserved +on margin$/m);
  expect(out).toMatch(/^main +derivatives +USDT +7 +0 +400\.5$/m);
  expect(out).toMatch(/^main, wallet: The key may not\.$/m);
  expect(lastJson(await reported('balances', '--json'))).toMatchObject([
    { accountType: 'spot' },
    derivatives,
    { accountType: 'wallet', why: 'The key may not.' },
  ]);
  bot.others = [];
  bot.unknown = [];
});

test('margin accounts and positions stand beneath what is on spot, whosever they are', async () => {
  bot.margin = MARGIN_ACCOUNTS;
  bot.marginPositions = MARGIN_POSITIONS;
  const positions = await reported('positions');
  expect(positions.out).toMatch(/^one +BTCUSDT +0\.3 +61000\.5 +18600\.003$/m);
  expect(positions.out).toMatch(
    /^one +main +BTCUSDT +isolated +-3 +100 +110 +-30 +2 +-0\.25 +5 +115 +120 +9\.1 %$/m,
  );
  expect(positions.out).toMatch(/^\(foreign\) +main +BTCUSDT_PERP +cross +2 +100 +0 +0$/m);
  const own = await reported('positions', 'one');
  expect(own.out).toMatch(/^one +main +BTCUSDT /m);
  expect(own.out).not.toContain('foreign');
  const [line, foreign] = [
    /^main +isolated +BTCUSDT +USDT +one +normal +500 +90\.39 +409\.61 +470 +5 +0\.7021 +1$/m,
    /^main +cross futures +USDT +\(foreign\) +margin call +20 +12 +8 +1$/m,
  ];
  for (const { out } of [await reported('balances'), await reported('status')]) {
    expect(out).toMatch(line);
    expect(out).toMatch(foreign);
  }
  expect(lastJson(await reported('positions', '--json'))).toHaveLength(4);
  // What a strategy left that is not configured any more has its name still.
  const [first] = MARGIN_POSITIONS;
  bot.marginPositions = first === undefined ? [] : [{ ...first, strategy: 'gone', isOrphan: true }];
  expect((await reported('positions', 'gone')).out).toMatch(/^gone .*main +BTCUSDT /m);
  bot.margin = [];
  bot.marginPositions = [];
});

test('a command is done, and the new state is shown', async () => {
  const { out } = await reported('pause', 'two');
  expect(out).toMatch(/^Done: pause two\.\n/);
  expect(out).toMatch(/^two +halted /m);
  expect(lastJson(await reported('resume', '--json'))).toMatchObject({ name: 'small' });
  expect((await reported('reload')).out).toBe('Reloaded: strategies.one.risk.\n');
  bot.changed = { taken: [], needsRestart: ['mode'] };
  expect((await reported('reload')).out).toBe('No setting changed.\nNeeds a restart: mode.\n');
  expect((await reported('kill', 'two', '--yes')).out).toMatch(/^two +killed /m);
  expect((await reported('flatten', 'one', '--yes')).code).toBe(0);
  expect((await reported('orders')).out).toBe('No order is open.\n');
  expect(bot.reported.map(([operation]) => operation)).toEqual([
    'pause',
    'resume',
    'reload',
    'reload',
    'kill',
    'flatten',
  ]);
});

test('a bot is found by address and token file too, and one that is not there is reported', async () => {
  const file = join(folder, 'data', 'control.token');
  expect((await millraceHere(['status', '--url', server.url, '--token-file', file])).code).toBe(0);
  const gone = await millraceHere(['status', '--url', 'http://127.0.0.1:1', '--token-file', file]);
  expect(gone).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^error \[bot-unreachable\] No bot answers at http:\/\/127\.0\.0\.1:1 /,
    ),
  });
  writeFileSync(join(folder, 'wrong'), 'wrong');
  const wrong = await millraceHere([
    'status',
    '--url',
    server.url,
    '--token-file',
    join(folder, 'wrong'),
  ]);
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error \[control-refused\]/),
  });
  expect((await millraceHere(['status', '--config', join(folder, 'none.yaml')])).code).toBe(2);
});

test('a person is asked on a terminal, and nothing but yes is yes', async () => {
  const asked = async (answer: string): Promise<boolean> => {
    const keyboard = Object.assign(new PassThrough(), { isTTY: true });
    const err = Object.assign(nowhere(), { isTTY: true });
    const asking = confirm('Do it?', { out: nowhere(), err }, keyboard);
    keyboard.end(`${answer}\n`);
    return asking.then(
      () => true,
      () => false,
    );
  };
  expect(await Promise.all(['yes', 'Y', 'no', '', 'yesterday'].map(asked))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each(['kill', 'flatten'])('%s does nothing where nobody can be asked', async (command) => {
  const before = bot.reported.length;
  expect(await reported(command)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^error \[usage\] Nothing was done: .* Add --yes\./),
  });
  expect(bot.reported).toHaveLength(before);
});

test('durations are shown by their two largest units', () => {
  const spans = [0, 3, 65, 3_600, 4_320, 90_000, 86_400 * 3 + 5];
  expect(spans.map((seconds) => spanText(seconds * 1_000_000))).toEqual([
    '0s',
    '3s',
    '1m 5s',
    '1h',
    '1h 12m',
    '1d 1h',
    '3d',
  ]);
});

test('a flattening shows what is open on margin behind it', async () => {
  bot.marginPositions = MARGIN_POSITIONS.slice(1);
  expect((await reported('flatten', '--yes')).out).toMatch(
    /^Still open on margin, as no strategy of the bot opened it or it was opened since:\n(.*\n)+\(foreign\) +main +BTCUSDT_PERP /m,
  );
  expect((await reported('flatten', 'one', '--yes')).out).not.toContain('Still open');
  bot.marginPositions = [];
});
