import { clockText, US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import type { Message, Notification } from './notification.ts';

/** Markup and length limits of a target's text. */
export interface TextForm {
  /** Length of a message at most, in UTF-16 code units, after escaping. */
  readonly lengthMax: number;
  /** Escapes markup. */
  readonly escape: (text: string) => string;
}

/**
 * The text of a message. One notification is its own text, with its time where it comes late; several are a
 * line each. What does not fit is left out, and the text says so.
 *
 * @param who - Name of the bot, which the text begins with.
 * @param now - When it is sent.
 */
export function messageText(message: Message, form: TextForm, who: string, now: Micros): string {
  const { notifications, dropped } = message;
  const [first] = notifications;
  if (first === undefined) return '';
  if (notifications.length > 1 || dropped > 0) return listText(message, form, who);
  const isLate = now - first.at >= US_PER_MINUTE;
  return cutText(`${who}: ${isLate ? `${clockText(first.at)} ` : ''}${first.text}`, form);
}

/** Each of several lines gets at most this fraction of a message. */
const LINE_SHARE = 4;

function listText({ notifications, dropped }: Message, form: TextForm, who: string): string {
  const { lengthMax, escape } = form;
  const total = notifications.length + dropped;
  const line = ({ at, text }: Notification): string =>
    cutText(`${clockText(at)} ${text}`, { ...form, lengthMax: Math.floor(lengthMax / LINE_SHARE) });
  const lines = [escape(`${who}, ${total} notifications:`)];
  let { length } = lines.join('');
  const room = lengthMax - escape(moreText(total)).length - 1;
  for (const one of notifications) {
    const text = line(one);
    if (length + 1 + text.length > room) break;
    lines.push(text);
    length += 1 + text.length;
  }
  const left = total - (lines.length - 1);
  return [...lines, ...(left === 0 ? [] : [escape(moreText(left))])].join('\n');
}

const moreText = (count: number): string => `and ${count} more`;

/** Escapes text and cuts it if it is too long, with a note of how much was cut. */
function cutText(text: string, { lengthMax, escape }: TextForm): string {
  const whole = escape(text);
  if (whole.length <= lengthMax) return whole;
  const characters = [...text];
  const upTo = (count: number): string =>
    escape(
      `${characters.slice(0, count).join('')}… (${characters.length - count} more characters)`,
    );
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (upTo(middle).length <= lengthMax) fits = middle;
    else tooMany = middle;
  }
  return upTo(fits);
}
