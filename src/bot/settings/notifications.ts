/** Kinds of events to notify of. */
export const EVENT_KINDS = [
  'bot',
  'strategy',
  'risk',
  'connection',
  'rejection',
  'unknown',
  'fill',
  'protection',
  'margin',
  'summary',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** How much something matters, least first. */
export const NOTIFICATION_LEVELS = ['info', 'warning', 'urgent'] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** Targets of notifications, and how long some states must last before one is sent. */
export interface NotificationSettings {
  readonly targets: readonly TargetSettings[];
  /** How long a connection is lost before it is notified. */
  readonly connectionLostUs: number;
  /** How long the outcome of a request is unknown before it is notified. */
  readonly unknownOutcomeUs: number;
}

export interface TargetSettings {
  readonly name: string;
  readonly destination: Destination;
  readonly events: readonly EventKind[];
  /** Lower levels are not sent. */
  readonly minimum: NotificationLevel;
  readonly quiet?: QuietHours | undefined;
  /** Messages within any minute at most. */
  readonly rate: number;
}

/** Hours of a day, in minutes since midnight in a time zone; `from` may be after `to`. */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
  /** Of the IANA database, such as `Europe/Berlin`. */
  readonly zone: string;
}

/** Where messages go; addresses and tokens are secrets. */
export type Destination =
  | {
      readonly kind: 'telegram';
      /** Address of the Bot API. */
      readonly url: string;
      readonly token: string;
      readonly chat: string;
    }
  | { readonly kind: 'slack' | 'discord'; readonly url: string }
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
