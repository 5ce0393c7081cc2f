import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readBotConfig } from '../../../src/cli/bot-config.ts';
import {
  discordDouble,
  hookDouble,
  SECRETS,
  slackDouble,
  telegramDouble,
  type ServiceDouble,
} from '../../bot/notifications/servers.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { project } from '../../kit/project.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { millraceHere, startedHere, type Ended } from '../command.ts';
import { blocks, lines } from '../pages.ts';
import { started } from '../process.ts';
import { PastingShell } from '../shell.ts';

/** A paper bot that trades the recording that comes along, much faster than it was recorded. */
const BOT = `name: watched
mode: paper
data: data
accounts:
  main:
    url: http://127.0.0.1:1
    market: { recordings: [${resolve('config/sample/BTCUSDT.arrow')}], speed: 60 }
    paper: { balances: { USDT: 100000 } }
strategies:
  maker:
    strategy: market-maker
    parameters: { symbol: BTCUSDT, quantity: '0.01', most: '0.04', edge: '0.05', refreshMs: 500 }
    risk: { priceCollar: none, staleAfter: none }
control: { port: 0 }
log: { file: data/bot.log, level: debug }
`;

const TARGETS = (telegram: string) => `notifications:
  targets:
    phone: { telegram: { token: { env: T_TOKEN }, chat: { env: T_CHAT }, url: ${telegram} } }
    team: { slack: { url: { env: S_URL } } }
    fans: { discord: { url: { file: discord-url } }, events: [fill, bot] }
    own: { webhook: { url: { env: H_URL }, headers: { Authorization: { env: H_AUTH } } } }
`;

interface Doubles {
  readonly phone: ServiceDouble;
  readonly team: ServiceDouble;
  readonly fans: ServiceDouble;
  readonly own: ServiceDouble;
}

interface Place {
  readonly folder: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly doubles: Doubles;
}

let place: Place;

beforeEach(async () => {
  const folder = temporaryFolder();
  const config = join(folder, 'bot.yaml');
  const [phone, team, fans, own] = await Promise.all([
    telegramDouble(),
    slackDouble(),
    discordDouble(),
    hookDouble(),
  ]);
  mkdirSync(join(folder, 'data'));
  writeFileSync(config, BOT + TARGETS(phone.url));
  writeFileSync(join(folder, 'discord-url'), `${fans.url}${SECRETS.discord}\n`, { mode: 0o600 });
  const env = {
    T_TOKEN: SECRETS.token,
    T_CHAT: SECRETS.chat,
    S_URL: team.url + SECRETS.slack,
    H_URL: own.url + SECRETS.hook,
    H_AUTH: SECRETS.header,
  };
  place = { folder, config, env, doubles: { phone, team, fans, own } };
});

const doctor = (...flags: readonly string[]): Promise<Ended> =>
  millraceHere(['doctor', place.config, ...flags], { env: place.env });

const ofTargets = ({ out }: Ended): readonly string[] =>
  out.split('\n').filter((line) => line.includes('notifications ('));

/** No text holds a secret, whole or in part. */
function expectNoSecret(text: string): void {
  for (const secret of Object.values(SECRETS)) {
    for (const part of [secret, ...secret.split('/').filter(({ length }) => length > 8)]) {
      expect(text.includes(part)).toBe(false);
    }
  }
}

/** All that a bot left in its folder, but for the file that has a secret. */
function written(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('discord-url'))
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

const until = (condition: () => void): Promise<void> => vi.waitFor(condition, PATIENCE);

