import { describe, expect, test, vi } from 'vitest';
import type { Notification } from '../../../src/bot/notifications/notification.ts';
import { WAITING_NOTIFICATIONS_MAX } from '../../../src/bot/notifications/outbox.ts';
import { Target } from '../../../src/bot/notifications/target.ts';
import {
  EVENT_KINDS,
  type Destination,
  type TargetSettings,
} from '../../../src/bot/settings/notifications.ts';
import { Scrubber } from '../../../src/bot/logs/scrubber.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { PATIENCE } from '../../kit/patience.ts';
import {
  discordDouble,
  discordTooMany,
  hookDouble,
  SECRETS,
  slackDouble,
  telegramDouble,
  telegramTooMany,
  type ServiceDouble,
} from './servers.ts';

const scheduler = new SystemScheduler();

function targetOf(destination: Destination, change: Partial<TargetSettings> = {}) {
  const logs: string[] = [];
  const log = (level: string) => (message: string) => logs.push(`${level} ${message}`);
  const scrubber = new Scrubber(Object.values(SECRETS));
  const target = new Target(
    {
      name: 'phone',
      destination,
      events: EVENT_KINDS,
      minimum: 'info',
      rate: 20,
      ...change,
    },
    {
      scheduler,
      // Waits between attempts are none, but for those that a target asks for.
      random: Object.assign(new Random(7), { unit: () => 0 }),
      log: { debug: log('debug'), info: log('info'), warn: log('warn') },
      sender: { bot: 'b_1', mode: 'paper' },
      clean: (text) => scrubber.clean(text),
    },
  );
  return { target, logs };
}

const note = (text: string, change: Partial<Notification> = {}): Notification => ({
  kind: 'risk',
  level: 'urgent',
  text,
  at: scheduler.now(),
  fields: { event: 'state', account: 'main' },
  ...change,
});

const DESTINATIONS = {
  telegram: async () => {
    const double = await telegramDouble();
    return { double, destination: { kind: 'telegram', url: double.url, token: SECRETS.token, chat: SECRETS.chat } }; // prettier-ignore
  },
  slack: async () => {
    const double = await slackDouble();
    return { double, destination: { kind: 'slack', url: double.url + SECRETS.slack } };
  },
  discord: async () => {
    const double = await discordDouble();
    return { double, destination: { kind: 'discord', url: double.url + SECRETS.discord } };
  },
  webhook: async () => {
    const double = await hookDouble();
    const headers = { Authorization: SECRETS.header };
    return { double, destination: { kind: 'webhook', url: double.url + SECRETS.hook, headers } };
  },
} as const satisfies Readonly<
  Record<string, () => Promise<{ double: ServiceDouble; destination: Destination }>>
>;

const texts = (double: ServiceDouble, ...expected: readonly unknown[]) =>
  vi.waitFor(() => {
    expect(double.texts).toEqual(expected);
  }, PATIENCE);

