import { z } from 'zod';
import {
  EVENT_KINDS,
  NOTIFICATION_LEVELS,
  type Destination,
  type NotificationSettings,
  type QuietHours,
} from '../../bot/settings/notifications.ts';
import { positiveSpan } from '../../config/amounts.ts';
import { nameOf } from '../../config/fields.ts';
import { secretSource, type SecretSource } from './secret.ts';
import type { SecretKeeper } from './secret-keeper.ts';
import type { Refuse } from './strategies.ts';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

const timeOfDay = z
  .string()
  .regex(TIME, 'a time of day such as 22:00, in quotes')
  .transform((text) => {
    const [hours = '', minutes = ''] = text.split(':');
    return Number(hours) * 60 + Number(minutes);
  });

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    // It throws for a zone that it does not know.
    return false;
  }
};

const quiet = z
  .strictObject({
    from: timeOfDay.describe('Such as 22:00.'),
    to: timeOfDay.describe('Such as 07:00; of the next day where it is before from.'),
    zone: z
      .string()
      .refine(isZone, 'a time zone such as Europe/Berlin or UTC')
      .default('UTC')
      .describe('Time zone of these hours, such as Europe/Berlin.'),
  })
  .refine(({ from, to }) => from !== to, 'two different times of day')
  .transform(({ from, to, zone }): QuietHours => ({ fromMinute: from, toMinute: to, zone }));

/** A fill is what most bots do all day. */
const USUAL_EVENTS = EVENT_KINDS.filter((kind) => kind !== 'fill');

const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const targetOf = (folder: string) => {
  const secret = secretSource(folder);
  return z
    .strictObject({
      telegram: z
        .strictObject({
          token: secret.describe('Where the token of the bot is: env: NAME, file: PATH.'),
          chat: secret.describe('Where the id of the chat is.'),
          url: z
            .url({ protocol: /^https?$/ })
            .default('https://api.telegram.org')
            .describe('Address of the Bot API.'),
        })
        .optional()
        .describe('A chat with a bot of Telegram.'),
      slack: z
        .strictObject({ url: secret.describe('Where the address of the incoming webhook is.') })
        .optional()
        .describe('A channel of Slack.'),
      discord: z
        .strictObject({ url: secret.describe('Where the address of the webhook is.') })
        .optional()
        .describe('A channel of Discord.'),
      webhook: z
        .strictObject({
          url: secret.describe('Where the address is.'),
          headers: z
            .record(z.string().regex(HEADER, 'the name of an HTTP header'), secret)
            .default({})
            .describe('Where the values of further headers are, by name.'),
        })
        .optional()
        .describe('A server of your own, which gets JSON by POST.'),
      events: z
        .array(z.enum(EVENT_KINDS))
        .min(1)
        .default([...USUAL_EVENTS])
        .describe('What is sent; all but fill where absent.'),
      minimum: z
        .enum(NOTIFICATION_LEVELS)
        .default('info')
        .describe('What matters less is not sent.'),
      quiet: quiet.optional().describe('Hours in which only what is urgent is sent.'),
      rate: z.int().min(1).max(60).default(15).describe('Messages within any minute at most.'),
    })
    .refine(
      (target) => DESTINATIONS.filter((kind) => target[kind] !== undefined).length === 1,
      `one of ${['telegram', 'slack', 'discord', 'webhook'].join(', ')}`,
    );
};

const DESTINATIONS = ['telegram', 'slack', 'discord', 'webhook'] as const;

/** Schema of the notifications of a bot; paths are relative to `folder`. */
export const notificationsOf = (folder: string) =>
  z.strictObject({
    targets: z
      .record(nameOf(32), targetOf(folder))
      .refine((targets) => Object.keys(targets).length > 0, 'at least one target')
      .describe('Who is notified, by name.'),
    connectionLost: positiveSpan
      .prefault('1m')
      .describe('How long a connection is lost before a notification is sent.'),
    unknownOutcome: positiveSpan
      .prefault('1m')
      .describe('How long the outcome of an order is unknown before a notification is sent.'),
  });

type NotificationsConfig = z.output<ReturnType<typeof notificationsOf>>;
type TargetConfig = NotificationsConfig['targets'][string];

/** Reads the secrets of all targets. Throws `secret-missing`, and `config-invalid` for an address of no use. */
export function notificationSettings(
  { targets, connectionLost, unknownOutcome }: NotificationsConfig,
  secrets: SecretKeeper,
  refuse: Refuse,
): NotificationSettings {
  return {
    connectionLostUs: connectionLost,
    unknownOutcomeUs: unknownOutcome,
    targets: Object.entries(targets).map(([name, target]) => {
      const at = ['notifications', 'targets', name];
      const { events, minimum, quiet: hours, rate } = target;
      const destination = destinationOf(target, at, secrets, refuse);
      return { name, destination, events, minimum, quiet: hours, rate };
    }),
  };
}

function destinationOf(
  { telegram, slack, discord, webhook }: TargetConfig,
  at: readonly string[],
  secrets: SecretKeeper,
  refuse: Refuse,
): Destination {
  const address = (kind: 'slack' | 'discord' | 'webhook', source: SecretSource): string => {
    const path = [...at, kind, 'url'];
    const url = checkedAddress(secrets.find(source, path), path, kind, { secrets, refuse });
    const parts = [url.href, url.pathname + url.search, ...url.pathname.split('/')];
    secrets.secrets.push(...parts.filter(isLong));
    return url.href;
  };
  if (telegram !== undefined) {
    const url = checkedAddress(telegram.url, [...at, 'telegram', 'url'], 'telegram', { secrets, refuse }).href; // prettier-ignore
    const token = secrets.find(telegram.token, [...at, 'telegram', 'token']);
    if (!/^[\w:-]+$/.test(token)) {
      refuse([...at, 'telegram', 'token'], 'what is there is no token of Telegram, such as 123456:ABC-DEF.'); // prettier-ignore
    }
    const chat = secrets.find(telegram.chat, [...at, 'telegram', 'chat']);
    return { kind: 'telegram', url, token, chat };
  }
  if (slack !== undefined) return { kind: 'slack', url: address('slack', slack.url) };
  if (discord !== undefined) return { kind: 'discord', url: address('discord', discord.url) };
  if (webhook === undefined) return refuse(at, 'target has no destination.');
  const headers = Object.entries(webhook.headers).map(([name, source]) => {
    return [name, secrets.find(source, [...at, 'webhook', 'headers', name])] as const;
  });
  return {
    kind: 'webhook',
    url: address('webhook', webhook.url),
    headers: Object.fromEntries(headers),
  };
}

/** An address for messages; no message about it shows it. */
function checkedAddress(
  text: string,
  path: readonly string[],
  kind: Destination['kind'],
  { secrets, refuse }: { readonly secrets: SecretKeeper; readonly refuse: Refuse },
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse(path, 'what is there is no address that begins with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse(path, 'the address holds a user name or a password; give it as headers of a webhook.'); // prettier-ignore
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || isHere) return url;
  if (kind !== 'webhook') {
    return refuse(path, 'the address must begin with https://: by http the network can read its secret.'); // prettier-ignore
  }
  secrets.warnings.push(`${path.join('.')} is an address of http: others on the network can read what is sent to it.`); // prettier-ignore
  return url;
}

/** Parts such as `/api/webhooks` are no secrets. */
const isLong = (part: string): boolean => part.length >= 16;