describe('doctor', () => {
  test('looks at each target and sends nothing', async () => {
    const ended = await doctor();
    expect(ofTargets(ended)).toEqual([
      'ok    notifications (phone): It takes messages (telegram).',
      'ok    notifications (team): It takes messages (slack).',
      'ok    notifications (fans): It takes messages (discord).',
      'ok    notifications (own): It takes messages (webhook).',
    ]);
    for (const { texts, received } of Object.values<ServiceDouble>({ ...place.doubles })) {
      expect([texts, received.length]).toEqual([[], 1]);
    }
  });

  test('sends a test message to each with --notify', async () => {
    const ended = await doctor('--notify');
    expect(ofTargets(ended)).toHaveLength(4);
    for (const [name, { texts }] of Object.entries<ServiceDouble>({ ...place.doubles })) {
      expect(texts).toEqual([
        `watched (paper): This is a test: notifications arrive here (target ${name}).`,
      ]);
    }
  });

  test('says what is wrong with each, without its secrets', async () => {
    const { phone, team, fans, own } = place.doubles;
    place = {
      ...place,
      env: {
        ...place.env,
        T_CHAT: '-999999999',
        S_URL: `${team.url}/services/T0/B0/gone-webhook-secret`,
        H_AUTH: 'Bearer another-header-secret',
      },
    };
    await fans.close();
    const ended = await doctor('--json');
    const found = ended.out
      .split('\n')
      .filter((line) => line.includes('"notifications"'))
      .map((line) => JSON.parse(line) as { about: string; verdict: string; message: string });
    expect(found.map(({ about, verdict, message }) => [about, verdict, message])).toEqual([
      [
        'phone',
        'fail',
        'It takes no messages (telegram): it answers 400, Bad Request: chat not found',
      ],
      ['team', 'fail', 'It takes no messages (slack): it answers 404, no_service'],
      ['fans', 'fail', expect.stringMatching(/^It takes no messages \(discord\): it cannot be reached: connect ECONNREFUSED/)], // prettier-ignore
      ['own', 'fail', 'It takes no messages (webhook): it answers 401'],
    ]);
    expect(ended.code).toBe(1);
    expectNoSecret(ended.out + ended.err);
    expect(ended.out).not.toMatch(/gone-webhook-secret|another-header-secret|-999999999/);
    expect([phone.texts, own.texts]).toEqual([[], []]);
  });
});

test('docs/notifications.md configures targets, and its lines can be pasted', async () => {
  const { folder, doubles } = place;
  const [yaml = ''] = blocks('docs/notifications.md', 'yaml');
  mkdirSync(join(folder, 'config'));
  const ofTest = yaml.replace('{ env: TELEGRAM_CHAT } }', `{ env: TELEGRAM_CHAT }, url: ${doubles.phone.url} }`); // prettier-ignore
  writeFileSync(join(folder, 'config', 'bot.yaml'), BOT + ofTest);
  writeFileSync(join(folder, 'config', 'slack-url'), doubles.team.url + SECRETS.slack, { mode: 0o600 }); // prettier-ignore
  const shell = new PastingShell(folder);
  Object.assign(shell.env, { TELEGRAM_TOKEN: SECRETS.token, TELEGRAM_CHAT: SECRETS.chat });
  const pasted = lines('docs/notifications.md');
  expect(pasted).toHaveLength(2);
  for (const line of pasted) {
    const ended = await shell.paste(line);
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(ofTargets(ended)).toHaveLength(2);
  }
  expect([doubles.phone.texts.length, doubles.team.texts.length]).toEqual([1, 1]);
});

