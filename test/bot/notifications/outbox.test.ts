import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Notification } from '../../../src/bot/notifications/notification.ts';
import {
  Outbox,
  WAITING_NOTIFICATIONS_MAX,
  type OutboxSettings,
} from '../../../src/bot/notifications/outbox.ts';
import { EVENT_KINDS, NOTIFICATION_LEVELS } from '../../../src/bot/settings/notifications.ts';
import { micros, parseIsoTime, US_PER_MINUTE, type Micros } from '../../../src/platform/time.ts';

const at = (text: string): Micros => parseIsoTime(text) ?? micros(0);
const NOON = at('2026-11-27T12:00:00Z');

const settings = (change: Partial<OutboxSettings> = {}): OutboxSettings => ({
  events: EVENT_KINDS,
  minimum: 'info',
  rate: 3,
  ...change,
});

const note = (text: string, change: Partial<Notification> = {}): Notification => ({
  kind: 'risk',
  level: 'info',
  text,
  at: NOON,
  fields: {},
  ...change,
});

const textsOf = (message: Message | undefined): readonly string[] =>
  message?.notifications.map(({ text }) => text) ?? [];

/** Berlin is an hour ahead of UTC in November. */
const NIGHT = { fromMinute: 22 * 60, toMinute: 7 * 60, zone: 'Europe/Berlin' };

describe('what a target wants', () => {
  test('is chosen by the kinds of events', () => {
    const outbox = new Outbox(settings({ events: ['fill'] }));
    outbox.add(note('halted'));
    outbox.add(note('bought', { kind: 'fill' }));
    expect(textsOf(outbox.next(NOON))).toEqual(['bought']);
    expect(outbox.next(NOON)).toBeUndefined();
  });

  test('is chosen by how much it matters', () => {
    const outbox = new Outbox(settings({ minimum: 'warning' }));
    for (const level of NOTIFICATION_LEVELS) outbox.add(note(level, { level }));
    expect(textsOf(outbox.next(NOON))).toEqual(['urgent']);
    expect(textsOf(outbox.next(NOON))).toEqual(['warning']);
  });
});

describe('the rate', () => {
  test('lets the last message of a minute take all that waits, and keeps one for what is urgent', () => {
    const outbox = new Outbox(settings());
    for (const text of ['a', 'b', 'c', 'd']) outbox.add(note(text));
    expect(textsOf(outbox.next(NOON))).toEqual(['a']);
    expect(textsOf(outbox.next(NOON))).toEqual(['b', 'c', 'd']);
    outbox.add(note('e'));
    expect(outbox.next(NOON)).toBeUndefined();
    outbox.add(note('g', { level: 'urgent' }));
    expect(textsOf(outbox.next(NOON))).toEqual(['g', 'e']);
    outbox.add(note('f'));
    expect(outbox.next(NOON)).toBeUndefined();
    expect(outbox.nextAt(NOON)).toBe(NOON + US_PER_MINUTE);
    expect(textsOf(outbox.next(micros(NOON + US_PER_MINUTE)))).toEqual(['f']);
  });

  test('lets what is urgent go first', () => {
    const outbox = new Outbox(settings());
    for (const level of ['info', 'urgent'] as const) outbox.add(note(level, { level }));
    expect(textsOf(outbox.next(NOON))).toEqual(['urgent']);
    expect(textsOf(outbox.next(NOON))).toEqual(['info']);
  });
});

describe('quiet hours', () => {
  const evening = at('2026-11-27T21:30:00Z');
  const morning = at('2026-11-28T06:00:00Z');

  test('hold back all but what is urgent, and end with one message', () => {
    const outbox = new Outbox(settings({ quiet: NIGHT }));
    outbox.add(note('a', { at: evening }));
    outbox.add(note('b', { at: evening, level: 'urgent' }));
    outbox.add(note('c', { at: evening }));
    expect(textsOf(outbox.next(evening))).toEqual(['b']);
    expect(outbox.next(micros(morning - 1))).toBeUndefined();
    expect(textsOf(outbox.next(morning))).toEqual(['a', 'c']);
  });

  test('follow the clocks of their zone when these are put back', () => {
    // On 25 October 2026 clocks of Berlin show 02:30 twice: at 00:30 and at 01:30 UTC.
    const quiet = { fromMinute: 150, toMinute: 180, zone: 'Europe/Berlin' };
    const held = ['00:29', '00:30', '00:59', '01:00', '01:29', '01:30', '01:59', '02:00'].filter(
      (time) => {
        const outbox = new Outbox(settings({ quiet }));
        const now = at(`2026-10-25T${time}:00Z`);
        outbox.add(note('a', { at: now }));
        return outbox.next(now) === undefined;
      },
    );
    expect(held).toEqual(['00:30', '00:59', '01:30', '01:59']);
  });

  test('do not keep what waits from being taken at the end of the process, silently', () => {
    const outbox = new Outbox(settings({ quiet: NIGHT }));
    outbox.add(note('a', { at: evening }));
    const rest = outbox.rest(evening);
    expect(textsOf(rest)).toEqual(['a']);
    expect(rest?.isSilent).toBe(true);
    expect(outbox.rest(evening)).toBeUndefined();
  });
});