describe.each(Object.keys(DESTINATIONS) as (keyof typeof DESTINATIONS)[])('%s', (kind) => {
  test('gets messages in order, one for each of few', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    const { target } = targetOf(destination);
    target.add(note('one.'));
    target.add(note('two.'));
    await texts(double, expect.stringMatching(/: one\.$/), expect.stringMatching(/: two\.$/));
    expect(target.line).toMatchObject({ kind, sent: 2, dropped: 0, waiting: 0 });
    await target.close(US_PER_SECOND);
  });

  test('gets a message once it answers again', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    double.faults.push({ status: 502, body: 'Bad Gateway' }, { status: 500 });
    const { target, logs } = targetOf(destination);
    target.add(note('halted.'));
    await texts(double, expect.stringContaining('halted.'));
    expect(logs).toEqual([
      'warn Notifications to phone wait: it answers 502',
      'info Notifications to phone arrive again.',
    ]);
    await target.close(US_PER_SECOND);
  });

  test('loses what it rejects, and gets what follows, which says so', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    double.faults.push({ status: 403, body: '' });
    const { target, logs } = targetOf(destination);
    target.add(note('one.'));
    target.add(note('two.'));
    await texts(double, expect.stringMatching(/2 notifications:\n.*two\.\nand 1 more$/));
    expect(logs[0]).toBe('warn Notifications to phone are lost (1): it answers 403');
    expect(target.line).toMatchObject({ sent: 1, dropped: 1, waiting: 0 });
    await target.close(US_PER_SECOND);
  });

  test('that may have taken a message gets it five times at most', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    double.faults.push(...Array.from({ length: 5 }, () => ({ status: 500 })));
    const { target, logs } = targetOf(destination);
    target.add(note('one.'));
    target.add(note('two.'));
    await texts(double, expect.stringMatching(/two\.\nand 1 more$/));
    expect(double.received).toHaveLength(6);
    expect(logs).toContain('warn Notifications to phone are lost (1): it answers 500');
    await target.close(US_PER_SECOND);
  });

  test('that is wrong is reported without its secrets', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    const wrong: Destination =
      destination.kind === 'telegram'
        ? { ...destination, token: '1:wrong-secret' }
        : { ...destination, url: `${double.url}/wrong-secret` };
    const { target, logs } = targetOf(wrong);
    target.add(note('one.'));
    await vi.waitFor(() => expect(logs).toHaveLength(1), PATIENCE);
    expect(logs[0]).toMatch(/^warn Notifications to phone are lost \(1\): it answers 40[14]/);
    expect(logs.join('\n')).not.toContain('wrong-secret');
    await target.close(US_PER_SECOND);
  });

  test('that is not there keeps no more than there is room for', async () => {
    const { double, destination } = await DESTINATIONS[kind]();
    await double.close();
    const { target, logs } = targetOf(destination);
    for (let i = 0; i < WAITING_NOTIFICATIONS_MAX + 10; i += 1) target.add(note(String(i)));
    await vi.waitFor(() => expect(target.line.why).toMatch(/^it cannot be reached: /), PATIENCE);
    const { sent, dropped, waiting } = target.line;
    expect([sent, dropped + waiting, waiting <= WAITING_NOTIFICATIONS_MAX + 1]).toEqual([0, WAITING_NOTIFICATIONS_MAX + 10, true]); // prettier-ignore
    const start = scheduler.now();
    await target.close(US_PER_SECOND);
    expect(scheduler.now() - start).toBeLessThan(3 * US_PER_SECOND);
    expect(target.line).toMatchObject({
      sent: 0,
      dropped: WAITING_NOTIFICATIONS_MAX + 10,
      waiting: 0,
    });
    expect(logs.at(-1)).toBe(
      `warn Notifications to phone that were not sent: ${WAITING_NOTIFICATIONS_MAX + 10}.`,
    );
  });
});