describe('the configuration', () => {
  const refused = async (targets: string): Promise<string> => {
    writeFileSync(place.config, `${BOT}notifications:\n  targets:\n    one: ${targets}\n`);
    const error: unknown = await readBotConfig(place.config, place.env).catch((e: unknown) => e);
    return error instanceof Error ? error.message : 'it was taken';
  };

  test.each([
    ['a secret that stands in it', `{ slack: { url: 'https://hooks.slack.com${SECRETS.slack}' } }`, /A secret does not belong into this file/], // prettier-ignore
    ['no destination', '{ rate: 3 }', /one of telegram, slack, discord, webhook/],
    ['two destinations', '{ slack: { url: { env: S_URL } }, discord: { url: { env: S_URL } } }', /one of telegram, slack, discord, webhook/], // prettier-ignore
    ['an unknown event', '{ slack: { url: { env: S_URL } }, events: [trade] }', /fill/],
    ['a zone that is none', "{ slack: { url: { env: S_URL } }, quiet: { from: '22:00', to: '07:00', zone: Mars/Base } }", /a time zone such as Europe\/Berlin/], // prettier-ignore
    ['a time that is none', "{ slack: { url: { env: S_URL } }, quiet: { from: '25:00', to: '07:00' } }", /a time of day such as 22:00/], // prettier-ignore
    ['hours that are none', "{ slack: { url: { env: S_URL } }, quiet: { from: '07:00', to: '07:00' } }", /two different times of day/], // prettier-ignore
    ['a variable that is not set', '{ slack: { url: { env: NOT_SET } } }', /NOT_SET is not set/],
    ['an address that is none', '{ slack: { url: { env: T_CHAT } } }', /no address that begins with https/], // prettier-ignore
    ['a token that is none', '{ telegram: { token: { env: S_URL }, chat: { env: T_CHAT } } }', /no token of Telegram/], // prettier-ignore
  ])('refuses %s, and shows no secret', async (_, targets, expected) => {
    const message = await refused(targets);
    expect(message).toMatch(/bot\.yaml:\d+:\d+: /);
    expect(message).toMatch(expected);
    expectNoSecret(message);
  });

  test('refuses an address that the network could read, but for one of this machine', async () => {
    place = { ...place, env: { ...place.env, S_URL: 'http://hooks.slack.com/services/T0/B0/x' } };
    expect(await refused('{ slack: { url: { env: S_URL } } }')).toMatch(/must begin with https/);
    const ofApi = "{ telegram: { token: { env: T_TOKEN }, chat: { env: T_CHAT }, url: 'http://example.com' } }"; // prettier-ignore
    expect(await refused(ofApi)).toMatch(/must begin with https/);
    expect(await refused('{ webhook: { url: { env: S_URL } } }')).toBe('it was taken');
    const { warnings } = await readBotConfig(place.config, place.env);
    expect(warnings).toEqual([expect.stringMatching(/^notifications\.targets\.one\.webhook\.url is an address of http: /)]); // prettier-ignore
  });
});

/** Leaves a promise floating that fails after a while. */
const LOOSE = `
import { NEVER } from 'rxjs';
import { defineStrategy, z } from 'millrace';

export default defineStrategy({
  name: 'loose',
  summary: 'Fails where nobody looks.',
  parameters: z.object({}),
  run: () => {
    setTimeout(() => void Promise.reject(new Error('left floating')), 3_000);
    return NEVER;
  },
});
`;