test('more than there is room for is dropped, the oldest first, and the next message says so', () => {
  const outbox = new Outbox(settings({ rate: 1 }));
  outbox.add(note('urgent', { level: 'urgent' }));
  for (let i = 0; i < WAITING_NOTIFICATIONS_MAX + 2; i += 1) outbox.add(note(String(i)));
  expect([outbox.waiting, outbox.dropped]).toEqual([WAITING_NOTIFICATIONS_MAX, 3]);
  const message = outbox.next(NOON);
  expect(message?.dropped).toBe(3);
  expect(textsOf(message).slice(0, 2)).toEqual(['urgent', '3']);
  expect(outbox.waiting).toBe(0);
});

interface Step {
  /** Time that passes before it. */
  readonly us: number;
  readonly level: (typeof NOTIFICATION_LEVELS)[number] | 'look';
}

const steps = fc.array(
  fc.record({
    us: fc.oneof(fc.integer({ min: 0, max: 90_000_000 }), fc.constantFrom(0, 1, 60_000_000, 3_600_000_000)), // prettier-ignore
    level: fc.constantFrom<Step['level']>('info', 'warning', 'urgent', 'look', 'look'),
  }),
  { maxLength: 60 },
);

/** Hours of UTC, by counting them. */
const isQuietHour = (time: number, from: number, to: number): boolean => {
  const hour = new Date(time / 1_000).getUTCHours();
  for (let one = from; one !== to; one = (one + 1) % 24) if (one === hour) return true;
  return false;
};

test('rate and quiet hours are those of a list that is searched again each time', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), hour, hour, (given, rate, from, to) => {
      fc.pre(from !== to);
      const quiet = { fromMinute: from * 60, toMinute: to * 60, zone: 'UTC' };
      const outbox = new Outbox(settings({ rate, quiet }));
      const isQuiet = (time: number) => isQuietHour(time, from, to);
      // The twin keeps all that ever came and all that ever went.
      const came: { text: string; level: string; at: number; wentAt?: number }[] = [];
      const messages: { at: number; texts: string[] }[] = [];
      let now: number = NOON;
      for (const [index, { us, level }] of given.entries()) {
        now += us;
        if (level !== 'look') {
          outbox.add(note(String(index), { level, at: micros(now) }));
          came.push({ text: String(index), level, at: now });
          continue;
        }
        const open = came.filter((one) => one.wentAt === undefined && (!isQuiet(now) || one.level === 'urgent')); // prettier-ignore
        const most = open.some((one) => one.level === 'urgent') || rate === 1 ? rate : rate - 1;
        const free = most - messages.filter((one) => one.at > now - US_PER_MINUTE).length;
        const hasHeld = open.some((one) => one.level !== 'urgent' && isQuiet(one.at));
        const first = open
          .filter((one) => one.level === 'urgent')
          .concat(open)
          .slice(0, 1);
        const going = free < 1 ? [] : hasHeld || free === 1 ? open : first;
        for (const one of going) one.wentAt = now;
        const ordered = going.toSorted((a, b) => Number(b.level === 'urgent') - Number(a.level === 'urgent')); // prettier-ignore
        if (going.length > 0) messages.push({ at: now, texts: ordered.map(({ text }) => text) });
        const due = outbox.nextAt(micros(now));
        const message = outbox.next(micros(now));
        expect(textsOf(message)).toEqual(ordered.map(({ text }) => text));
        // It says when to look again: not after something may go, and at once where something does.
        expect(due === now).toBe(message !== undefined);
        const left = came.filter((one) => one.wentAt === undefined);
        expect(outbox.waiting).toBe(left.length);
        expect(outbox.nextAt(micros(now)) === undefined).toBe(left.length === 0);
      }
      // Nothing urgent waits for quiet hours, and no minute has more messages than the rate.
      for (const [index, { at: first }] of messages.entries()) {
        const within = messages.slice(index).filter((one) => one.at < first + US_PER_MINUTE);
        expect(within.length).toBeLessThanOrEqual(rate);
      }
      const loud = messages.filter((one) => isQuiet(one.at)).flatMap(({ texts }) => texts);
      expect(loud.every((text) => came.find((one) => one.text === text)?.level === 'urgent')).toBe(true); // prettier-ignore
    }),
  );
});
