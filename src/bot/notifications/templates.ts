import type { HttpOutcome, HttpRequest } from '../../gateways/http/transport.ts';
import { retryAfterUs } from '../../gateways/http/request-outcome.ts';
import { isoTime, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { Scrubber } from '../logs/scrubber.ts';
import type { Destination } from '../settings/notifications.ts';
import { messageText, type TextForm } from './message-text.ts';
import type { Message } from './notification.ts';

/** Result of an attempt to send. */
export type Delivery =
  | { readonly kind: 'delivered' }
  /** Retryable, not before `afterUs` if the target says so. */
  | {
      readonly kind: 'failed';
      readonly why: string;
      readonly afterUs?: number | undefined;
      /** The message may have arrived anyway. */
      readonly isUnknown?: true;
    }
  /** Another attempt would fail too. */
  | { readonly kind: 'rejected'; readonly why: string };

/** The sender of messages. */
export interface Sender {
  readonly bot: string;
  readonly mode: string;
}

/** How messages are sent to one kind of target. */
export interface Template {
  readonly origin: string;
  /** Removes the destination's secrets from a text. */
  clean(text: string): string;
  request(message: Message, sender: Sender, now: Micros): HttpRequest;
  /** A request that shows whether the target takes messages, and sends none. */
  readonly probe: HttpRequest;
  /** True if an answer to `probe` shows that messages would arrive. */
  isSound(answer: Answer): boolean;
  /** The reason in an answer that is not a success. */
  reason(body: string): Reason;
}

/** An answer of a target. */
export type Answer = Extract<HttpOutcome, { readonly kind: 'answered' }>;

interface Reason {
  readonly text?: string | undefined;
  /** Seconds to wait. */
  readonly retryAfter?: number | undefined;
}

/** The template of a destination. */
export function templateOf(destination: Destination): Template {
  const scrubber = new Scrubber(secretsOf(destination));
  return { ...formatOf(destination), clean: (text) => scrubber.clean(text) };
}

/** Secrets of a destination that a target may repeat: whole, and its parts that are no common words. */
function secretsOf(destination: Destination): readonly string[] {
  if (destination.kind === 'telegram') return [destination.token, destination.chat];
  const { pathname, search, searchParams } = new URL(destination.url);
  const segments = pathname.split('/').filter(({ length }) => length > WORD_LENGTH);
  const headers = destination.kind === 'webhook' ? Object.values(destination.headers) : [];
  const values = headers.flatMap((value) => [value, value.replace(/^\S+\s+/, '')]);
  return [destination.url, pathname + search, pathname, ...segments, ...searchParams.values(), ...values]; // prettier-ignore
}

/** `services` and `webhooks` are in every address. */
const WORD_LENGTH = 8;

type PartialTemplate = Omit<Template, 'clean'>;

function formatOf(destination: Destination): PartialTemplate {
  switch (destination.kind) {
    case 'telegram':
      return telegram(destination);
    case 'slack':
      return slack(destination.url);
    case 'discord':
      return discord(destination.url);
    case 'webhook':
      return webhook(destination);
  }
}

/** Plain text: without a `parse_mode` nothing in it is markup. */
const TELEGRAM_TEXT: TextForm = { lengthMax: 4_096, escape: (text) => text };

/** https://core.telegram.org/bots/api */
function telegram({
  url,
  token,
  chat,
}: Extract<Destination, { readonly kind: 'telegram' }>): PartialTemplate {
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/, '')}/bot${token}`;
  return {
    origin,
    request: (message, sender, now) =>
      post(`${path}/sendMessage`, {
        chat_id: chat,
        text: messageText(message, TELEGRAM_TEXT, whoOf(sender), now),
        link_preview_options: { is_disabled: true },
        disable_notification: message.isSilent,
      }),
    probe: post(`${path}/getChat`, { chat_id: chat }),
    isSound: isSuccess,
    reason: (body) => {
      const { description, parameters } = recordOf(body);
      const { retry_after: retryAfter, migrate_to_chat_id: moved } = memberRecord(parameters);
      const to = typeof moved === 'number' ? `; its id is ${moved} now` : '';
      const text = typeof description === 'string' ? `${description}${to}` : undefined;
      return { text, retryAfter: secondsOf(retryAfter) };
    },
  };
}

/** `&`, `<` and `>` begin links, mentions and entities; https://docs.slack.dev/messaging/formatting-message-text */
const SLACK_TEXT: TextForm = {
  lengthMax: 40_000,
  escape: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
};

function slack(url: string): PartialTemplate {
  const { origin, target } = urlParts(url);
  return {
    origin,
    request: (message, sender, now) =>
      post(target, {
        text: messageText(message, SLACK_TEXT, whoOf(sender), now),
        mrkdwn: false,
        unfurl_links: false,
        unfurl_media: false,
      }),
    // No call only checks. An existing webhook rejects a message without text, and sends nothing.
    probe: post(target, { text: '' }),
    isSound: ({ status, body }) => status === 400 && /^(no_text|invalid_payload)\s*$/.test(body),
    reason: (body) => ({ text: /^[a-z_]{1,60}$/.exec(body.trim())?.[0] }),
  };
}

/** A backslash escapes a Markdown character. */
const DISCORD_TEXT: TextForm = {
  lengthMax: 2_000,
  escape: (text) => text.replaceAll(/[\\*_~`|<>#[\]]/g, String.raw`\$&`),
};

