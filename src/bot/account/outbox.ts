import { MillraceError } from '../../model/errors.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import { afterThis } from '../../platform/turn.ts';
import type { Intent } from '../journal/records.ts';
import type { Seat } from './seat.ts';

/** What an outbox does its work with. */
export interface OutboxHost {
  readonly scheduler: Scheduler;
  /** The reason why a request may not leave. */
  refusal(seat: Seat, request: OrderRequest): Refusal | undefined;
  /** Told of each request that may leave, before the next is looked at. */
  passed(request: OrderRequest): void;
  /** Writes down what is about to leave; throws where that cannot be done. */
  intend(intents: readonly Intent[]): void;
  /** Takes cancels that leave although they could not be written down. */
  intendedLate(intents: readonly Intent[]): void;
  send(request: OrderRequest): void;
  /** When the market message was received that is being handed on, if one is. */
  cause(): Micros | undefined;
  /** Told of what left, how long the journal took for all that left with it, and the cause. */
  sent(request: OrderRequest, journalUs: number, cause: Micros | undefined): void;
  refused(seat: Seat, request: OrderRequest, refusal: Refusal, by: 'risk' | 'journal'): void;
  /** Told that the journal could not be written. */
  failed(error: unknown): void;
}

interface Letter {
  readonly seat: Seat;
  readonly request: OrderRequest;
  readonly wished: boolean;
  /** When the market message was received that it answers, if it answers one. */
  readonly cause: Micros | undefined;
}

/**
 * The way out of an account. What strategies ask for within one message of the market goes
 * together: each request is held against the limits, all that pass are written to the journal in
 * one durable step, and only then they leave, in the order in which they were asked for. Where the
 * journal cannot be written, cancels leave all the same: they only lower risk, and place nothing
 * that a next start would have to know of.
 */
export class Outbox {
  readonly #host: OutboxHost;
  #letters: Letter[] = [];

  constructor(host: OutboxHost) {
    this.#host = host;
  }

  push(seat: Seat, request: OrderRequest, wished: boolean): void {
    this.#letters.push({ seat, request, wished, cause: this.#host.cause() });
    if (this.#letters.length === 1) afterThis(() => this.#flush());
  }

  #flush(): void {
    const letters = this.#letters;
    this.#letters = [];
    const host = this.#host;
    const passed = letters.filter(({ seat, request, wished }) => {
      const refusal = host.refusal(seat, request);
      // What passes counts at once, also for the next of the same message.
      if (refusal === undefined) {
        seat.note(request, wished);
        host.passed(request);
      } else host.refused(seat, request, refusal, 'risk');
      return refusal === undefined;
    });
    if (passed.length > 0) this.#post(passed);
  }

  /** Writes down and sends. A request that cannot be written down takes no other with it. */
  #post(letters: readonly Letter[]): void {
    const host = this.#host;
    const start = host.scheduler.now();
    const intents = letters.map(({ seat, request, wished }) => ({
      ...{ at: start, strategy: seat.name, request, wished },
    }));
    try {
      host.intend(intents);
    } catch (error) {
      const isOfOne = error instanceof MillraceError && error.code === 'request-invalid';
      if (isOfOne && letters.length > 1) {
        for (const letter of letters) this.#post([letter]);
        return;
      }
      if (!isOfOne) host.failed(error);
      const refusal = isOfOne ? unfit(error) : unwritten(error);
      const held = letters.filter(({ request }) => isOfOne || request.kind !== 'cancel');
      for (const { seat, request } of held) host.refused(seat, request, refusal, 'journal');
      if (isOfOne) return;
      const cancels = intents.filter(({ request }) => request.kind === 'cancel');
      if (cancels.length > 0) host.intendedLate(cancels);
      this.#leave(
        letters.filter(({ request }) => request.kind === 'cancel'),
        start,
      );
      return;
    }
    this.#leave(letters, start);
  }

  #leave(letters: readonly Letter[], start: Micros): void {
    const host = this.#host;
    const journalUs = host.scheduler.now() - start;
    for (const { request, cause } of letters) {
      host.send(request);
      host.sent(request, journalUs, cause);
    }
  }
}

/** An id that another strategy or a former life chose is found by the journal alone. */
const unfit = ({ message, field }: MillraceError): Refusal =>
  field === 'clientOrderId'
    ? { code: 'client-order-id-taken', field, message }
    : { code: 'request-invalid', message };

const unwritten = (error: unknown): Refusal => ({
  code: 'journal-failed',
  message: `The journal could not be written, so the request was not sent: ${error instanceof Error ? error.message : String(error)}`,
});
