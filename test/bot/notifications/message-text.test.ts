import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageText, type TextForm } from '../../../src/bot/notifications/message-text.ts';
import type { Notification } from '../../../src/bot/notifications/notification.ts';
import { micros, parseIsoTime, US_PER_MINUTE } from '../../../src/platform/time.ts';

const NOON = parseIsoTime('2026-11-27T12:00:00Z') ?? micros(0);

/** Makes some texts up to five times as long. */
const escape = (text: string): string => text.replaceAll('&', '&amp;');

const note = (text: string): Notification => ({
  kind: 'risk',
  level: 'info',
  text,
  at: NOON,
  fields: {},
});

const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constant('&'.repeat(30)));

test('a message is never too long or ill-formed, and says how many notifications it leaves out', () => {
  const texts = fc.array(fc.array(word, { maxLength: 40 }).map((words) => words.join('').replaceAll(/\s/g, '_')), { minLength: 1, maxLength: 40 }); // prettier-ignore
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 200, max: 3_000 }),
      fc.nat({ max: 5 }),
      (all, lengthMax, dropped) => {
        const form: TextForm = { lengthMax, escape };
        const message = { notifications: all.map(note), dropped, isSilent: false };
        const text = messageText(message, form, 'b (paper)', NOON);
        expect(text.length).toBeLessThanOrEqual(lengthMax);
        expect(text.isWellFormed()).toBe(true);
        if (all.length === 1 && dropped === 0) {
          const whole = escape(`b (paper): ${all[0]}`);
          if (whole.length <= lengthMax) expect(text).toBe(whole);
          else expect(text).toMatch(/… \(\d+ more characters\)$/);
          return;
        }
        const [head, ...lines] = text.split('\n');
        expect(head).toBe(`b (paper), ${all.length + dropped} notifications:`);
        const more = Number(/^and (\d+) more$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
        const shown = lines.length - (more === 0 ? 0 : 1);
        expect(shown + more).toBe(all.length + dropped);
        expect(shown).toBeGreaterThan(0);
        for (const line of lines.slice(0, shown)) expect(line).toMatch(/^2026-11-27 12:00:00Z /);
      },
    ),
  );
});

test('a notification that comes a minute late has its time', () => {
  const form: TextForm = { lengthMax: 200, escape };
  const message = { notifications: [note('halted.')], dropped: 0, isSilent: false };
  expect(messageText(message, form, 'b (live)', micros(NOON + US_PER_MINUTE - 1))).toBe('b (live): halted.'); // prettier-ignore
  expect(messageText(message, form, 'b (live)', micros(NOON + US_PER_MINUTE))).toBe('b (live): 2026-11-27 12:00:00Z halted.'); // prettier-ignore
});