describe('a target that asks for time', () => {
  test.each([
    ['telegram', telegramTooMany(1)],
    ['discord', discordTooMany(1)],
    ['slack', { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' }],
  ] as const)('gets it: %s', async (kind, fault) => {
    const { double, destination } = await DESTINATIONS[kind]();
    double.faults.push(fault);
    const { target } = targetOf(destination);
    const start = scheduler.now();
    target.add(note('one.'));
    await texts(double, expect.stringContaining('one.'));
    expect(scheduler.now() - start).toBeGreaterThanOrEqual(US_PER_SECOND);
    expect(double.received).toHaveLength(2);
    await target.close(US_PER_SECOND);
  });

  test('gets it at the end of the process too, as long as there is time', async () => {
    const { double, destination } = await DESTINATIONS.telegram();
    double.faults.push(telegramTooMany(1));
    const { target } = targetOf(destination);
    target.add(note('one.'));
    await vi.waitFor(() => expect(double.received).toHaveLength(1), PATIENCE);
    await target.close(5 * US_PER_SECOND);
    expect(double.texts).toEqual([expect.stringContaining('one.')]);
  });
});

describe('the end of the process', () => {
  test('sends all that waits as one message', async () => {
    const { double, destination } = await DESTINATIONS.slack();
    const { target } = targetOf(destination, { rate: 1 });
    target.add(note('one.'));
    await texts(double, expect.anything());
    target.add(note('two.'));
    target.add(note('three.'));
    await target.close(5 * US_PER_SECOND);
    expect(double.texts.slice(1)).toEqual([expect.stringMatching(/2 notifications:\n.*two\.\n.*three\.$/)]); // prettier-ignore
  });

  test.each([
    ['telegram', { disable_notification: true }],
    ['discord', { flags: 4_100 }],
  ] as const)('sends what quiet hours held back, without a sound: %s', async (kind, silent) => {
    const { double, destination } = await DESTINATIONS[kind]();
    const minute = Math.floor(scheduler.now() / 60_000_000) % 1_440;
    const quiet = { fromMinute: (minute + 1_430) % 1_440, toMinute: (minute + 10) % 1_440, zone: 'UTC' }; // prettier-ignore
    const { target } = targetOf(destination, { quiet });
    target.add(note('one.', { level: 'info' }));
    target.add(note('two.', { level: 'warning' }));
    target.add(note('three.'));
    await texts(double, expect.stringContaining('three.'));
    await target.close(5 * US_PER_SECOND);
    expect(double.texts[1]).toMatch(/2 notifications:\n.*one\.\n.*two\.$/);
    expect(double.received[1]?.body).toMatchObject(silent);
  });

  test('does not wait for a target that hangs', async () => {
    const { double, destination } = await DESTINATIONS.slack();
    double.faults.push('hang');
    const { target, logs } = targetOf(destination);
    target.add(note('one.'));
    await vi.waitFor(() => expect(double.received).toHaveLength(1), PATIENCE);
    const start = scheduler.now();
    await target.close(US_PER_SECOND / 2);
    expect(scheduler.now() - start).toBeLessThan(2 * US_PER_SECOND);
    expect(logs.at(-1)).toBe('warn Notifications to phone that were not sent: 1.');
  });
});

describe('text', () => {
  const bad = '<!channel> <@U1> & *bold* _it_ @everyone [x](http://y) `c`';

  test('is escaped as Slack reads it', async () => {
    const { double, destination } = await DESTINATIONS.slack();
    const { target } = targetOf(destination);
    target.add(note(bad));
    await texts(double, 'b_1 (paper): &lt;!channel&gt; &lt;@U1&gt; &amp; *bold* _it_ @everyone [x](http://y) `c`'); // prettier-ignore
    expect(double.received[0]?.body).toMatchObject({ mrkdwn: false });
    await target.close(US_PER_SECOND);
  });

  test('is escaped as Discord reads it, and calls nobody', async () => {
    const { double, destination } = await DESTINATIONS.discord();
    const { target } = targetOf(destination);
    target.add(note(bad));
    await texts(double, String.raw`b\_1 (paper): \<!channel\> \<@U1\> & \*bold\* \_it\_ @everyone \[x\](http://y) \`c\``); // prettier-ignore
    expect(double.received[0]?.body).toMatchObject({ allowed_mentions: { parse: [] } });
    await target.close(US_PER_SECOND);
  });

  test('is plain for Telegram', async () => {
    const { double, destination } = await DESTINATIONS.telegram();
    const { target } = targetOf(destination);
    target.add(note(bad));
    await texts(double, `b_1 (paper): ${bad}`);
    expect(double.received[0]?.body).not.toHaveProperty('parse_mode');
    await target.close(US_PER_SECOND);
  });

  test('comes with its data to a webhook', async () => {
    const { double, destination } = await DESTINATIONS.webhook();
    const { target } = targetOf(destination);
    target.add(note('halted.'));
    await texts(double, 'b_1 (paper): halted.');
    expect(double.received[0]?.body).toEqual({
      bot: 'b_1',
      mode: 'paper',
      at: expect.stringMatching(/^20.*Z$/) as string,
      text: 'b_1 (paper): halted.',
      dropped: 0,
      notifications: [
        {
          event: 'state',
          account: 'main',
          kind: 'risk',
          level: 'urgent',
          text: 'halted.',
          at: expect.stringMatching(/^20.*Z$/) as string,
        },
      ],
    });
    await target.close(US_PER_SECOND);
  });

  test.each([
    ['telegram', 4_096],
    ['discord', 2_000],
    ['slack', 40_000],
  ] as const)('too long for %s is cut, with a note', async (kind, lengthMax) => {
    const { double, destination } = await DESTINATIONS[kind]();
    const { target } = targetOf(destination);
    target.add(note('<💥'.repeat(30_000)));
    await texts(double, expect.stringMatching(/… \(\d+ more characters\)$/));
    const [text = ''] = double.texts;
    expect(text.length).toBeLessThanOrEqual(lengthMax);
    expect(text.length).toBeGreaterThan(lengthMax - 10);
    expect(text.isWellFormed()).toBe(true);
    await target.close(US_PER_SECOND);
  });

  test('of many notifications is cut at a line, with a note', async () => {
    const { double, destination } = await DESTINATIONS.discord();
    const { target } = targetOf(destination, { rate: 1 });
    for (let i = 0; i < 100; i += 1) target.add(note(`notification ${i} ${'x'.repeat(60)}`));
    await texts(double, expect.stringMatching(/^b\\_1 \(paper\), 100 notifications:\n.* notification 0 /)); // prettier-ignore
    const [text = ''] = double.texts;
    const lines = text.split('\n');
    expect(lines.at(-1)).toBe(`and ${100 - (lines.length - 2)} more`);
    expect(text.length).toBeLessThanOrEqual(2_000);
    await target.close(US_PER_SECOND);
  });
});
