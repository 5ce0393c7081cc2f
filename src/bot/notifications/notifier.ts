import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, spanText, type Micros } from '../../platform/time.ts';
import type { BotApi } from '../api/bot-api.ts';
import type { BotEvent, NotificationLine } from '../api/bot-event.ts';
import type { NotificationSettings } from '../settings/notifications.ts';
import { sentenceOf, whose, type Sentence } from './sentences.ts';
import { Target, type TargetParts } from './target.ts';

type Of<K extends BotEvent['kind']> = Extract<BotEvent, { readonly kind: K }>;

/**
 * Notifies people of the bot's events: each becomes a sentence and goes to the targets that subscribe to
 * it. Events that matter only if they last, a lost connection or an unknown outcome, wait here first.
 */
export class Notifier {
  readonly #settings: NotificationSettings;
  readonly #scheduler: Scheduler;
  readonly #clean: (text: string) => string;
  readonly #targets: readonly Target[];
  readonly #lost = new Map<string, Lost>();
  readonly #unknown = new Map<string, Cancel>();
  #bot: Pick<BotApi, 'orders'> | undefined;

  constructor(settings: NotificationSettings, parts: TargetParts) {
    this.#settings = settings;
    this.#scheduler = parts.scheduler;
    this.#clean = parts.clean;
    this.#targets = settings.targets.map((one) => new Target(one, parts));
  }

  /** Attaches the bot once it is open, to check whether an outcome is still unknown. */
  attach(bot: Pick<BotApi, 'orders'>): void {
    this.#bot = bot;
  }

  /** Delivery of notifications, by target. */
  lines(): readonly NotificationLine[] {
    return this.#targets.map(({ line }) => line);
  }

  /** Processes an event; never throws, and sends nothing within this turn. */
  take(event: BotEvent): void {
    switch (event.kind) {
      case 'connection':
        this.#connection(event);
        return;
      case 'unknown':
        this.#outcome(event);
        return;
      default: {
        const what = sentenceOf(event);
        if (what !== undefined) this.#notify(what, event);
      }
    }
  }

  /** Sends the waiting messages, within a time limit. */
  async close(withinUs: number): Promise<void> {
    for (const { cancel } of this.#lost.values()) cancel();
    for (const cancel of this.#unknown.values()) cancel();
    await Promise.all(this.#targets.map((target) => target.close(withinUs)));
  }

  #notify({ kind, level, text }: Sentence, { kind: event, at: _, ...fields }: BotEvent): void {
    const targets = this.#targets.filter((target) => target.wants({ kind, level }));
    // Most fills notify nobody.
    if (targets.length === 0) return;
    const at = this.#scheduler.now();
    const clean = oneLine(this.#clean(text));
    const all = { kind, level, text: clean, at, fields: this.#cleaned({ event, ...fields }) };
    for (const target of targets) target.add(all);
  }

  /** Copies plain data and removes secrets from its texts. */
  #cleaned(fields: object): Readonly<Record<string, unknown>> {
    const clean = (value: unknown): unknown => {
      if (typeof value === 'string') return oneLine(this.#clean(value));
      if (Array.isArray(value)) return value.map(clean);
      return typeof value === 'object' && value !== null ? this.#cleaned(value) : value;
    };
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(value)]));
  }

  #connection(event: Of<'connection'>): void {
    const { account, state } = event;
    const lost = this.#lost.get(account);
    if (state === 'lost') {
      if (lost === undefined) this.#lost.set(account, this.#lostSince(event));
      return;
    }
    if (lost === undefined) return;
    lost.cancel();
    this.#lost.delete(account);
    if (!lost.isReported) return;
    const text = `${whose(event)} is connected again, after ${spanText(event.at - lost.since)}.`;
    this.#notify({ kind: 'connection', level: 'info', text }, event);
  }

  #lostSince(event: Of<'connection'>): Lost {
    const { connectionLostUs } = this.#settings;
    const cancel = this.#scheduler.at(micros(event.at + connectionLostUs), () => {
      lost.isReported = true;
      const why = event.why === undefined ? '' : ` (${event.why})`;
      const text = `${whose(event)} has had no connection for ${spanText(connectionLostUs)}${why}.`;
      this.#notify({ kind: 'connection', level: 'urgent', text }, event);
    });
    const lost: Lost = { since: event.at, cancel, isReported: false };
    return lost;
  }

  #outcome(event: Of<'unknown'>): void {
    const { account, clientOrderId: id } = event;
    const key = `${account} ${id}`;
    if (this.#unknown.has(key)) return;
    const { unknownOutcomeUs } = this.#settings;
    const cancel = this.#scheduler.at(micros(event.at + unknownOutcomeUs), () => {
      this.#unknown.delete(key);
      if (!this.#isUnknown(account, id)) return;
      const text = `${whose(event)}: the outcome of order ${id} (${event.symbol}) is unknown for ${spanText(unknownOutcomeUs)}. Look at the venue.`;
      this.#notify({ kind: 'unknown', level: 'urgent', text }, event);
    });
    this.#unknown.set(key, cancel);
  }

  #isUnknown(account: string, id: string): boolean {
    return (this.#bot?.orders() ?? []).some(
      (one) => one.account === account && one.clientOrderId === id && one.status === 'unknown',
    );
  }
}

/** Foreign text may be longer than anybody reads. */
const TEXT_MAX = 8_000;

/** Text in one line, cut if it is long. */
function oneLine(text: string): string {
  const part = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  return part.toWellFormed().replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

interface Lost {
  readonly since: Micros;
  readonly cancel: Cancel;
  isReported: boolean;
}
