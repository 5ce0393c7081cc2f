import { micros, US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
  type TargetSettings,
} from '../settings/notifications.ts';
import type { Message, Notification } from './notification.ts';
import { nextMinute, quietHours } from './quiet-hours.ts';

/** Most waiting notifications. */
export const WAITING_NOTIFICATIONS_MAX = 500;

/** An outbox's settings from its target. */
export type OutboxSettings = Pick<TargetSettings, 'events' | 'minimum' | 'quiet' | 'rate'>;

/**
 * What waits for one target, and when it may go:
 *
 * - In quiet hours only what is urgent goes. All that was held back goes as one message at their end.
 * - Within any minute go so many messages as `rate` says, of which one is for what is urgent alone. The last that
 *   may go takes all that waits.
 * - More than there is room for is dropped, the oldest first and what is urgent last; the next message says so.
 */
export class Outbox {
  readonly #settings: OutboxSettings;
  readonly #isQuiet: (at: Micros) => boolean;
  #waiting: Waiting[] = [];
  /** When the messages of the last minute went, oldest first. */
  #taken: Micros[] = [];
  /** Dropped, and in no message yet. */
  #unreported = 0;
  #dropped = 0;

  constructor(settings: OutboxSettings) {
    this.#settings = settings;
    this.#isQuiet = quietHours(settings.quiet);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many were dropped in all for want of room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether the target wants a notification of this kind and level. */
  wants({ kind, level }: Pick<Notification, 'kind' | 'level'>): boolean {
    const { events, minimum } = this.#settings;
    return events.includes(kind) && rank(level) >= rank(minimum);
  }

  /** Adds a notification if the target subscribes to it. */
  add(notification: Notification): void {
    if (!this.wants(notification)) return;
    const { level, at } = notification;
    const isHeld = level !== 'urgent' && this.#isQuiet(at);
    this.#waiting.push({ notification, isHeld });
    if (this.#waiting.length <= WAITING_NOTIFICATIONS_MAX) return;
    const plain = this.#waiting.findIndex((one) => !isUrgent(one));
    this.#waiting.splice(Math.max(plain, 0), 1);
    this.#dropped += 1;
    this.#unreported += 1;
  }

  /** Takes the next message out; `undefined` if nothing may be sent now. */
  next(now: Micros): Message | undefined {
    const ready = this.#ready(now);
    const [first] = ready;
    const room = this.#room(ready, now);
    if (first === undefined || room < 1) return undefined;
    this.#taken.push(now);
    const isTogether = room === 1 || ready.some(({ isHeld }) => isHeld);
    return this.#message(isTogether ? ready : [ready.find(isUrgent) ?? first], false);
  }

  /** When to call `next` again; `undefined` if nothing waits. */
  nextAt(now: Micros): Micros | undefined {
    if (this.#waiting.length === 0) return undefined;
    const ready = this.#ready(now);
    if (ready.length === 0) return nextMinute(now);
    const room = this.#room(ready, now);
    if (room > 0) return now;
    // The oldest sends of the last minute make room when they expire.
    return micros((this.#taken[-room] ?? now) + US_PER_MINUTE);
  }

  /** Takes out everything that waits, at the end of the process; silent in quiet hours. */
  rest(now: Micros): Message | undefined {
    if (this.#waiting.length === 0) return undefined;
    const isSilent = this.#ready(now).length === 0;
    return this.#message(this.#waiting, isSilent);
  }

  /** A message was given up: its notifications are dropped. */
  gaveUp({ notifications, dropped }: Message): void {
    this.#dropped += notifications.length;
    this.#unreported += notifications.length + dropped;
  }

  #message(all: readonly Waiting[], isSilent: boolean): Message {
    const gone = new Set(all);
    this.#waiting = this.#waiting.filter((one) => !gone.has(one));
    const dropped = this.#unreported;
    this.#unreported = 0;
    const sorted = [...all.filter(isUrgent), ...all.filter((one) => !isUrgent(one))];
    return {
      notifications: sorted.map(({ notification }) => notification),
      dropped,
      isSilent,
    };
  }

  #ready(now: Micros): readonly Waiting[] {
    if (this.#waiting.length === 0 || !this.#isQuiet(now)) return this.#waiting;
    return this.#waiting.filter(isUrgent);
  }

  /** How many messages may go now; none if it is below 1. */
  #room(ready: readonly Waiting[], now: Micros): number {
    const { rate } = this.#settings;
    this.#taken = this.#taken.filter((at) => now - at < US_PER_MINUTE);
    const most = ready.some(isUrgent) ? rate : Math.max(1, rate - 1);
    return most - this.#taken.length;
  }
}

interface Waiting {
  readonly notification: Notification;
  /** It arrived in quiet hours and is sent with the others at their end. */
  readonly isHeld: boolean;
}

const isUrgent = ({ notification }: Waiting): boolean => notification.level === 'urgent';

const rank = (level: NotificationLevel): number => NOTIFICATION_LEVELS.indexOf(level);