/** Flags of a message of Discord. */
const SUPPRESS_EMBEDS = 4;
const SUPPRESS_NOTIFICATIONS = 4_096;

/** https://docs.discord.com/developers/resources/webhook */
function discord(url: string): PartialTemplate {
  const { origin, target } = urlParts(url);
  return {
    origin,
    request: (message, sender, now) =>
      post(target, {
        content: messageText(message, DISCORD_TEXT, whoOf(sender), now),
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS + (message.isSilent ? SUPPRESS_NOTIFICATIONS : 0),
      }),
    probe: { method: 'GET', target, headers: ACCEPT, body: '' },
    isSound: isSuccess,
    reason: (body) => {
      const { message, code, retry_after: retryAfter } = recordOf(body);
      const number = typeof code === 'number' && code !== 0 ? ` (${code})` : '';
      const text = typeof message === 'string' ? `${message}${number}` : undefined;
      return { text, retryAfter: secondsOf(retryAfter) };
    },
  };
}

/** The text of a webhook is for programs. */
const WEBHOOK_TEXT: TextForm = { lengthMax: 100_000, escape: (text) => text };

function webhook({
  url,
  headers,
}: Extract<Destination, { readonly kind: 'webhook' }>): PartialTemplate {
  const { origin, target } = urlParts(url);
  return {
    origin,
    request: (message, sender, now) =>
      post(
        target,
        {
          ...sender,
          at: isoTime(now),
          text: messageText(message, WEBHOOK_TEXT, whoOf(sender), now),
          dropped: message.dropped,
          notifications: message.notifications.map(({ kind, level, text, at, fields }) => ({
            ...fields,
            ...{ kind, level, text, at: isoTime(at) },
          })),
        },
        headers,
      ),
    probe: { method: 'HEAD', target, headers, body: '' },
    // A server that only knows POST exists too.
    isSound: ({ status }) => status < 500 && ![401, 403, 404, 410].includes(status),
    reason: () => ({}),
  };
}

/** The result of a request to a target of the template, without any of its secrets. */
export function deliveryOf(template: Template, outcome: HttpOutcome): Delivery {
  switch (outcome.kind) {
    case 'unsent':
      return { kind: 'failed', why: `it cannot be reached: ${template.clean(outcome.why)}` };
    case 'unanswered':
      return {
        kind: 'failed',
        why: `it does not answer: ${template.clean(outcome.why)}`,
        isUnknown: true,
      };
    case 'too-long':
      return isSuccess(outcome)
        ? { kind: 'delivered' }
        : { kind: 'failed', why: `it answers ${outcome.status}, and ${outcome.why}`, isUnknown: true }; // prettier-ignore
    case 'answered':
      return answered(template, outcome);
  }
}

function answered(template: Template, answer: Answer): Delivery {
  const { status, headers, body } = answer;
  if (isSuccess(answer)) return { kind: 'delivered' };
  const { text, retryAfter } = template.reason(body);
  const why = `it answers ${status}${text === undefined ? '' : `, ${oneLine(template.clean(text))}`}`;
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'rejected', why };
  const waits = [retryAfterUs(headers), retryAfter && Math.ceil(retryAfter * US_PER_SECOND)];
  const afterUs = Math.min(WAIT_MAX_US, Math.max(0, ...waits.map((us) => us ?? 0)));
  // A proxy answers with another status if the message did not get through.
  const isUnknown = status === 500 || status === 504;
  return { kind: 'failed', why, afterUs, ...(isUnknown ? { isUnknown } : {}) };
}

/** Longest wait that a target may request. */
const WAIT_MAX_US = 3_600 * US_PER_SECOND;

/** Foreign text in one line, cut. Secrets are removed before: a cut one would not be found. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, 200);

/** True for a status that says that a message was taken. */
export const isSuccess = ({ status }: { readonly status: number }): boolean =>
  status >= 200 && status < 300;

const whoOf = ({ bot, mode }: Sender): string => `${bot} (${mode})`;

const ACCEPT = { accept: 'application/json' };

const post = (
  target: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest => ({
  method: 'POST',
  target,
  headers: { ...ACCEPT, ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function urlParts(url: string): { readonly origin: string; readonly target: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, target: pathname + search };
}

function recordOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return memberRecord(JSON.parse(body));
  } catch {
    // Not JSON, so no readable reason.
    return {};
  }
}

const memberRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A number of seconds in an answer. */
const secondsOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
