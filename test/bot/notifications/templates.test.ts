import { expect, test } from 'vitest';
import { deliveryOf, templateOf } from '../../../src/bot/notifications/templates.ts';
import type { Destination } from '../../../src/bot/settings/notifications.ts';
import { micros } from '../../../src/platform/time.ts';

const SECRET = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4';

const DESTINATIONS: readonly Destination[] = [
  { kind: 'telegram', url: 'https://api.telegram.org', token: SECRET, chat: '-1001234567' },
  { kind: 'discord', url: `https://discord.com/api/webhooks/1/${SECRET}` },
];

test.each(DESTINATIONS)(
  '$kind: what repeats a secret shows no part of it, wherever it is cut',
  (destination) => {
    const template = templateOf(destination);
    for (let lead = 150; lead <= 200; lead += 1) {
      const words = `${'-'.repeat(lead)}${SECRET}`;
      const body = JSON.stringify({ description: words, message: words });
      const times = { sentAt: micros(0), answeredAt: micros(0) };
      const delivery = deliveryOf(template, {
        kind: 'answered',
        status: 400,
        headers: {},
        body,
        ...times,
      });
      expect(delivery).toMatchObject({ kind: 'rejected', why: expect.stringContaining('---') });
      expect(JSON.stringify(delivery)).not.toContain(SECRET.slice(0, 1));
    }
  },
);