describe('a bot that runs', () => {
  test('notifies its start, fills, states and end, and no secret', async () => {
    const { doubles, config, env, folder } = place;
    const running = startedHere(['run', config], env);
    await running.says(' trades (');
    await until(() => expect(doubles.fans.texts.length).toBeGreaterThan(2));
    const operated = async (...args: readonly string[]): Promise<string> =>
      (await millraceHere([...args, '--config', config], { env })).out;
    const status = await operated('status');
    expect(status).toMatch(/phone +telegram +1 +0 +0/);
    writeFileSync(config, readFileSync(config, 'utf8').replace('[fill, bot]', '[fill]'));
    await operated('reload');
    await running.says('What was changed in notifications holds from the next start.');
    const paused = await operated('pause', 'maker');
    await until(() => expect(doubles.phone.texts).toHaveLength(2));
    running.signal('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    const expected = [
      'watched (paper): The bot started: strategies maker on accounts main.',
      'watched (paper): Strategy maker (account main) is halted: An operator asked it to pause.',
      'watched (paper): The bot stopped.',
    ];
    expect(doubles.phone.texts).toEqual(expected);
    expect(doubles.team.texts).toEqual(expected);
    expect(doubles.own.texts).toEqual(expected);
    expect(doubles.fans.texts[1]).toMatch(/^watched \(paper\): Strategy maker \(account main\) (bought|sold) [\d.]+ BTCUSDT at [\d.]+, fee -?[\d.]+ \w+ \(order maker-[\w-]+\)\.$/); // prettier-ignore
    const bodies = Object.values<ServiceDouble>({ ...doubles })
      .flatMap(({ received }) => received.map(({ body }) => body))
      .map((body) => JSON.stringify(body).replace(`"chat_id":"${SECRETS.chat}"`, ''));
    expectNoSecret([ended.out, ended.err, status, paused, written(folder), ...bodies].join('\n'));
    expect(written(folder)).toContain('"msg":"The bot has ended."');
  });

  test('notifies that it recovered after it was killed', async () => {
    const { doubles, config, env } = place;
    const { child, says, ended } = started(['run', config], { env });
    await says(' trades (');
    await until(() => expect(doubles.own.texts).toHaveLength(1));
    child.kill('SIGKILL');
    await ended;
    const again = startedHere(['run', config], env);
    await again.says(' trades (');
    await until(() => expect(doubles.own.texts).toHaveLength(2));
    again.signal('SIGTERM');
    await again.ended;
    expect(doubles.own.texts).toEqual([
      'watched (paper): The bot started: strategies maker on accounts main.',
      'watched (paper): The bot recovered: the process before this one ended without a shutdown. It trades again: strategies maker on accounts main.', // prettier-ignore
      'watched (paper): The bot stopped.',
    ]);
  });

  test('notifies why it could not start', async () => {
    const { doubles, config, env } = place;
    writeFileSync(config, readFileSync(config, 'utf8').replace('BTCUSDT.arrow', 'none.arrow'));
    const ended = await startedHere(['run', config], env).ended;
    expect(ended.code).not.toBe(0);
    expect(doubles.phone.texts).toEqual([
      expect.stringMatching(/^watched \(paper\): The bot could not start: .*none\.arrow/),
    ]);
  });

  test('notifies that an error ended it, and which states remain', async () => {
    const { doubles, config, env } = place;
    const folder = project();
    const own = join(folder, 'bot.yaml');
    writeFileSync(join(folder, 'discord-url'), doubles.fans.url + SECRETS.discord, { mode: 0o600 });
    writeFileSync(join(folder, 'loose.js'), LOOSE);
    const text = readFileSync(config, 'utf8').replace('strategy: market-maker', 'strategy: ./loose.js'); // prettier-ignore
    writeFileSync(own, text.replace(/^ {4}parameters:.*\n/m, '    symbols: [BTCUSDT]\n'));
    const running = started(['run', own], { env, cwd: folder });
    await running.says(' trades (');
    const paused = await millraceHere(['pause', 'maker', '--config', own], { env });
    expect([paused.code, paused.err]).toEqual([0, '']);
    const { code } = await running.ended;
    expect(code).not.toBe(0);
    expect(doubles.own.texts.at(-1)).toMatch(/^watched \(paper\): The bot stopped: .*floating/);
    const again = started(['run', own], { env, cwd: folder });
    await until(() => {
      expect(doubles.own.texts.at(-1)).toBe('watched (paper): The bot started: strategies maker (halted) on accounts main.'); // prettier-ignore
    });
    again.child.kill('SIGKILL');
    await again.ended;
  });

  test('trades on while targets hang, answer with errors and are gone, and ends in time', async () => {
    const { doubles, config, env, folder } = place;
    doubles.phone.faults.push(...Array.from({ length: 100 }, () => 'hang' as const));
    doubles.fans.faults.push(...Array.from({ length: 100 }, () => ({ status: 500 })));
    await doubles.own.close();
    const running = startedHere(['run', config], env);
    await running.says(' trades (');
    await running.says('Notifications to fans wait: it answers 500');
    await running.says('Notifications to own wait: it cannot be reached');
    const fills = async (): Promise<number> => {
      const address = readFileSync(join(folder, 'data', 'control.address'), 'utf8').trim();
      const text = await (await fetch(`${address}/metrics`)).text();
      expect(text).toMatch(/^millrace_notifications\{target="fans",outcome="waiting"\} [1-9]/m);
      return Number(/^millrace_fills_total\{[^}]+\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    await vi.waitFor(async () => expect(await fills()).toBeGreaterThan(5), PATIENCE);
    const scheduler = new SystemScheduler();
    const start = scheduler.now();
    running.signal('SIGTERM');
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    // The end of the bot itself, and 5 s at most for what waits.
    expect(scheduler.now() - start).toBeLessThan(15 * US_PER_SECOND);
    expect(out).toMatch(/Notifications to phone that were not sent: [1-9]/);
    expect(out).toMatch(/Notifications to fans that were not sent: [1-9]/);
    expect(doubles.team.texts).toHaveLength(2);
  });
});
