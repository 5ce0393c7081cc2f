import type { Micros } from '../../platform/time.ts';
import type { EventKind, NotificationLevel } from '../settings/notifications.ts';

/** Something that a person is notified of. */
export interface Notification {
  readonly kind: EventKind;
  readonly level: NotificationLevel;
  /** Sentences in plain text; no line breaks, no secrets. */
  readonly text: string;
  readonly at: Micros;
  /** Its subject, for programs: account, strategy, symbol and so on. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Sent at once: one notification, or several that waited. */
export interface Message {
  /** Urgent ones first, then in the order of arrival. */
  readonly notifications: readonly Notification[];
  /** Notifications that are in no message, as more waited than there was room for. */
  readonly dropped: number;
  /** It makes no sound, if the target supports that. */
  readonly isSilent: boolean;
}
