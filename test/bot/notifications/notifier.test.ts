import { describe, expect, test } from 'vitest';
import type { OrderLine } from '../../../src/bot/api/bot-api.ts';
import type { BotEvent } from '../../../src/bot/api/bot-event.ts';
import { Scrubber } from '../../../src/bot/logs/scrubber.ts';
import { Notifier } from '../../../src/bot/notifications/notifier.ts';
import { EVENT_KINDS } from '../../../src/bot/settings/notifications.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, parseIsoTime, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { there } from '../../kit/patience.ts';
import { hookDouble, SECRETS, type ServiceDouble } from './servers.ts';

const START = parseIsoTime('2026-11-27T12:00:00Z') ?? micros(0);
const SECRET = 'a-"secret"-of-a-strategy';

interface Rig {
  readonly clock: VirtualScheduler;
  readonly notifier: Notifier;
  readonly double: ServiceDouble;
  tell(event: Untimed): void;
  pass(seconds: number): void;
  /** Sends what waits, and gives all that was told. */
  told(): Promise<readonly string[]>;
}

type Untimed = BotEvent extends infer E ? (E extends BotEvent ? Omit<E, 'at'> : never) : never;

async function opened(unknown: readonly Partial<OrderLine>[] = []): Promise<Rig> {
  const clock = new VirtualScheduler(START);
  const double = await hookDouble();
  const scrubber = new Scrubber([...Object.values(SECRETS), SECRET]);
  const headers = { authorization: SECRETS.header };
  const notifier = new Notifier(
    {
      connectionLostUs: 60 * US_PER_SECOND,
      unknownOutcomeUs: 30 * US_PER_SECOND,
      targets: [
        {
          name: 'hook',
          destination: { kind: 'webhook', url: double.url + SECRETS.hook, headers },
          events: EVENT_KINDS,
          minimum: 'info',
          rate: 60,
        },
      ],
    },
    {
      scheduler: clock,
      random: new Random(7),
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
      sender: { bot: 'b', mode: 'live' },
      clean: (text) => scrubber.clean(text),
    },
  );
  notifier.attach({ orders: () => unknown as readonly OrderLine[] });
  return {
    clock,
    notifier,
    double,
    tell: (event) => notifier.take({ ...event, at: clock.now() }),
    pass: (seconds) => clock.advanceTo(micros(clock.now() + seconds * US_PER_SECOND)),
    told: async () => {
      // What is sent in turns of the clock goes through a real socket.
      let isOver = false;
      const over = notifier.close(3_600 * US_PER_SECOND).then(() => (isOver = true));
      await there(() => isOver);
      await over;
      return double.received.flatMap(({ body }) =>
        (body as { notifications: { level: string; text: string }[] }).notifications.map(
          ({ level, text }) => `${level} ${text}`,
        ),
      );
    },
  };
}

const LOST = { kind: 'connection', account: 'main', state: 'lost', why: 'silent' } as const;
const LIVE = { kind: 'connection', account: 'main', state: 'live' } as const;

describe('a connection', () => {
  test('that is lost for less than the delay is not notified', async () => {
    const rig = await opened();
    rig.tell(LOST);
    rig.pass(59);
    rig.tell(LIVE);
    rig.pass(600);
    expect(await rig.told()).toEqual([]);
  });

  test('that stays lost is notified once, and its return with how long it took', async () => {
    const rig = await opened();
    rig.tell(LOST);
    rig.pass(30);
    rig.tell(LOST);
    rig.pass(90);
    rig.tell(LIVE);
    rig.tell(LIVE);
    expect(await rig.told()).toEqual([
      'urgent Account main has had no connection for 1m (silent).',
      'info Account main is connected again, after 2m.',
    ]);
  });
});

describe('an outcome', () => {
  const UNKNOWN = { kind: 'unknown', account: 'main', strategy: 's', request: 'place', clientOrderId: 'a1', symbol: 'BTCUSDT' } as const; // prettier-ignore

  test('that is known in time is not notified', async () => {
    const rig = await opened([{ account: 'main', clientOrderId: 'a1', status: 'new' }]);
    rig.tell(UNKNOWN);
    rig.pass(3_600);
    expect(await rig.told()).toEqual([]);
  });

  test('that stays unknown is notified once', async () => {
    const rig = await opened([{ account: 'main', clientOrderId: 'a1', status: 'unknown' }]);
    rig.tell(UNKNOWN);
    rig.pass(10);
    rig.tell(UNKNOWN);
    rig.pass(3_600);
    expect(await rig.told()).toEqual([
      'urgent Strategy s (account main): the outcome of order a1 (BTCUSDT) is unknown for 30s. Look at the venue.', // prettier-ignore
    ]);
  });
});

test('what others say comes in one line, not too long, and without secrets', async () => {
  const rig = await opened();
  // Half of the second one is beyond what is sent.
  const why = `first\n\tsecond \u0007${SECRET} ${'x'.repeat(7_890)}${SECRET}${'x'.repeat(9_000)}`;
  rig.tell({ kind: 'failed', account: 'main', strategy: 's', why });
  const [line = ''] = await rig.told();
  expect(line).toMatch(/^urgent Strategy s \(account main\) failed and is halted: first second \[secret\] x+\[secret\]x*…$/); // prettier-ignore
  expect(line.length).toBeLessThan(8_100);
  const sent = JSON.stringify(rig.double.received[0]?.body);
  expect(sent).not.toContain(JSON.stringify(SECRET).slice(1, -1));
});
