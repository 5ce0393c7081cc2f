import { backoffUs } from '../../gateways/http/backoff.ts';
import { HttpTransport } from '../../gateways/http/transport.ts';
import { pause } from '../../platform/pause.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { NotificationLine } from '../api/bot-event.ts';
import type { TargetSettings } from '../settings/notifications.ts';
import type { Message, Notification } from './notification.ts';
import { Outbox } from './outbox.ts';
import { deliveryOf, templateOf, type Delivery, type Sender, type Template } from './templates.ts';

/** One connection, so messages stay in order. A target that hangs is given up after the timeout. */
export const TRANSPORT_TERMS = {
  timeoutUs: 10 * US_PER_SECOND,
  connections: 1,
  bodyBytesMax: 65_536,
} as const;

/** Most attempts after an unknown outcome: each may deliver the message again. */
const UNKNOWN_MAX = 5;

const RETRIES = { firstUs: US_PER_SECOND, longestUs: US_PER_MINUTE } as const;

export interface TargetParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly log: Log;
  readonly sender: Sender;
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string;
}

/** A target of notifications: sends the messages of its outbox, one after the other, until each arrives. */
export class Target {
  readonly name: string;
  readonly #settings: TargetSettings;
  readonly #parts: TargetParts;
  readonly #template: Template;
  readonly #transport: HttpTransport;
  readonly #outbox: Outbox;
  /** The message that is being sent. */
  #sending: Message | undefined;
  #delivering: Promise<void> = Promise.resolve();
  #sent = 0;
  #why: string | undefined;
  #isAsked = false;
  #cancel: Cancel = () => undefined;
  /** The process is about to end: no wait between attempts, unless the target requests one. */
  readonly #closing = new AbortController();
  /** Nobody waits any more. */
  readonly #closed = new AbortController();

  constructor(settings: TargetSettings, parts: TargetParts) {
    this.name = settings.name;
    this.#settings = settings;
    this.#parts = parts;
    this.#template = templateOf(settings.destination);
    this.#transport = new HttpTransport(this.#template.origin, parts.scheduler, TRANSPORT_TERMS);
    this.#outbox = new Outbox(settings);
  }

  get line(): NotificationLine {
    return {
      name: this.name,
      kind: this.#settings.destination.kind,
      sent: this.#sent,
      dropped: this.#outbox.dropped,
      waiting: this.#outbox.waiting + (this.#sending?.notifications.length ?? 0),
      why: this.#why,
    };
  }

  /** Whether it wants a notification of this kind and level. */
  wants(sentence: Pick<Notification, 'kind' | 'level'>): boolean {
    return this.#outbox.wants(sentence);
  }

  /** Adds a notification; it is sent in a later turn, so that trading continues first. */
  add(notification: Notification): void {
    if (this.#closing.signal.aborted) return;
    this.#outbox.add(notification);
    this.#ask(this.#now());
  }

  /** Sends the waiting messages within a time limit, then drops the rest. */
  async close(withinUs: number): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#cancel();
    this.#closing.abort();
    const { scheduler, log } = this.#parts;
    const over = new AbortController();
    const rest = this.#sendRest().finally(() => over.abort());
    await pause(scheduler, withinUs, over.signal);
    this.#closed.abort();
    await this.#transport.close();
    await rest;
    const { dropped, waiting } = this.line;
    if (dropped + waiting === 0) return;
    log.warn(`Notifications to ${this.name} that were not sent: ${dropped + waiting}.`);
  }

  async #sendRest(): Promise<void> {
    await this.#delivering;
    const rest = this.#outbox.rest(this.#now());
    if (rest !== undefined) await this.#deliver(rest);
  }

  #now(): Micros {
    return this.#parts.scheduler.now();
  }

  /** Schedules a check of the outbox at `at`, or now if that has passed. */
  #ask(at: Micros): void {
    const now = this.#now();
    if (this.#isAsked || this.#sending !== undefined) return;
    this.#cancel();
    this.#isAsked = at <= now;
    this.#cancel = this.#parts.scheduler.at(at, () => {
      this.#isAsked = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#sending !== undefined || this.#closing.signal.aborted) return;
    const now = this.#now();
    const message = this.#outbox.next(now);
    if (message === undefined) {
      const at = this.#outbox.nextAt(now);
      if (at !== undefined) this.#ask(at);
      return;
    }
    this.#delivering = this.#deliver(message).then(() => this.#send());
  }

  /** Sends a message until it arrives, is rejected, or nobody waits any more. */
  async #deliver(message: Message): Promise<void> {
    this.#sending = message;
    let unknown = 0;
    for (let attempt = 1; ; attempt += 1) {
      const delivery = await this.#attempt(message);
      if (delivery.kind === 'delivered') {
        this.#arrived(message);
        break;
      }
      const { afterUs = 0, isUnknown = false } = delivery.kind === 'failed' ? delivery : {};
      if (isUnknown) unknown += 1;
      const isLost = delivery.kind === 'rejected' || unknown === UNKNOWN_MAX || this.#isLast(attempt, afterUs); // prettier-ignore
      this.#failed(delivery.why, isLost ? message : undefined);
      if (isLost) break;
      await this.#wait(attempt, afterUs);
    }
    this.#sending = undefined;
  }

  async #attempt(message: Message): Promise<Delivery> {
    const request = this.#template.request(message, this.#parts.sender, this.#now());
    const delivery = deliveryOf(this.#template, await this.#transport.send(request));
    if (delivery.kind === 'delivered') return delivery;
    return { ...delivery, why: this.#parts.clean(delivery.why) };
  }

  /** At the end of the process a message is tried once more, and longer if the target requests a delay. */
  #isLast(attempt: number, afterUs: number): boolean {
    if (this.#closed.signal.aborted) return true;
    return this.#closing.signal.aborted && attempt > 1 && afterUs === 0;
  }

  async #wait(attempt: number, afterUs: number): Promise<void> {
    const { scheduler, random } = this.#parts;
    const { signal } = afterUs > 0 ? this.#closed : this.#closing;
    await pause(scheduler, Math.max(backoffUs(RETRIES, attempt, random), afterUs), signal);
  }

  #arrived({ notifications }: Message): void {
    this.#sent += notifications.length;
    if (this.#why === undefined) return;
    this.#why = undefined;
    this.#parts.log.info(`Notifications to ${this.name} arrive again.`);
  }

  #failed(why: string, lost: Message | undefined): void {
    const isNew = this.#why === undefined;
    this.#why = why;
    if (lost !== undefined) {
      this.#outbox.gaveUp(lost);
      const count = lost.notifications.length;
      this.#parts.log.warn(`Notifications to ${this.name} are lost (${count}): ${why}`);
    } else if (isNew) {
      this.#parts.log.warn(`Notifications to ${this.name} wait: ${why}`);
    }
  }
}
